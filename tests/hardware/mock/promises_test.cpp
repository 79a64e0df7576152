// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../../base/expect_both.hpp"
#include "../promise_buffer.hpp"
#include "mock_gpu.hpp"

/// The mock's page tables and late commands, written out dword by dword from the tables at the heads of
/// mock_page_tables.hpp and mock_notices.hpp. Every stream is a multiple of three dwords, filled up with 0xFADE000n.
namespace mock_promises_test {

namespace {

using namespace promise_tests;
using namespace wddmcore::testing;

constexpr capabilities all_claims =
    mock::every_promise(wddm::v3_2, update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical,
                        paging_addresses::both);
constexpr capabilities virtual_claims = mock::every_promise(wddm::v3_2, update_modes::gpu_virtual);
constexpr capabilities stored_claims = mock::every_promise(wddm::v2_0, update_modes::cpu_virtual);
using gpu = mock_gpu<all_claims>;

constexpr u32 memory = 5;
constexpr u64 table = 0x7'0001'0000;
constexpr u32 low_of_nothing = 0x5A5A'5A5A;

constexpr gpu started() {
    gpu hw{};
    hw.segments.of[memory - 1] = {{{0x100'0000'0000}, {u64{64} << 30}}, false};
    return hw;
}

constexpr page_table_entry leaf(u32 level, u64 flags, u64 page, u64 protection = 0) {
    return gpu::encode_leaf((flags & large) != 0 ? leaf_kind::large_page : leaf_kind::gpu_page, level, {{flags}, page},
                            protection);
}

/// A command with its sum behind it.
words command(words dwords) {
    u32 sum = 0;
    for (u32 const one : dwords) {
        sum ^= one;
    }
    dwords.push_back(sum);
    return dwords;
}

/// A stream filled up to a multiple of three.
words padded(words dwords) {
    for (u32 left = static_cast<u32>((3 - dwords.size() % 3) % 3); left != 0; --left) {
        dwords.push_back(0xFADE'0000 | left);
    }
    return dwords;
}

words operator+(words first, words const& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// A write of entries: the sum is that of the five dwords before them.
words write(u64 place_high, u32 place_low, u32 place_what, words const& entries) {
    u32 const count = static_cast<u32>(entries.size());
    words const head{0xB708'0000u | (7 + count), static_cast<u32>(place_high), place_low, place_what, count};
    u32 const sum = head[0] ^ head[1] ^ head[2] ^ head[3] ^ head[4];
    return head + entries + words{0xE17D'0000u | count, sum};
}

u32 low_half(void const* handle) { return low_dword(mock::handle_value(handle)); }
u32 high_half(void const* handle) { return high_dword(mock::handle_value(handle)); }

struct rig {
    gpu hw = started();
    paging_buffer buffer;
    [[nodiscard]] words commands_of(arguments const& args) { return buffer.commands_of(hw, args); }
};

}  // namespace

TEST_CASE("law 5: the mock keeps the promises of page tables at every interface version from 2.0 on") {
    expect_both(accepted_versions<mock_gpu, all_claims>() == 15);
    expect_both(accepted_versions<mock_gpu, virtual_claims>() == 15);
    expect_both(accepted_versions<mock_gpu, stored_claims>() == 15);
    expect_both(check_page_tables<gpu::page_tables>());
    expect_both(gpuva::check_gpu_mmu_caps<gpu::page_tables, gpu::mmu_caps, wddm::v3_2>());
    expect_both(reachable_operations(all_claims) == 21);  // all of the 23 but 3 and 4, which ended with WDDM 2.0
    expect_both(gpuva::address_bits(gpu::page_tables) == 43);
    expect_both(gpuva::hardware_entry_count(gpu::page_tables, 0) == 128);
    // The longest group is a context piece of 15 dwords, a multiple of three; two pages in one copy take 11.
    expect_both(smallest_paging_buffer<gpu> == to_bytes(dwords{15}));
}

TEST_CASE("GVA-18 GVA-19 GVA-20 GVA-21: the mock's leaf entries hold what the request says, bit by bit") {
    constexpr u64 here = in_segment(memory);
    expect_both(leaf(0, valid | here, 0x12'3454) == page_table_entry{0xC000'0000'0012'3454, 0x8000'0000'0000'0005});
    expect_both(leaf(0, valid | coherent | read_only | no_execute, 0xFFF'FFFF'FFFC) ==
                page_table_entry{0xC000'0FFF'FFFF'FFFC, 0x8000'0000'0000'0700});
    expect_both(leaf(2, valid | large | here | u64{2} << 11, 0x33) ==
                page_table_entry{0xC200'0000'0000'0033, 0x8000'0000'0002'0805});
    expect_both(leaf(0, valid | here, 4, 0xF'ABCD) == page_table_entry{0xC000'0000'0000'0004, 0x8000'ABCD'0000'0005});
    expect_both(leaf(0, valid | zero | here, 4) == page_table_entry{0xC000'0000'0000'0000, 0x8000'0000'0000'1000});
    expect_both(leaf(0, here, 4) == page_table_entry{0x5A5A'5A5A'5A5A'5A5A, 0x5A5A'5A5A'5A5A'5A5A});
    expect_both(gpu::encode_directory(3, {{valid | here}, 0x99}, {}) ==
                page_table_entry{0xD300'0000'0000'0099, 0x8000'0000'0000'0005});
    expect_both(gpu::encode_directory(3, {}, {}) == page_table_entry{0x5A5A'5A5A'5A5A'5A5A, 0x5A5A'5A5A'5A5A'5A5A});
}

TEST_CASE("OP11-01 OP11-05: the mock's entries are those of the requests that begin a 16-KiB page") {
    rig at;
    // From DDI entry 6 on: pages begin at 8 and 12, hardware entries 2 and 3; elements 2 and 6 of the request.
    std::vector<pte> pages = run_of(valid | in_segment(memory), 0x102, 8);
    expect_words(
        at.commands_of(update_at(table, 0, 6, pages)),
        padded(write(7, 0x0001'0020, 0x33, {0x104, 0xC000'0000, 5, 0x8000'0000, 0x108, 0xC000'0000, 5, 0x8000'0000})));
}

TEST_CASE("OP11-03 OP11-12: seven of the mock's entries fit into a write, by a place in a segment too") {
    rig at;
    std::vector<pte> tables = run_of(valid | in_segment(memory), 0x40, 9);
    words first;
    words second;
    for (u32 i = 0; i != 9; ++i) {
        (i < 7 ? first : second) = (i < 7 ? first : second) + words{0x40 + i, 0xD100'0000, 5, 0x8000'0000};
    }
    expect_words(at.commands_of(update_in(memory, 0x3000, 1, 1, tables)),
                 padded(write(0, 0x3010, 0x511, first) + write(0, 0x3080, 0x511, second)));
}

TEST_CASE("OP11-02 GVA-23: a table of the mock begins with entries that are not valid, which is not zero") {
    rig at;
    std::vector<pte> nothing{page_of(0, 0)};
    arguments update = update_in(memory, 0x3000, 0, 0, nothing);
    update.UpdatePageTable.NumPageTableEntries = 512;
    update.UpdatePageTable.Flags.Repeat = 1;
    update.UpdatePageTable.Flags.InitialUpdate = 1;
    // 128 entries are 2048 bytes of 0x5A: one fill.
    expect_words(at.commands_of(update), padded(command({0xB702'0007, 0, 0x3000, 0x511, 2048, 0x5A})));
}

TEST_CASE("OP11-04 OP11-11: the mock's entries stored by the CPU are the same") {
    gpu hw = started();
    u64 words_of_table[8] = {};
    std::vector<pte> pages = run_of(valid | in_segment(memory), 0x104, 4);
    expect_done_at_once(hw, update_stored(words_of_table, 0, 4, pages));
    CHECK(words_of_table[1] == 0);
    CHECK(words_of_table[2] == 0xC000'0000'0000'0104);
    CHECK(words_of_table[3] == 0x8000'0000'0000'0005);
    CHECK(words_of_table[4] == 0);
    std::vector<pte> nothing = run_of(0, 0, 4);
    expect_done_at_once(hw, update_stored(words_of_table, 0, 4, nothing));
    CHECK(words_of_table[2] == (u64{low_of_nothing} << 32 | low_of_nothing));
    CHECK(words_of_table[3] == (u64{low_of_nothing} << 32 | low_of_nothing));
}

TEST_CASE("OP12-01 OP12-03 OP12-04: the mock drops one address space, or whole granules of 32 KiB of it") {
    rig at;
    expect_words(at.commands_of(flush_of(memory, 0x1'0000'3000, 0, 0)),
                 padded(command({0xB70A'0005, 1, 0x3000, memory})));
    words const range = at.commands_of(flush_of(memory, 0x3000, 0x2'0000'9000, 0x2'0000'A000));
    expect_words(range, padded(command({0xB70A'0109, 0, 0x3000, memory, 2, 0x8000, 2, 0xFFFF})));
}

TEST_CASE("OP14-01 OP14-05: the mock copies at most five entries a command") {
    rig at;
    std::vector<mirror::v3_2::dxgk_buildpagingbuffer_copy_range> ranges(1);
    ranges[0] = {7, 0x7'0001'0000, 0x7'0002'0000, 4, 8};
    expect_words(at.commands_of(copies_of(ranges)),
                 padded(command({0xB709'0009, 7, 0x2'0080, 0x33, 7, 0x1'0040, 0x33, 80}) +
                        command({0xB709'0009, 7, 0x2'00D0, 0x33, 7, 0x1'0090, 0x33, 32})));
}

TEST_CASE("OP16-01 OP16-02: a fence of the mock stores 64 bits") {
    rig at;
    expect_words(at.commands_of(signal_of(0xB'1234'5678, 0x1122'3344'5566'7788)),
                 padded(command({0xB70B'0007, 0xB, 0x1234'5678, 0x33, 0x1122'3344, 0x5566'7788})));
}

TEST_CASE("OP10-01 OP10-03 OP13-01: the mock's context images go in pieces of 32 bytes, updates in dwords") {
    rig at;
    u32 context = 0;
    u32 const name = low_half(&context);
    at.hw.contexts.set(&context, bytes{40});
    words data;
    for (u32 i = 0; i != 10; ++i) {
        data.push_back((name + i) * 0x9E37'79B1u);
    }
    words const first(data.begin(), data.begin() + 8);
    expect_words(at.commands_of(context_of(&context, 0xC'0000'0100)),
                 padded(command(words{0xB70C'000F, 0xC, 0x100, 0x33, 32} + first + words{0}) +
                        command(words{0xB70C'000F, 0xC, 0x120, 0x33, 8, data[8], data[9], 0, 0, 0, 0, 0, 0, 32})));

    words stored(12, untouched);
    arguments at_once = context_of(&context, 0);
    at_once.InitContextResource.Destination.VirtualAddress = stored.data() + 1;
    expect_done_at_once(at.hw, at_once);
    expect_words(stored, words{untouched} + data + words{untouched});

    std::vector<mock::context_writes::item> items{{0x18, 0xAAAA}, {0x4, 0xBBBB}};
    expect_words(
        at.commands_of(context_update_of(0xC'0000'0000, 0x1000, items)),
        padded(command({0xB70D'0006, 0xC, 0x18, 0x33, 0xAAAA}) + command({0xB70D'0006, 0xC, 0x4, 0x33, 0xBBBB})));
}

TEST_CASE("OP15-02 OP21-01: the mock hears of residency by command where there is a buffer, else at once") {
    rig at;
    u32 thing = 0;
    u32 const high = high_half(&thing);
    u32 const low = low_half(&thing);
    expect_words(at.commands_of(residency_of(&thing, true, memory, 0x1'0000'3000)),
                 padded(command({0xB70E'0107, high, low, memory, 1, 0x3000})));
    expect_words(at.commands_of(residency_of(&thing, false, 0, 0)), padded(command({0xB70E'0007, high, low, 0, 0, 0})));
    expect_words(at.commands_of(residency_of_pages(&thing, true, 3, 6, memory, 0x3000)),
                 padded(command({0xB70F'010A, high, low, 3, 6, memory, 0, 0x3000, 0})));
    CHECK(at.hw.notices.count == 0);
    expect_done_at_once(at.hw, residency_of(&thing, true, memory, 0x3000));
    expect_done_at_once(at.hw, residency_of_pages(&thing, false, 3, 6, 0, 0));
    CHECK(at.hw.notices.count == 2);
    CHECK(at.hw.notices.list[0].code == 0x0E);
    CHECK(at.hw.notices.list[0].argument == 1);
    CHECK(at.hw.notices.list[0].values[0] == mock::handle_value(&thing));
    CHECK(at.hw.notices.list[0].values[2] == 0x3000);
    CHECK(at.hw.notices.list[1].code == 0x0F);
    CHECK(at.hw.notices.list[1].argument == 0);
    CHECK(at.hw.notices.list[1].values[1] == 3);
    CHECK(at.hw.notices.list[1].values[2] == 6);
}

TEST_CASE("OP19-01 OP19-02: the mock's other MMUs are mapped five pages a command, and at once") {
    rig at;
    usize pages[] = {0x40, 0x41, 0x42, 0x43, 0x44, 0x45};
    arguments args = request(19);
    args.MmapMmu = {};
    args.MmapMmu.VirtualAddress = 0x2000;
    args.MmapMmu.MmuId = 5;
    args.MmapMmu.Adl.PageCount = 6;
    args.MmapMmu.Adl.Pages = pages;
    expect_words(at.commands_of(args), padded(command({0xB711'0509, 0, 0x2000, 5, 0, 0x40, 0, 0}) +
                                              command({0xB711'0509, 0, 0x7000, 1, 0, 0x45, 0, 0})));
    u64 tables[2][8] = {};
    at.hw.mmu_tables = {{tables[0], tables[1]}, 8};
    expect_done_at_once(at.hw, args);
    CHECK(tables[1][1] == 0);
    CHECK(tables[1][2] == 0x8000'0000'0000'0040);
    CHECK(tables[1][7] == 0x8000'0000'0000'0045);
    CHECK(tables[0][2] == 0);
    arguments unmap = request(20);
    unmap.UnmapMmu = {};
    unmap.UnmapMmu.VirtualAddress = 0x2000;
    unmap.UnmapMmu.MmuId = 5;
    unmap.UnmapMmu.NumberOfPages = 1;
    expect_words(at.commands_of(unmap), padded(command({0xB712'0509, 0, 0x2000, 1, 0, 0, 0, 0})));
    expect_done_at_once(at.hw, unmap);
    CHECK(tables[1][2] == 0);
    CHECK(tables[1][3] == 0x8000'0000'0000'0041);
}

TEST_CASE("NTF-03 NTF-13 NTF-16: the mock handles whole blocks of 12 KiB, at most three a command, or has no work") {
    rig at;
    u32 thing = 0;
    u32 const high = high_half(&thing);
    u32 const low = low_half(&thing);
    // From 24 KiB, a block's start, on: 36 KiB, then the 8 KiB that are left.
    arguments const eviction = leaving_of(1, &thing, nullptr, 0x6000, 0x7'0000'6000, 0xB000);
    expect_words(at.commands_of(eviction),
                 padded(command({0xB713'000B, 0, 0, 7, 0x6000, 0x9000, 0, 0x6000, high, low}) +
                        command({0xB713'000B, 0, 0, 7, 0xF000, 0x2000, 0, 0xF000, high, low})));
    arguments const unmap = leaving_of(2, &thing, &at, 0, 0x7'0000'0000, 0x5000);
    expect_words(at.commands_of(unmap),
                 padded(command({0xB714'0007, high_half(&at), low_half(&at), 7, 0, 0x4000}) +
                        command({0xB714'0007, high_half(&at), low_half(&at), 7, 0x4000, 0x1000})));
    expect_done_at_once(at.hw, unmap);
    CHECK(at.hw.notices.count == 1);
    CHECK(at.hw.notices.list[0].code == 0x14);
    at.hw.plain.set(&thing, true);
    CHECK(at.commands_of(eviction).empty());
}

TEST_CASE("OP18-02: the mock hears where the values of native fences are") {
    rig at;
    mirror::v3_2::dxgk_fence_residency_info told{};
    told.hGlobalNativeFence = &at;
    told.CurrentValuePhysicalAddress.SegmentId = memory;
    told.CurrentValuePhysicalAddress.SegmentOffset = 0x5008;
    told.MonitoredValuePhysicalAddress.SegmentId = memory;
    told.MonitoredValuePhysicalAddress.SegmentOffset = 0x6010;
    arguments args = request(18);
    args.NotifyFenceResidency = {};
    args.NotifyFenceResidency.NumFences = 1;
    args.NotifyFenceResidency.FenceResidencyInfo = &told;
    expect_words(at.commands_of(args), padded(command({0xB710'000B, high_half(&at), low_half(&at), memory, 0, 0x5008,
                                                       memory, 0, 0x6010, 0})));
    expect_done_at_once(at.hw, args);
    CHECK(at.hw.notices.count == 1);
    CHECK(at.hw.notices.list[0].values[4] == 0x6010);
}

}  // namespace mock_promises_test
