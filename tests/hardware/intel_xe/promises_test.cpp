// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../../base/expect_both.hpp"
#include "../promise_requests.hpp"

#include <hardware/intel_xe_virtual.hpp>

/// Numbers: the vendor's command layouts and entry bits, written out dword by dword; a batch is whole quadwords, filled
/// up with MI_NOOP (0).
namespace intel_promises_test {

namespace {

using namespace promise_tests;
namespace intel = wddmcore::examples::intel;
using gpu = intel::xe_virtual<intel::virtual_memory>;
using whole_gpu = intel::xe_virtual<intel::whole_memory>;

constexpr u32 aperture = 1;
constexpr u32 memory = 2;
constexpr u64 in_entries = 0x2'0000'0000;  // what entries call the memory segment's first byte
constexpr u64 table = 0x76'5432'0000;

template <class Gpu>
constexpr Gpu started() {
    return Gpu::started({.local_segment = {memory},
                         .local = {{0x80'0000'0000}, {u64{4} << 30}},
                         .local_virtual = 0x4000'0000'0000,
                         .aperture_segment = {aperture},
                         .aperture = {{0x7F'0000'0000}, {u64{1} << 28}},
                         .aperture_virtual = 0x5000'0000'0000,
                         .system_virtual = 0x2000'0000'0000,
                         .scratch_virtual = 0x6000'0000'0040,
                         .mocs = 5},
                        {.local_in_entries = in_entries, .local_pat = 0, .coherent_pat = 0, .noncoherent_pat = 2});
}
constexpr gpu adapter = started<gpu>();

constexpr u64 leaf(u64 flags, u64 page, u64 protection = 0) {
    return leaf_of(adapter, leaf_kind::gpu_page, 0, flags, page, protection);
}

/// MI_FLUSH_DW: what stands before stores.
words const flush{0x1300'0002, 0, 0, 0};

[[nodiscard]] words joined(std::initializer_list<words> parts) {
    words all;
    for (words const& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

u32 drained = 0;
u32 forgotten = 0;
void count_drain() { ++drained; }
void count_forget() { ++forgotten; }

}  // namespace

TEST_CASE("law 5: xe keeps the promises of page tables at every interface version from 2.0 on") {
    expect_both(accepted_versions<intel::xe_virtual, intel::virtual_memory>() == 15);
    expect_both(accepted_versions<intel::xe_virtual, intel::whole_memory>() == 15);
    expect_both(check_page_tables<gpu::page_tables>());
    expect_both(gpuva::check_gpu_mmu_caps<gpu::page_tables, gpu::mmu_caps, wddm::v3_2>());
    // All but 3 and 4, which ended with WDDM 2.0; with virtual addresses only, without 0, 1 and 7 as well.
    expect_both(reachable_operations(intel::whole_memory) == 21);
    expect_both(reachable_operations(intel::virtual_memory) == 18);
}

TEST_CASE("GVA-18 GVA-19 GVA-20: xe leaf entries have the vendor's bits") {
    // PRESENT b0, RW b1, device memory b11, address [45:12].
    expect_both(leaf(valid | coherent, 0x12'3456) == 0x0000'0001'2345'6003);
    expect_both(leaf(valid | in_segment(memory), 0x12'3456) == in_entries + 0x1'2345'6803);
    expect_both(leaf(valid | coherent | read_only, 0x3'FFFF'FFFF) == 0x0000'3FFF'FFFF'F001);
    // Caching policy 2 is PAT1, b4; 31 is b3, b4, b7, b62 and b61. Atomics b10.
    expect_both(leaf(valid, 0x12'3456) == 0x0000'0001'2345'6013);
    expect_both(leaf(valid | coherent, 0, 0x3F) == 0x6000'0000'0000'009B);
    expect_both(leaf(valid | in_segment(memory), 0, 0x40) == in_entries + 0xC03);
    expect_both(leaf(valid | in_segment(memory), 0, 0x1F) == in_entries + 0x803);  // a policy that is not said
    // NULL b9.
    expect_both(leaf(valid | zero, 77) == 0x203);
    expect_both(leaf(zero | in_segment(memory), 77) == 0);
    expect_both(leaf(valid | in_segment(aperture), 77) == 0);
}

TEST_CASE("GVA-11 GVA-16: xe pages of 64 KiB, 2 MiB and 1 GiB, and directories, have the vendor's bits") {
    constexpr u64 of_memory = valid | in_segment(memory);
    expect_both(leaf_of(adapter, leaf_kind::page_64k, 0, of_memory, 0x10) == in_entries + 0x1'0803);
    // PS_2M and PS_1G are b7; above the leaf PAT2 is b12.
    expect_both(leaf_of(adapter, leaf_kind::large_page, 1, of_memory | large, 0x200) == in_entries + 0x20'0883);
    expect_both(leaf_of(adapter, leaf_kind::large_page, 2, of_memory | large, 0x4'0000) == in_entries + 0x4000'0883);
    expect_both(leaf_of(adapter, leaf_kind::large_page, 1, of_memory | large, 0x200, 0x24) == in_entries + 0x20'1883);
    expect_both(leaf_of(adapter, leaf_kind::large_page, 1, valid | zero, 0) == 0x283);
    expect_both(leaf_of(adapter, leaf_kind::large_page, 3, valid | zero, 0) == 0);
    // A table, and a compact one: 64K-table b6.
    constexpr pte_target none{};
    expect_both(adapter.encode_directory(2, {{of_memory}, 5}, none).low == in_entries + 0x5003);
    expect_both(adapter.encode_directory(1, none, {{of_memory}, 5}).low == in_entries + 0x5043);
    expect_both(adapter.encode_directory(1, none, none) == page_table_entry{0, 0});
    // Only tables in local memory can be named: others are not present.
    expect_both(adapter.encode_directory(1, {{valid | in_segment(aperture)}, 5}, none) == page_table_entry{0, 0});
    expect_both(adapter.encode_directory(1, none, {{valid | in_segment(aperture)}, 5}) == page_table_entry{0, 0});
    expect_both(adapter.encode_directory(3, {{valid}, 0x1'2345}, none) == page_table_entry{0, 0});
}

TEST_CASE("OP11-01: xe entries stand behind a flush and MI_STORE_DATA_IMM") {
    gpu target = adapter;
    std::vector<pte> entries = {page_of(valid | coherent, 0x12'3456), page_of(valid | in_segment(memory), 3),
                                page_of(0, 0)};
    expect_words(commands_of(target, update_at(table, 0, 4, entries)),
                 joined({flush, {0x1020'0007, 0x5432'0020, 0x76, 0x2345'6003, 1, 0x3803, 2, 0, 0, 0}}));
    // A table of 512 takes two commands: 0x1FF quadwords, and one.
    entries = run_of(valid | in_segment(memory), 0x1'2000, 512);
    words const all = commands_of(target, update_at(table, 0, 0, entries));
    CHECK(all.size() == 7 + 1022 + 7 + 2);
    expect_words({all.begin(), all.begin() + 11},
                 joined({flush, {0x1020'03FF, 0x5432'0000, 0x76, 0x1200'0803, 2, 0x1200'1803, 2}}));
    expect_words({all.begin() + 1029, all.end()}, joined({flush, {0x1020'0003, 0x5432'0FF8, 0x76, 0x121F'F803, 2}}));
}

TEST_CASE("GVA-11: xe names compact tables in level 1, and fills them with entries of 64 KiB") {
    gpu target = adapter;
    std::vector<pte> entries = {page_of(valid | in_segment(memory) | table_of_64k, 0x33),
                                page_of(valid | in_segment(memory), 0x44),
                                page_of(valid | large | in_segment(memory), 0x600)};
    expect_words(commands_of(target, update_at(table, 1, 0, entries)),
                 joined({flush, {0x1020'0007, 0x5432'0000, 0x76, 0x3'3043, 2, 0x4'4003, 2, 0x60'0883, 2, 0}}));
    entries = {page_of(valid | in_segment(memory), 0x50), page_of(valid | in_segment(memory), 0xF0)};
    arguments args = update_at(table, 0, 30, entries);
    args.UpdatePageTable.Flags.Use64KBPages = 1;
    expect_words(commands_of(target, args),
                 joined({flush, {0x1020'0005, 0x5432'00F0, 0x76, 0x5'0803, 2, 0xF'0803, 2, 0}}));
}

TEST_CASE("OP11-02: on xe a table of entries that are not valid is one MEM_SET") {
    gpu target = adapter;
    std::vector<pte> entries(1, page_of(0, 0));
    arguments args = update_at(table, 3, 0, entries);
    args.UpdatePageTable.NumPageTableEntries = 512;
    args.UpdatePageTable.Flags.Repeat = 1;
    expect_words(commands_of(target, args),
                 joined({{0x0280'0000}, flush, {0x56C2'0005, 4095, 0, 4095, 0x5432'0000, 0x76, 0x28}, words(8, 0)}));
}

TEST_CASE("OP11-03: xe finds tables by place and by address, as the request says") {
    whole_gpu target = started<whole_gpu>();
    std::vector<pte> entries = {page_of(valid | coherent, 0x12'3456)};
    words expected = joined({flush, {0x1020'0003, 0x0001'0000, 0x4000, 0x2345'6003, 1, 0}});
    expect_words(commands_of(target, update_in(memory, 0x1'0000, 0, 0, entries)), expected);
    expected[5] = 0x5'5008;
    expected[6] = 0x2000;
    expect_words(commands_of(target, update_in(0, 0x5'5000, 0, 1, entries)), expected);
    expected[5] = 0x5432'0000;
    expected[6] = 0x76;
    expect_words(commands_of(target, update_at(table, 0, 0, entries)), expected);
}

TEST_CASE("OP11-04: xe tables are stored by the CPU without a buffer, and the stores are drained once") {
    gpu target = adapter;
    target.drain_stores = count_drain;
    drained = 0;
    std::vector<u64> stored(512, 7);
    std::vector<pte> entries = {page_of(valid | coherent, 0x12'3456), page_of(0, 0), page_of(valid | zero, 0)};
    arguments args = update_of(0, 5, entries, by_cpu);
    args.UpdatePageTable.PageTableAddress.CpuVirtual = stored.data();
    CHECK(build_paging_buffer(target, args) == status::success);
    CHECK(stored[4] == 7);
    CHECK(stored[5] == 0x0000'0001'2345'6003);
    CHECK(stored[6] == 0);
    CHECK(stored[7] == 0x203);
    CHECK(stored[8] == 7);
    CHECK(drained == 1);
}

TEST_CASE("OP12-03 GVA-25: an xe flush forgets translations behind everything before it") {
    gpu target = adapter;
    arguments args = request(12);
    args.FlushTlb.RootPageTableAddress.SegmentId = memory;
    expect_words(commands_of(target, args), {0x1304'4002, 0x40, 0x6000, 0});
    expect_both(gpu::mmu_caps.updates_need_idle);
}

TEST_CASE("OP14-01 OP14-02: xe copies entries by MEM_COPY, source first, each behind an order point") {
    gpu target = adapter;
    mirror::v3_2::dxgk_buildpagingbuffer_copy_range ranges[2]{};
    ranges[0] = {3, 0x1'0000'0000, 0x2'0001'0000, 5, 500};
    ranges[1] = {512, 0x2'0001'0000, 0x3'0000'0000, 0, 0};
    arguments args = request(14);
    args.CopyPageTableEntries = {2, ranges};
    // The caching policy, 5, in [31:28] and [6:3].
    expect_words(commands_of(target, args), joined({{0x0280'0000},
                                                    flush,
                                                    {0x5680'0008, 23, 0, 0, 0, 0x28, 1, 0x1'0FA0, 2, 0x5000'0028},
                                                    {0x0280'0000},
                                                    flush,
                                                    {0x5680'0008, 4095, 0, 0, 0, 0x1'0000, 2, 0, 3, 0x5000'0028}}));
}

TEST_CASE("OP16-01 OP16-03: an xe signal is a flush that stores a quadword, and an interrupt") {
    gpu target = adapter;
    arguments args = request(16);
    args.SignalMonitoredFence = {0x12'3456'7890, 0x1'89AB'CDEF};
    expect_words(commands_of(target, args), {0x1300'4003, 0x3456'7890, 0x12, 0x89AB'CDEF, 1, 0x0100'0000});
}

TEST_CASE("OP10-03 OP13-01: xe contexts are written by MI_STORE_DATA_IMM of dwords") {
    gpu target = adapter;
    int handle = 0;
    words content(20);
    for (u32 i = 0; i != 20; ++i) {
        content[i] = 0xC0DE'0000 + i;
    }
    intel::context_image const images[] = {{&handle, content.data(), 20}};
    target.images = images;
    target.image_count = 1;
    arguments args = request(10);
    args.InitContextResource = {};
    args.InitContextResource.hAllocation = &handle;
    args.InitContextResource.Destination.GpuVirtualAddress = 0x5'0000'1000;
    expect_words(commands_of(target, args), joined({flush,
                                                    {0x1000'0011, 0x1000, 5},
                                                    {content.begin(), content.begin() + 16},
                                                    flush,
                                                    {0x1000'0005, 0x1040, 5},
                                                    {content.begin() + 16, content.end()},
                                                    words(12, 0)}));
    args.InitContextResource.hAllocation = &content;
    expect_words(commands_of(target, args), {});

    intel::context_word changes[] = {{0x10, 0xAAAA}, {0x34, 0xBBBB}};
    args = request(13);
    args.UpdateContextAllocation = {0x7'0000'0000, 0x1000, changes, sizeof changes};
    expect_words(commands_of(target, args),
                 joined({flush, {0x1000'0002, 0x10, 7, 0xAAAA}, flush, {0x1000'0002, 0x34, 7, 0xBBBB}}));
}

TEST_CASE("OP15-02 OP21-01: xe residency is stored at once into page records") {
    gpu target = adapter;
    target.drain_stores = count_drain;
    int handle = 0;
    std::vector<u64> list(5, 7);
    intel::page_list const lists[] = {{&handle, list.data(), 4}};
    target.lists = lists;
    target.list_count = 1;
    arguments args = request(15);
    args.NotifyResidency = {};
    args.NotifyResidency.hAllocation = &handle;
    args.NotifyResidency.PhysicalAddress.SegmentId = memory;
    args.NotifyResidency.PhysicalAddress.SegmentOffset = 0x3000;
    args.NotifyResidency.Resident = 1;
    drained = 0;
    expect_words(commands_of(target, args), {});
    CHECK(list ==
          std::vector<u64>{in_entries + 0x3001, in_entries + 0x4001, in_entries + 0x5001, in_entries + 0x6001, 7});
    CHECK(drained == 1);
    args = request(21);
    args.NotifyResidency2 = {};
    args.NotifyResidency2.hAllocation = &handle;
    args.NotifyResidency2.AllocationOffsetInPages = 1;
    args.NotifyResidency2.SizeInPages = 2;
    expect_words(commands_of(target, args), {});
    CHECK(list == std::vector<u64>{in_entries + 0x3001, 0, 0, in_entries + 0x6001, 7});
    args.NotifyResidency2.AllocationOffsetInPages = 3;
    args.NotifyResidency2.SizeInPages = 9;  // more than the list has
    args.NotifyResidency2.SegmentId = memory;
    args.NotifyResidency2.PhysicalAddress.SegmentOffset = 0x8000;
    args.NotifyResidency2.Resident = 1;
    expect_words(commands_of(target, args), {});
    CHECK(list == std::vector<u64>{in_entries + 0x3001, 0, 0, in_entries + 0x8001, 7});
}

TEST_CASE("OP18-01: xe fence places are one store of two quadwords into the fence's record") {
    gpu target = adapter;
    int handle = 0;
    intel::fence_record const records[] = {{&handle, 0x6'0000'1000}};
    target.records = records;
    target.record_count = 1;
    arguments args = request(18);
    meta::bare<decltype(*args.NotifyFenceResidency.FenceResidencyInfo)> info{};
    info.hGlobalNativeFence = &handle;
    info.CurrentValuePhysicalAddress.SegmentId = memory;
    info.CurrentValuePhysicalAddress.SegmentOffset = 0x40;
    info.MonitoredValuePhysicalAddress.SegmentOffset = 0x5'5008;
    info.CurrentValueKernelCpuVa = &handle;
    info.MonitoredValueKernelCpuVa = &handle;
    args.NotifyFenceResidency = {};
    args.NotifyFenceResidency.NumFences = 1;
    args.NotifyFenceResidency.FenceResidencyInfo = &info;
    expect_words(commands_of(target, args),
                 joined({flush, {0x1020'0005, 0x1000, 6, 0x40, 0x4000, 0x5'5008, 0x2000, 0}}));
}

TEST_CASE("OP19-01 OP19-02 OP19-03: xe stores mappings into the global table, and has them forgotten") {
    gpu target = adapter;
    std::vector<u64> entries(16, 7);
    target.global = {7, entries.data(), 2, count_forget};
    forgotten = 0;
    arguments args = request(19);
    args.MmapMmu = {};
    args.MmapMmu.VirtualAddress = 0x5000;
    args.MmapMmu.MmuId = 7;
    args.MmapMmu.Adl.Flags.Value = 0;
    args.MmapMmu.Adl.Flags.Contiguous = 1;
    args.MmapMmu.Adl.PageCount = 2;
    args.MmapMmu.Adl.BasePageNumber = 0x12'3456;
    expect_words(commands_of(target, args), {});
    // PRESENT b0, PAT [53:52] = 2.
    CHECK(entries[4] == 7);
    CHECK(entries[5] == 0x0020'0001'2345'6001);
    CHECK(entries[6] == 0x0020'0001'2345'7001);
    CHECK(entries[7] == 7);
    CHECK(forgotten == 1);
    args = request(20);
    args.UnmapMmu = {};
    args.UnmapMmu.VirtualAddress = 0x6000;
    args.UnmapMmu.MmuId = 7;
    args.UnmapMmu.NumberOfPages = 2;
    expect_words(commands_of(target, args), {});
    CHECK(entries[5] == 0x0020'0001'2345'6001);
    CHECK(entries[6] == 0);
    CHECK(entries[7] == 0);
    CHECK(entries[8] == 7);
    CHECK(forgotten == 2);
}

TEST_CASE("OP19-03: pages of an xe map count from the segment's start, and an aperture's are not mapped") {
    gpu target = adapter;
    std::vector<u64> entries(4, 7);
    target.global = {7, entries.data(), 2, count_forget};
    forgotten = 0;
    arguments args = request(19);
    args.MmapMmu = {};
    args.MmapMmu.VirtualAddress = 0x1000;
    args.MmapMmu.MmuId = 7;
    args.MmapMmu.SegmentId = memory;
    args.MmapMmu.Adl.Flags.Value = 0;
    args.MmapMmu.Adl.Flags.Contiguous = 1;
    args.MmapMmu.Adl.PageCount = 2;
    args.MmapMmu.Adl.BasePageNumber = 5;
    expect_words(commands_of(target, args), {});
    // PRESENT b0, DM b1.
    CHECK(entries[1] == 0x0020'0000'0000'0003 + in_entries + 0x5000);
    CHECK(entries[2] == 0x0020'0000'0000'0003 + in_entries + 0x6000);
    args.MmapMmu.SegmentId = aperture;
    expect_words(commands_of(target, args), {});
    CHECK(entries[0] == 7);
    CHECK(entries[1] == 0);
    CHECK(entries[2] == 0);
    CHECK(entries[3] == 7);
    CHECK(forgotten == 2);
}

TEST_CASE("NTF-10: xe ends what the blitter has under way, and has nothing to do for an eviction") {
    gpu target = adapter;
    int handle = 0;
    arguments args = request(22);
    args.NotifyAllocation = {};
    args.NotifyAllocation.Flags.Value = 0;
    args.NotifyAllocation.Flags.IoMmuUnmap = 1;
    args.NotifyAllocation.hKmdProcessHandle = &handle;
    args.NotifyAllocation.SizeInBytes = u64{1} << 36;
    args.NotifyAllocation.GpuVirtualAddressAtOffset = 0x1'0000'0000;
    expect_words(commands_of(target, args), {0x1304'4002, 0x40, 0x6000, 0});
    static_assert(!hw::eviction_notifier<gpu> && hw::iommu_unmap_by_command<gpu>);
}

}  // namespace intel_promises_test
