// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hardware_type/simulated.hpp"
#include "kestrel_k3.hpp"
#include "kestrel_k3_engine.hpp"

#include <map>
#include <utility>

namespace guide {

/// What the driver keeps of each context, by process and number: its root.
using contexts_of_driver = std::map<std::pair<u32, u32>, gpuva::root_table>;

// region: options
/// What the simulator has to know of an adapter with a K3, besides what it knows of a K2.
inline testing::vidmm_options options_of(kestrel_k3 const& chip, std::vector<u32> const& gart,
                                         kestrel_k3_engine& engine, contexts_of_driver& contexts) {
    testing::vidmm_options options = options_of(static_cast<kestrel const&>(chip), gart);
    options.addressing = testing::vidmm_addressing::gpu_virtual;
    options.smallest_paging_buffer = smallest_paging_buffer<kestrel_k3>.n;

    testing::vidmm_page_tables& tables = options.page_tables;
    tables.levels.assign(3, {.index_bits = 9, .entry_bytes = 8, .table_bytes = 4096, .segment = 0});
    tables.mode = page_table_update_mode::cpu_virtual;
    tables.attributes = 0xC;  // CacheCoherent and ReadOnly, as they stand in DXGK_PTE
    auto const root_at = [](u32 segment, u64 offset) {
        return (segment == 0 ? 0x80'0000'0000 : 0x40'0000'0000) + offset;
    };
    auto const ask = [&engine](u64 root, u64 va, bool past_caches) {
        testing::translation const t = engine.translate(root, va, past_caches);
        u64 const attributes = (t.coherent ? 4u : 0u) | (t.writable ? 0u : 8u);
        return t.ok() ? std::optional(testing::vidmm_translation{t.bus, attributes}) : std::nullopt;
    };
    tables.enter = [&engine, root_at](u32 segment, u64 offset) { engine.root = root_at(segment, offset); };
    tables.translate = [ask, root_at](u32 segment, u64 offset, u64 va, bool past_caches) {
        return ask(root_at(segment, offset), va, past_caches);
    };
    tables.context_of = [&contexts](u32 process, u32 which) -> void* { return &contexts[{process, which}]; };
    tables.translate_in_context = [ask, root_at](void* context, u64 va, bool past_caches) {
        auto const& root = *static_cast<gpuva::root_table const*>(context);
        return ask(root_at(root.segment.n, root.offset.n), va, past_caches);
    };
    return options;
}
// end: options

}  // namespace guide
