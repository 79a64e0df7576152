// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `entry_bytes` of a level must be 4, 8 or 16 (GVA-04)
//
// A walk makes the same check, and instantiates nothing else when it fails.
#ifdef BAD
#    define tables_change tables.levels[1].entry_bytes = 6
#endif
#include "good_tables.hpp"

#include <wddmcore/gpuva/promotion.hpp>

namespace {

using namespace wddmcore;

[[maybe_unused]] u64 walk(gpuva::page_range range, gpuva::promotion const& plan) {
    u64 entries = 0;
    gpuva::walk_level<good_gpu::tables, 0>(range, [&entries](gpuva::table_chunk chunk) {
        entries += chunk.count;
        return true;
    });
    gpuva::walk_all<good_gpu::tables, gpuva::walk_order::top_down>(range, [&entries](auto, gpuva::table_chunk chunk) {
        entries += chunk.count;
        return true;
    });
    gpuva::walk_promoted<good_gpu::tables>(plan, [&entries](auto, gpuva::table_chunk chunk, page_number) {
        entries += chunk.count;
        return true;
    });
    return entries;
}

}  // namespace
