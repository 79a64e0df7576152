// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../../base/expect_both.hpp"
#include "../promise_buffer.hpp"

#include <hardware/cpu_virtual.hpp>

/// The records of page tables, written out dword by dword from the tables at the heads of cpu.hpp and cpu_virtual.hpp.
namespace cpu_promises_test {

namespace {

using namespace promise_tests;
namespace cpu = wddmcore::examples::cpu;

constexpr capabilities all_claims = cpu::every_promise(wddm::v3_2, cpu::every_mode, paging_addresses::both);
constexpr capabilities virtual_claims = cpu::every_promise(wddm::v3_2, update_modes::gpu_virtual);
constexpr capabilities stored_claims = cpu::every_promise(wddm::v2_0, update_modes::cpu_virtual);
using gpu = cpu::virtual_processor<all_claims>;

constexpr u32 aperture = 1;
constexpr u32 memory = 2;
constexpr u64 memory_base = 0x80'0000'0000;
constexpr u64 system_base = 0x10'0000'0000;
constexpr u64 table = 0x7'0001'0000;

constexpr gpu started() {
    gpu hw{};
    hw.segments[aperture - 1] = {{{0x7F'0000'0000}, {u64{1} << 28}}, true};
    hw.segments[memory - 1] = {{{memory_base}, {u64{4} << 30}}, false};
    hw.system_base = system_base;
    return hw;
}
constexpr gpu adapter = started();

constexpr u64 leaf(u64 flags, u64 page) { return leaf_of(adapter, leaf_kind::gpu_page, 0, flags, page); }

words commands_in(gpu& hw, arguments const& args) {
    paging_buffer buffer;
    return buffer.commands_of(hw, args);
}

u32 low_half(void const* handle) { return low_dword(reinterpret_cast<usize>(handle)); }
u32 high_half(void const* handle) { return high_dword(reinterpret_cast<usize>(handle)); }

}  // namespace

TEST_CASE("law 5: the processor keeps the promises of page tables at every interface version from 2.0 on") {
    expect_both(accepted_versions<cpu::virtual_processor, all_claims>() == 15);
    expect_both(accepted_versions<cpu::virtual_processor, virtual_claims>() == 15);
    expect_both(accepted_versions<cpu::virtual_processor, stored_claims>() == 15);
    expect_both(check_page_tables<gpu::page_tables>());
    expect_both(gpuva::check_gpu_mmu_caps<gpu::page_tables, gpu::mmu_caps, wddm::v3_2>());
    expect_both(reachable_operations(all_claims) == 21);  // all of the 23 but 3 and 4, which ended with WDDM 2.0
    expect_both(smallest_paging_buffer<gpu> == to_bytes(dwords{10}));
}

TEST_CASE("GVA-18 GVA-19 GVA-20: the processor's entries hold its own addresses and the request's rights") {
    // Valid b0, read only b1, no execute b2, coherent b3, zero b4, page b5.
    expect_both(leaf(valid | in_segment(memory), 0x12345) == 0x80'1234'5021);
    expect_both(leaf(valid | coherent | read_only | no_execute, 0x12345) == 0x10'1234'502F);
    expect_both(leaf(valid | zero | in_segment(memory), 0x12345) == 0x31);
    // An aperture is no memory, nor is a segment that there is not: neither for pages nor for tables.
    expect_both(leaf(valid | in_segment(aperture), 0x12345) == 0);
    expect_both(leaf(valid | in_segment(9), 0x12345) == 0);
    expect_both(adapter.encode_directory(1, {{valid | in_segment(aperture)}, 5}, {}) == page_table_entry{0, 0});
    expect_both(adapter.encode_directory(1, {{valid | in_segment(9)}, 5}, {}) == page_table_entry{0, 0});
    expect_both(leaf(in_segment(memory), 0x12345) == 0);
    constexpr pte_target in_memory{{valid | in_segment(memory)}, 0x12345};
    expect_both(adapter.encode_directory(2, in_memory, {}) == page_table_entry{0x80'1234'5001, 0});
    expect_both(adapter.encode_directory(2, {{valid}, 0x12345}, {}) == page_table_entry{0x10'1234'5001, 0});
    expect_both(adapter.encode_directory(2, {}, {}) == page_table_entry{0, 0});
}

TEST_CASE("OP11-01 OP11-03: the processor's entries are carried one by one, or made as a run") {
    gpu hw = started();
    std::vector<pte> two{page_of(valid | in_segment(memory), 0x12345), page_of(valid, 0x12345)};
    expect_words(commands_in(hw, update_at(table, 0, 3, two)),
                 {0x0806, 4, 0x0001'0018, 7, 0x1234'5021, 0x80, 0x1234'5021, 0x10});
    std::vector<pte> run = run_of(valid | in_segment(memory), 0x12345, 100);
    expect_words(commands_in(hw, update_in(memory, 0x3000, 0, 3, run)),
                 {0x0807, 100, 0x3018, 0x80, 0x1234'5021, 0x80, 0x1000, 0});
}

TEST_CASE("GVA-16: a large page of the processor stands at level 1, by the CPU too") {
    gpu hw = started();
    std::vector<pte> one{page_of(valid | large | in_segment(memory), 0x12200)};
    expect_words(commands_in(hw, update_at(table, 1, 0, one)), {0x0606, 2, 0x0001'0000, 7, 0x1220'0021, 0x80});
    u64 stored[3] = {};
    expect_done_at_once(hw, update_stored(stored, 1, 1, one));
    CHECK(stored[0] == 0);
    CHECK(stored[1] == 0x80'1220'0021);
    CHECK(stored[2] == 0);
}

TEST_CASE("OP11-02 GVA-23: a table of the processor that begins empty is one record") {
    gpu hw = started();
    std::vector<pte> nothing{page_of(0, 0)};
    arguments update = update_at(table, 0, 0, nothing);
    update.UpdatePageTable.NumPageTableEntries = 512;
    update.UpdatePageTable.Flags.Repeat = 1;
    expect_words(commands_in(hw, update), {0x0807, 512, 0x0001'0000, 7, 0, 0, 0, 0});
}

TEST_CASE("OP12-01 OP12-03 OP12-04: the processor drops translations by root and range") {
    gpu hw = started();
    expect_words(commands_in(hw, flush_of(memory, 0x1'3000, 0, 0)), {0x0808, memory, 0x1'3000, 0, 0, 0, 0, 0});
    expect_words(commands_in(hw, flush_of(memory, 0x1'3000, 0x2'0000'9000, 0x2'0000'A000)),
                 {0x0808, memory, 0x1'3000, 0, 0x9000, 2, 0xAFFF, 2});
}

TEST_CASE("OP14-01 OP14-02 OP16-01: the processor copies entries, and stores fences and interrupts") {
    gpu hw = started();
    std::vector<mirror::v3_2::dxgk_buildpagingbuffer_copy_range> ranges(1);
    ranges[0] = {3, 0x7'0001'0000, 0x7'0002'0000, 4, 8};
    expect_words(commands_in(hw, copies_of(ranges)), {0x0801, 0, 0x2'0040, 7, 0x1'0020, 7, 24, 0});
    expect_words(commands_in(hw, signal_of(0xB'1234'5678, 0x1122'3344'5566'7788)),
                 {0x0609, 1, 0x1234'5678, 0xB, 0x5566'7788, 0x1122'3344});
}

TEST_CASE("OP10-03 OP13-01: the processor's contexts begin as zeroes and are stored to, 64 bits each") {
    gpu hw = started();
    hw.context_image = bytes{0x1008};
    u32 marker = 0;
    expect_words(commands_in(hw, context_of(&marker, 0xC'0000'0000)),
                 {0x0802, 0, 0, 0xC, 0x1000, 0, 0, 0, 0x0802, 0, 0x1000, 0xC, 8, 0, 0, 0});
    std::vector<cpu::context_item> items{{0x18, 0x1122'3344'5566'7788}};
    expect_words(commands_in(hw, context_update_of(0xC'0000'0000, 0x1000, items)),
                 {0x0609, 0, 0x18, 0xC, 0x5566'7788, 0x1122'3344});
}

TEST_CASE("OP15-02 OP18-02 OP21-01 NTF-12: the processor is told in the order of the stream") {
    gpu hw = started();
    u32 thing = 0;
    u32 const low = low_half(&thing);
    u32 const high = high_half(&thing);
    expect_words(commands_in(hw, residency_of(&thing, true, memory, 0x3000)),
                 {0x080A, 0x201, low, high, 0x3000, 0, 0, 0});
    expect_words(commands_in(hw, residency_of(&thing, false, 0, 0)), {0x080A, 0, low, high, 0, 0, 0, 0});
    expect_words(commands_in(hw, residency_of_pages(&thing, true, 3, 6, memory, 0x3000)),
                 {0x0A0B, 0x201, low, high, 3, 6, 0x3000, 0, 0, 0});
    expect_words(commands_in(hw, leaving_of(2, &thing, &hw, 0, 0x7'0000'0000, 0x5000)),
                 {0x080D, 0, 0, 7, 0x5000, 0, low_half(&hw), high_half(&hw)});
    mirror::v3_2::dxgk_fence_residency_info told{};
    told.hGlobalNativeFence = &thing;
    told.CurrentValuePhysicalAddress.SegmentId = memory;
    told.CurrentValuePhysicalAddress.SegmentOffset = 0x5008;
    told.MonitoredValuePhysicalAddress.SegmentOffset = 0x6010;
    arguments args = request(18);
    args.NotifyFenceResidency = {};
    args.NotifyFenceResidency.NumFences = 1;
    args.NotifyFenceResidency.FenceResidencyInfo = &told;
    expect_words(commands_in(hw, args), {0x080C, memory, low, high, 0x5008, 0, 0x6010, 0});
}

TEST_CASE("OP19-01 OP19-02: the processor's other MMU is mapped at once, within its table") {
    gpu hw = started();
    u64 entries[5] = {1, 2, 3, 4, 5};
    hw.mmu_entries = entries;
    hw.mmu_pages = 4;
    usize pages[] = {0x40, 0x51, 0x52};
    arguments args = request(19);
    args.MmapMmu = {};
    args.MmapMmu.VirtualAddress = 0x2000;
    args.MmapMmu.Adl.PageCount = 3;
    args.MmapMmu.Adl.Pages = pages;
    expect_done_at_once(hw, args);
    CHECK(entries[1] == 2);
    CHECK(entries[2] == system_base + 0x4'0001);
    CHECK(entries[3] == system_base + 0x5'1001);
    CHECK(entries[4] == 5);  // behind the table
    arguments unmap = request(20);
    unmap.UnmapMmu = {};
    unmap.UnmapMmu.VirtualAddress = 0x2000;
    unmap.UnmapMmu.NumberOfPages = 1;
    expect_done_at_once(hw, unmap);
    CHECK(entries[2] == 0);
    CHECK(entries[3] == system_base + 0x5'1001);
}

TEST_CASE("OP19-03: pages of the processor's map count from the segment's start, and an aperture's are not mapped") {
    gpu hw = started();
    u64 entries[4] = {1, 2, 3, 4};
    hw.mmu_entries = entries;
    hw.mmu_pages = 4;
    usize pages[] = {0x40, 0x51};
    arguments args = request(19);
    args.MmapMmu = {};
    args.MmapMmu.VirtualAddress = 0x1000;
    args.MmapMmu.SegmentId = memory;
    args.MmapMmu.Adl.PageCount = 2;
    args.MmapMmu.Adl.Pages = pages;
    expect_done_at_once(hw, args);
    CHECK(entries[1] == memory_base + 0x4'0001);
    CHECK(entries[2] == memory_base + 0x5'1001);
    args.MmapMmu.SegmentId = aperture;
    expect_done_at_once(hw, args);
    CHECK(entries[0] == 1);
    CHECK(entries[1] == 0);
    CHECK(entries[2] == 0);
    CHECK(entries[3] == 4);
}

}  // namespace cpu_promises_test
