// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../../base/expect_both.hpp"
#include "../promise_requests.hpp"

#include <hardware/amd_gfx10_virtual.hpp>

/// Numbers: the vendor's packet layouts and entry bits, written out dword by dword; a buffer is a multiple of eight
/// dwords, filled up with NOPs (0).
namespace amd_promises_test {

namespace {

using namespace promise_tests;
namespace amd = wddmcore::examples::amd;
using gpu = amd::gfx10_virtual<amd::virtual_memory>;
using whole_gpu = amd::gfx10_virtual<amd::whole_memory>;

constexpr u32 aperture = 1;
constexpr u32 memory = 2;
constexpr u64 memory_base = 0x80'0000'0000;
constexpr u64 in_entries = 0x2'0000'0000;  // what entries call the memory segment's first byte
constexpr u64 system_base = 0x10'0000'0000;
constexpr u64 table = 0x76'5432'0000;

template <class Gpu>
constexpr Gpu started() {
    return Gpu::started({.gart_segment = {aperture},
                         .gart = {{0x7F'0000'0000}, {u64{1} << 28}},
                         .vram_segment = {memory},
                         .vram = {{memory_base}, {u64{4} << 30}},
                         .system_base = system_base},
                        in_entries, {0x1234, 0x1256, 0x00F8'0102, 0x0102, 0x90'0000'0040});
}
constexpr gpu adapter = started<gpu>();

constexpr u64 leaf(u64 flags, u64 page, u64 protection = 0) {
    return leaf_of(adapter, leaf_kind::gpu_page, 0, flags, page, protection);
}

u32 drained = 0;
void count_drain() { ++drained; }

}  // namespace

TEST_CASE("law 5: gfx10 keeps the promises of page tables at every interface version from 2.0 on") {
    expect_both(accepted_versions<amd::gfx10_virtual, amd::virtual_memory>() == 15);
    expect_both(accepted_versions<amd::gfx10_virtual, amd::physical_memory>() == 15);
    expect_both(accepted_versions<amd::gfx10_virtual, amd::whole_memory>() == 15);
    expect_both(check_page_tables<gpu::page_tables>());
    expect_both(gpuva::check_gpu_mmu_caps<gpu::page_tables, gpu::mmu_caps, wddm::v3_2>());
    // All but 3 and 4, which ended with WDDM 2.0; the others without the operations of the other addresses.
    expect_both(reachable_operations(amd::whole_memory) == 21);
    expect_both(reachable_operations(amd::virtual_memory) == 18);
    expect_both(reachable_operations(amd::physical_memory) == 15);
}

TEST_CASE("GVA-18 GVA-19 GVA-20: gfx10 leaf entries have the vendor's bits") {
    // VALID b0, SYSTEM b1, SNOOPED b2, EXECUTABLE b4, READABLE b5, WRITEABLE b6, address [47:12].
    expect_both(leaf(valid | coherent, 0x12'3456) == 0x0000'0001'2345'6077);
    expect_both(leaf(valid, 0xF'FFFF'FFFF) == 0x0000'FFFF'FFFF'F073);
    expect_both(leaf(valid | in_segment(memory), 0x1'2345) == in_entries + 0x1234'5071);
    expect_both(leaf(valid | in_segment(memory) | coherent, 0) == in_entries + 0x71);  // snooped is system memory's
    expect_both(leaf(valid | in_segment(memory) | read_only | no_execute, 0) == in_entries + 0x21);
    // MTYPE [50:48] = 3 is UC.
    expect_both(leaf(valid | in_segment(memory), 0, 1) == in_entries + 0x0003'0000'0000'0071);
    // PRT b51.
    expect_both(leaf(valid | zero, 77) == 0x0008'0000'0000'0000);
    expect_both(leaf(zero | in_segment(memory), 77) == 0);
    expect_both(leaf(valid | in_segment(aperture), 77) == 0);
}

TEST_CASE("GVA-16: gfx10 large pages and directories have the vendor's bits") {
    // FRAGMENT [11:7] = 9, PDE_PTE b54.
    expect_both(leaf_of(adapter, leaf_kind::large_page, 1, valid | large | in_segment(memory), 0x200) ==
                in_entries + 0x0040'0000'0020'04F1);
    expect_both(leaf_of(adapter, leaf_kind::large_page, 1, valid | zero, 0) == 0x0048'0000'0000'0000);
    constexpr pte_target none{};
    expect_both(adapter.encode_directory(1, {{valid | in_segment(memory)}, 5}, none).low == in_entries + 0x5001);
    expect_both(adapter.encode_directory(3, {{valid}, 0x12'3456}, none).low == 0x1'2345'6007);
    expect_both(adapter.encode_directory(2, {{in_segment(memory)}, 5}, none) == page_table_entry{0, 0});
    // A table in the aperture, or in a segment that there is not, has no number: not valid.
    expect_both(adapter.encode_directory(1, {{valid | in_segment(aperture)}, 5}, none) == page_table_entry{0, 0});
    expect_both(adapter.encode_directory(1, {{valid | in_segment(9)}, 5}, none) == page_table_entry{0, 0});
}

TEST_CASE("OP11-01: on gfx10 a run of pages is one PTEPDE packet") {
    gpu target = adapter;
    std::vector<pte> entries = run_of(valid | in_segment(memory), 0x1'2000, 512);
    expect_words(commands_of(target, update_at(table, 0, 0, entries)),
                 {0x0000'000C, 0x5432'0000, 0x76, 0x71, 0, 0x1200'0000, 2, 0x1000, 0, 511, 0, 0, 0, 0, 0, 0});
    // Of system pages, from a place inside the table.
    entries = run_of(valid | coherent, 0x12'3456, 100);
    expect_words(commands_of(target, update_at(table, 0, 8, entries)),
                 {0x0000'000C, 0x5432'0040, 0x76, 0x77, 0, 0x2345'6000, 1, 0x1000, 0, 99, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("OP11-01: on gfx10 other entries stand behind a WRITE_LINEAR packet") {
    gpu target = adapter;
    std::vector<pte> entries = {page_of(valid | coherent, 0x12'3456), page_of(valid | in_segment(memory), 3)};
    expect_words(commands_of(target, update_at(table, 0, 4, entries)),
                 {0x0000'0002, 0x5432'0020, 0x76, 3, 0x2345'6077, 1, 0x3071, 2});
    entries = {page_of(valid | large | in_segment(memory), 0x400), page_of(valid | in_segment(memory), 9)};
    expect_words(commands_of(target, update_at(table, 1, 0, entries)),
                 {0x0000'0002, 0x5432'0000, 0x76, 3, 0x0040'04F1, 0x0040'0002, 0x9001, 2});
}

TEST_CASE("OP11-02: on gfx10 entries that are all alike are a fill or a PTEPDE packet without increment") {
    gpu target = adapter;
    std::vector<pte> entries(512, page_of(0, 0));
    arguments args = update_at(table, 2, 0, entries);
    args.UpdatePageTable.Flags.Repeat = 1;
    expect_words(commands_of(target, args), {0x8000'000B, 0x5432'0000, 0x76, 0, 4095, 0, 0, 0});
    entries[0] = page_of(valid | coherent, 0x12'3456);
    args.UpdatePageTable.PageTableLevel = 0;
    expect_words(commands_of(target, args),
                 {0x0000'000C, 0x5432'0000, 0x76, 0x77, 0, 0x2345'6000, 1, 0, 0, 511, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("OP11-03: gfx10 finds tables by place and by address, as the request says") {
    whole_gpu target = started<whole_gpu>();
    std::vector<pte> entries = {page_of(valid | coherent, 0x12'3456)};
    words expected{0x0000'0002, 0x0001'0000, 0x80, 1, 0x2345'6077, 1, 0, 0};
    expect_words(commands_of(target, update_in(memory, 0x1'0000, 0, 0, entries)), expected);
    expected[1] = 0x5'5008;
    expected[2] = 0x10;
    expect_words(commands_of(target, update_in(0, 0x5'5000, 0, 1, entries)), expected);
    expected[1] = 0x5432'0000;
    expected[2] = 0x76;
    expect_words(commands_of(target, update_at(table, 0, 0, entries)), expected);
}

TEST_CASE("OP11-04: gfx10 tables are stored by the CPU without a buffer, and the stores are drained once") {
    gpu target = adapter;
    target.drain_stores = count_drain;
    drained = 0;
    std::vector<u64> stored(512, 7);
    std::vector<pte> entries = {page_of(valid | coherent, 0x12'3456), page_of(0, 0), page_of(valid | zero, 0)};
    arguments args = update_of(0, 5, entries, by_cpu);
    args.UpdatePageTable.PageTableAddress.CpuVirtual = stored.data();
    CHECK(build_paging_buffer(target, args) == status::success);
    CHECK(args.MultipassOffset == 3);
    CHECK(stored[4] == 7);
    CHECK(stored[5] == 0x0000'0001'2345'6077);
    CHECK(stored[6] == 0);
    CHECK(stored[7] == 0x0008'0000'0000'0000);
    CHECK(stored[8] == 7);
    CHECK(drained == 1);
}

TEST_CASE("OP12-03: a gfx10 flush waits for earlier stores, then for the hub") {
    gpu target = adapter;
    arguments args = request(12);
    args.FlushTlb.RootPageTableAddress.SegmentId = memory;
    words expected{// FENCE, UC, 1
                   0x0003'0005, 0x40, 0x90, 1,
                   // POLL_REGMEM: memory, equal, for ever
                   0xB000'0008, 0x40, 0x90, 1, 0xFFFF'FFFF, 0x0FFF'0000,
                   // SRBM_WRITE of the request
                   0xF000'000E, 0x1234, 0x00F8'0102,
                   // POLL_REGMEM: register, in bytes
                   0x3000'0008, 0x4958, 0, 0x0102, 0x0102, 0x0FFF'0000,
                   // and back to 0
                   0x0003'0005, 0x40, 0x90, 0, 0xB000'0008, 0x40, 0x90, 0, 0xFFFF'FFFF, 0x0FFF'0000, 0, 0, 0};
    expect_words(commands_of(target, args), expected);
    args.FlushTlb.StartVirtualAddress = 0x1000;
    args.FlushTlb.EndVirtualAddress = 0x2000;
    expect_words(commands_of(target, args), expected);  // there is no shorter one
}

TEST_CASE("OP14-01 OP14-02: gfx10 copies entries by COPY_LINEAR, 8 bytes each, in order") {
    gpu target = adapter;
    mirror::v3_2::dxgk_buildpagingbuffer_copy_range ranges[2]{};
    ranges[0] = {3, 0x1'0000'0000, 0x2'0001'0000, 5, 500};
    ranges[1] = {512, 0x2'0001'0000, 0x3'0000'0000, 0, 0};
    arguments args = request(14);
    args.CopyPageTableEntries = {2, ranges};
    expect_words(commands_of(target, args), {1, 23, 0, 0x28, 1, 0x1'0FA0, 2,         // 3 entries
                                             1, 4095, 0, 0x1'0000, 2, 0, 3, 0, 0});  // a table
}

TEST_CASE("OP16-01 OP16-02 OP16-03: a gfx10 signal is a FENCE of the low half and a TRAP") {
    gpu target = adapter;
    arguments args = request(16);
    args.SignalMonitoredFence = {0x12'3456'7894, 0x1'89AB'CDEF};
    expect_words(commands_of(target, args), {0x0003'0005, 0x3456'7894, 0x12, 0x89AB'CDEF, 0x0000'0006, 0, 0, 0});
}

TEST_CASE("OP10-03 OP13-01: gfx10 contexts are written by WRITE_LINEAR") {
    gpu target = adapter;
    int handle = 0;
    std::vector<u32> content(20);
    for (u32 i = 0; i != 20; ++i) {
        content[i] = 0xC0DE'0000 + i;
    }
    amd::context_image const images[] = {{&handle, content.data(), 20}};
    target.images = images;
    target.image_count = 1;
    arguments args = request(10);
    args.InitContextResource = {};
    args.InitContextResource.hAllocation = &handle;
    args.InitContextResource.Destination.GpuVirtualAddress = 0x5'0000'1000;
    words expected{2, 0x1000, 5, 15};
    expected.insert(expected.end(), content.begin(), content.begin() + 16);
    expected.insert(expected.end(), {2, 0x1040, 5, 3, 0xC0DE'0010, 0xC0DE'0011, 0xC0DE'0012, 0xC0DE'0013});
    expected.resize(40, 0);
    expect_words(commands_of(target, args), expected);
    args.InitContextResource.hAllocation = &content;
    expect_words(commands_of(target, args), {});

    amd::context_word changes[] = {{0x10, 0xAAAA}, {0x34, 0xBBBB}};
    args = request(13);
    args.UpdateContextAllocation = {0x7'0000'0000, 0x1000, changes, sizeof changes};
    expect_words(commands_of(target, args), {2, 0x10, 7, 0, 0xAAAA, 2, 0x34, 7, 0, 0xBBBB, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("OP15-04 OP21-01: gfx10 residency is one PTEPDE packet of page records") {
    gpu target = adapter;
    int handle = 0;
    amd::page_list const lists[] = {{&handle, 0x6'0000'0000, 10}};
    target.lists = lists;
    target.list_count = 1;
    arguments args = request(15);
    args.NotifyResidency = {};
    args.NotifyResidency.hAllocation = &handle;
    args.NotifyResidency.PhysicalAddress.SegmentId = memory;
    args.NotifyResidency.PhysicalAddress.SegmentOffset = 0x3000;
    args.NotifyResidency.Resident = 1;
    expect_words(commands_of(target, args), {0xC, 0, 6, 1, 0, 0x3000, 0x80, 0x1000, 0, 9, 0, 0, 0, 0, 0, 0});
    args.NotifyResidency.Resident = 0;
    expect_words(commands_of(target, args), {0xC, 0, 6, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0});

    args = request(21);
    args.NotifyResidency2 = {};
    args.NotifyResidency2.hAllocation = &handle;
    args.NotifyResidency2.AllocationOffsetInPages = 7;
    args.NotifyResidency2.SizeInPages = 2;
    args.NotifyResidency2.SegmentId = memory;
    args.NotifyResidency2.PhysicalAddress.SegmentOffset = 0x3000;
    args.NotifyResidency2.Resident = 1;
    expect_words(commands_of(target, args), {0xC, 0x38, 6, 1, 0, 0x3000, 0x80, 0x1000, 0, 1, 0, 0, 0, 0, 0, 0});
    args.NotifyResidency2.AllocationOffsetInPages = 10;  // behind the list's end: nothing
    expect_words(commands_of(target, args), words(16, 0));
}

TEST_CASE("OP18-01: gfx10 fence places are one WRITE_LINEAR into the fence's record") {
    gpu target = adapter;
    int handle = 0;
    amd::fence_record const records[] = {{&handle, 0x6'0000'1000}};
    target.records = records;
    target.record_count = 1;
    arguments args = request(18);
    meta::bare<decltype(*args.NotifyFenceResidency.FenceResidencyInfo)> info{};
    info.hGlobalNativeFence = &handle;
    info.CurrentValuePhysicalAddress.SegmentId = memory;
    info.CurrentValuePhysicalAddress.SegmentOffset = 0x40;
    info.MonitoredValuePhysicalAddress.SegmentId = 0;
    info.MonitoredValuePhysicalAddress.SegmentOffset = 0x5'5008;
    info.CurrentValueKernelCpuVa = &handle;
    info.MonitoredValueKernelCpuVa = &handle;
    args.NotifyFenceResidency = {};
    args.NotifyFenceResidency.NumFences = 1;
    args.NotifyFenceResidency.FenceResidencyInfo = &info;
    expect_words(commands_of(target, args), {2, 0x1000, 6, 3, 0x40, 0x80, 0x5'5008, 0x10});
}

TEST_CASE("OP19-01 OP19-02 OP19-03: a gfx10 flat table gets a run, then a flush") {
    gpu target = adapter;
    // Another hub's registers and place, not those that operation 12 uses.
    target.flat = {7, 0x8'0000'0000, {0x2234, 0x2256, 0x00F8'0010, 0x10, 0x90'0000'0080}};
    arguments args = request(19);
    args.MmapMmu = {};
    args.MmapMmu.VirtualAddress = 0x5000;
    args.MmapMmu.MmuId = 7;
    args.MmapMmu.Adl.Flags.Value = 0;
    args.MmapMmu.Adl.Flags.Contiguous = 1;
    args.MmapMmu.Adl.PageCount = 3;
    args.MmapMmu.Adl.BasePageNumber = 0x12'3456;
    words const mapped = commands_of(target, args);
    CHECK(mapped.size() == 40);  // 10 + 29, filled up
    expect_words({mapped.begin(), mapped.begin() + 10}, {0xC, 0x28, 8, 0x77, 0, 0x2345'6000, 1, 0x1000, 0, 2});
    args = request(20);
    args.UnmapMmu = {};
    args.UnmapMmu.VirtualAddress = 0x5000;
    args.UnmapMmu.MmuId = 7;
    args.UnmapMmu.NumberOfPages = 3;
    words const unmapped = commands_of(target, args);
    expect_words({unmapped.begin(), unmapped.begin() + 10}, {0xC, 0x28, 8, 0, 0, 0, 0, 0, 0, 2});
    words const flush{0x0003'0005, 0x80,        0x90,        1,           0xB000'0008, 0x80,        0x90,   1,
                      0xFFFF'FFFF, 0x0FFF'0000, 0xF000'000E, 0x2234,      0x00F8'0010, 0x3000'0008, 0x8958, 0,
                      0x10,        0x10,        0x0FFF'0000, 0x0003'0005, 0x80,        0x90,        0,      0xB000'0008,
                      0x80,        0x90,        0,           0xFFFF'FFFF, 0x0FFF'0000};
    expect_words({mapped.begin() + 10, mapped.begin() + 39}, flush);
    expect_words({unmapped.begin() + 10, unmapped.begin() + 39}, flush);
}

TEST_CASE("OP19-03: pages of a gfx10 map count from the segment's start, and an aperture's are not mapped") {
    gpu target = adapter;
    target.flat = {7, 0x8'0000'0000};
    arguments args = request(19);
    args.MmapMmu = {};
    args.MmapMmu.MmuId = 7;
    args.MmapMmu.SegmentId = memory;
    args.MmapMmu.Adl.Flags.Value = 0;
    args.MmapMmu.Adl.Flags.Contiguous = 1;
    args.MmapMmu.Adl.PageCount = 3;
    args.MmapMmu.Adl.BasePageNumber = 5;
    // VALID b0, EXECUTABLE b4, READABLE b5, WRITEABLE b6; neither SYSTEM nor SNOOPED.
    words local = commands_of(target, args);
    local.resize(10);
    expect_words(local, {0xC, 0, 8, 0x71, 0, 0x5000, 2, 0x1000, 0, 2});
    args.MmapMmu.SegmentId = aperture;
    words gone = commands_of(target, args);
    gone.resize(10);
    expect_words(gone, {0xC, 0, 8, 0, 0, 0, 0, 0, 0, 2});
}

TEST_CASE("OP17-02 PGB-20: a flush stands behind an entry of the gfx10 aperture") {
    gpu target = adapter;
    target.at.gart_table_address = 0x5'0000'0000;
    arguments args = request(17);
    args.MapApertureSegment2 = {};
    args.MapApertureSegment2.SegmentId = aperture;
    args.MapApertureSegment2.OffsetInPages = 3;
    args.MapApertureSegment2.NumberOfPages = 1;
    args.MapApertureSegment2.Flags.Value = 0;
    args.MapApertureSegment2.Flags.CacheCoherent = 1;
    args.MapApertureSegment2.Adl.Flags.Value = 0;
    args.MapApertureSegment2.Adl.Flags.Contiguous = 1;
    args.MapApertureSegment2.Adl.PageCount = 1;
    args.MapApertureSegment2.Adl.BasePageNumber = 0x12'3456;
    words const mapped = commands_of(target, args);
    CHECK(mapped.size() == 40);  // 6 + 29, filled up
    expect_words({mapped.begin(), mapped.begin() + 6}, {2, 0x18, 5, 1, 0x2345'6077, 1});
    words const flush = commands_of(target, request(12));
    expect_words({mapped.begin() + 6, mapped.begin() + 35}, {flush.begin(), flush.begin() + 29});
}

TEST_CASE("NTF-10: gfx10 empties its caches with one GCR_REQ, and has nothing to do for an eviction") {
    gpu target = adapter;
    int handle = 0;
    arguments args = request(22);
    args.NotifyAllocation = {};
    args.NotifyAllocation.Flags.Value = 0;
    args.NotifyAllocation.Flags.IoMmuUnmap = 1;
    args.NotifyAllocation.hKmdProcessHandle = &handle;
    args.NotifyAllocation.SizeInBytes = u64{1} << 36;
    args.NotifyAllocation.GpuVirtualAddressAtOffset = 0x1'0000'0000;
    expect_words(commands_of(target, args), {0x11, 0, 0xC3A1'0000, 0, 0, 0, 0, 0});
    static_assert(!hw::eviction_notifier<gpu> && hw::iommu_unmap_by_command<gpu>);
}

}  // namespace amd_promises_test
