// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What it costs that chips of one type differ: the requests of gate_transfer and gate_page_table, by hardware whose
// limits and page tables are chosen in its object. The rows stand beside those of the constants.

#include "transfer_inputs.hpp"

#include <page_tables/table_gpus.hpp>

namespace {

template <class Gpu>
struct chosen : Gpu {
    bytes copy_limit = 4 * mib;
    bytes copy_unit{4};
    bytes fill_limit = 4 * mib;
    bytes fill_unit{4};
    static constexpr chosen_within copy_max{256 * kib, 4 * mib, &chosen::copy_limit};
    static constexpr chosen_within copy_alignment{bytes{4}, bytes{64}, &chosen::copy_unit};
    static constexpr chosen_within fill_max{256 * kib, 4 * mib, &chosen::fill_limit};
    static constexpr chosen_within fill_alignment{bytes{4}, bytes{64}, &chosen::fill_unit};
};

chosen<physical_gpu> physical{physical_gpu::started(where)};
chosen<virtual_gpu> through_va{virtual_gpu::started(where)};

struct chosen_tables : table_tests::table_gpu {
    u32 generation = 0;
    static constexpr chosen_among page_tables{
        {table_tests::plain_format::page_tables,
         gpuva::page_table_geometry{.level_count = 5, .levels = {{9, 8}, {9, 8, true}, {9, 8}, {9, 8}, {9, 8}}}},
        &chosen_tables::generation};
};

chosen_tables tables = table_tests::with_segments<chosen_tables>();
attribute_table by_key;

}  // namespace

extern "C" {

[[gnu::noinline]] int measured_chosen_scatter(arguments& args) { return build_paging_buffer(physical, args); }
[[gnu::noinline]] int measured_chosen_mixed(arguments& args) { return build_paging_buffer(physical, args); }
[[gnu::noinline]] int measured_chosen_base(virtual_arguments& args) { return build_paging_buffer(through_va, args); }
[[gnu::noinline]] int measured_chosen_fill(arguments& args) { return build_paging_buffer(physical, args); }
[[gnu::noinline]] int measured_chosen_page(arguments& args) { return build_paging_buffer(physical, args); }
[[gnu::noinline]] int measured_chosen_tables(virtual_arguments& args) {
    return paging::detail::build_update_page_table(tables, args);
}
}

int main() {
    paged_memory scatter{scattered()};
    paged_memory mix{mixed()};
    // Nothing here is known to the compiler that a driver would not know.
    std::memcpy(&physical.copy_limit, &through_va.copy_limit, sizeof physical.copy_limit);
    require(check_numbers(physical) == no_number_broken && check_numbers(tables) == no_number_broken);

    arguments args = evict(scatter);
    require(measured_chosen_scatter(args) == status::success);
    args = evict(mix);
    require(measured_chosen_mixed(args) == status::success);
    virtual_arguments copy = copy_of_1g();
    require(measured_chosen_base(copy) == status::success);
    args = fill_of_1g();
    require(measured_chosen_fill(args) == status::success);
    args = evict(scatter);
    args.Transfer.TransferSize = page_bytes;
    require(measured_chosen_page(args) == status::success);

    paging::fill_attribute_table(tables, 0, by_key);
    tables.table = &by_key;
    std::vector<mirror::v2_9::dxgk_pte> entries(512);
    u64 state = 88172645463325252u;
    for (auto& e : entries) {
        e.Flags = 1 | 4 | 1 << 5;
        e.PageAddress = next_random(state) % (u64{1} << 22);
    }
    virtual_arguments update = fresh<virtual_arguments>(paging_operation::update_page_table);
    update.UpdatePageTable = {};
    update.UpdatePageTable.NumPageTableEntries = 512;
    update.UpdatePageTable.pPageTableEntries = entries.data();
    update.UpdatePageTable.UpdateMode = 1;
    update.UpdatePageTable.PageTableAddress.GpuVirtual = 0x1000'0000;
    require(measured_chosen_tables(update) == status::success);
    return 0;
}
