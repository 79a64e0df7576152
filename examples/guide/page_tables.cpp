// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "page_tables/simulated.hpp"
#include "verdict.hpp"

#include <wddmcore/mirror.hpp>
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/laws.hpp>

#include <cstdio>
#include <vector>

using namespace wddmcore;
using guide::kestrel_k3;
namespace ddi = mirror::v2_0;

// region: laws
template <class Chip>
testing::law_report laws_of(Chip& chip, bytes part) {
    guide::kestrel_k3_engine engine;  // its ROOT is 0: an address means itself
    testing::gpu_memory memory;
    testing::law_memory playground{&engine, &memory};
    playground.process = {{Chip::vram_base.n}, part, Chip::vram_base.n};
    playground.take_notices = [&engine] {  // an INVALIDATE drops all: size 0
        using notice = testing::law_memory::notice;
        return std::vector<notice>(std::exchange(engine.invalidates, 0), {notice::kind::flush, 0, 0});
    };
    testing::law_report laws;
    if (memory.add_linear(Chip::vram_base.n, chip.vram_size.n) == testing::gpu_memory_error::none) {
        testing::laws{chip}.check(laws, playground);
    }
    return laws;
}
// end: laws

// region: driver
template <class Chip>
int WDDMCORE_DRIVER_CALL build(void* adapter, void* args) {
    return build_paging_buffer(*static_cast<Chip*>(adapter), *static_cast<ddi::dxgkarg_buildpagingbuffer*>(args));
}
int WDDMCORE_DRIVER_CALL submit(void*, void const*) { return status::success; }  // the simulator's engine executes

void WDDMCORE_DRIVER_CALL set_root_page_table(void*, void const* given) {
    auto const& args = *static_cast<ddi::dxgkarg_setrootpagetable const*>(given);
    auto& root = *static_cast<gpuva::root_table*>(args.hContext);  // what this driver keeps of a context
    auto const change = gpuva::set_root(kestrel_k3::page_tables, root, args, true);
    if (change.ok()) {
        root = change.get().now;
    }
}
// end: driver

// region: simulator
template <class Chip>
bool passes_the_simulator(Chip& chip, std::vector<u32> const& gart) {
    guide::kestrel_k3_engine engine;
    guide::contexts_of_driver contexts;
    wddmcore_driver_table t{};
    t.size = sizeof t;
    t.version = static_cast<u32>(Chip::caps.version);
    t.adapter = &chip;
    t.build_paging_buffer = build<Chip>;
    t.submit_command_virtual = submit;
    t.set_root_page_table = set_root_page_table;
    testing::vidmm windows(t, guide::options_of(chip, gart, engine, contexts), &engine);
    engine.attach(windows.memory(), [&windows](u64 va) { windows.page_fault(va); });
    windows.run(1, 300);
    windows.finish();
    return guide::print_verdict(windows.report());
}
// end: simulator

// region: mistakes
/// The same chip, and one line wrong: the page number at bit 12, where a byte address would have it.
struct shifted : kestrel_k3 {
    constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target page, u64 protection) const noexcept {
        u64 const right = kestrel_k3::encode_leaf(kind, level, page, protection).low;
        return {(right & 0xFF) | pte_page::of(right) << 12, 0};
    }
};

/// The same chip, and another line wrong: INVALIDATE gets the offset of the root, and not the chip's address.
struct deaf : kestrel_k3 {
    static constexpr void encode_flush(u32* at, hw::tlb_flush const& flush) noexcept {
        put32(at, head(invalidate, flush_dwords.n, 1));
        put64(at + 1, flush.root.offset.n);
    }
};
// end: mistakes

template <class Chip>
bool examine(char const* what, kestrel_k3 const& right, std::vector<u32>& gart, bytes part) {
    Chip chip{right};
    testing::law_report const laws = laws_of(chip, part);
    std::printf("%s\nthe laws: %s", what, laws.verdict().c_str());
    std::printf("the simulator: ");
    return passes_the_simulator(chip, gart) && laws.kept() &&
           laws.times_exercised(testing::law::tables_hold_entries) != 0;
}

int main() {
    // region: levels
    for (u32 level = 0; level != kestrel_k3::page_tables.level_count; ++level) {
        ddi::dxgk_page_table_level_desc desc{};
        gpuva::fill_page_table_level_desc(kestrel_k3::page_tables, kestrel_k3::table_places, level, desc);
        std::printf("level %u: %u index bits, %u bytes, segment %u\n", level, desc.PageTableIndexBitCount,
                    desc.PageTableSizeInBytes, desc.PageTableSegmentId);
    }
    // end: levels
    std::vector<u32> gart(kestrel_k3::gart_size.n / page_bytes);
    kestrel_k3 const chip{{.vram_size = 64 * mib, .gart_table = gart.data()}, {}};
    bool const good = examine<kestrel_k3>("\nthe K3", chip, gart, 32 * mib);
    bool const found =
        !examine<shifted>("\nshifted", chip, gart, 32 * mib) && !examine<deaf>("\ndeaf", chip, gart, 32 * mib);
    return good && found ? 0 : 1;
}
