// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "notices.hpp"

namespace op22_notify_eviction_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::testing::notices;

namespace {

// Blocks below a page, of a page, of several, of a number that is no power of two; limits that are no whole blocks.
using small_blocks = wddm2_gpu<grain_1, eviction_part<256, 256, 3 * 4096 + 100>>;
constexpr engine_shape in_page_tables = [] {
    engine_shape shape = grain_1;
    shape.caps.gpu_mmu = claim::yes;
    shape.caps.page_tables = update_modes::cpu_virtual;
    return shape;
}();
/// Page tables of 32 bits (page_table_part).
using small_space = wddm2_gpu<in_page_tables, eviction_part<256, 256, 3 * 4096 + 100>, page_table_part, flush_part>;
using page_blocks = wddm2_gpu<grain_2, eviction_part<4096, 4096, 10'000>>;
using large_blocks = wddm2_gpu<grain_3, eviction_part<0x1'0000, 0x1000, 0x3'FFFF>>;
using odd_blocks = wddm2_gpu<grain_5, eviction_part<3 * 4096, 64, 3 * 4096>>;

template <class Hw>
constexpr u64 step_of = Hw::eviction_block.n > 4096 ? Hw::eviction_block.n : 4096;

/// Byte ranges that a request's commands handle: in order, without gap and overlap, of whole steps but the last.
template <class Hw>
void expect_exact(pass_result const& done, latest_arguments const& args) {
    u64 offset = args.NotifyAllocation.OffsetInBytes;
    u64 place = args.NotifyAllocation.GpuVirtualAddressAtOffset;
    u64 left = args.NotifyAllocation.SizeInBytes;
    for (recorded_command const& one : done.commands) {
        REQUIRE(one.kind == record_kind::eviction);
        REQUIRE(one.values[0] == handle_bits(args.NotifyAllocation.hAllocation));
        REQUIRE(one.values[1] == 0);
        REQUIRE(one.values[2] == offset);
        REQUIRE(one.values[3] == place);
        REQUIRE(one.values[4] != 0);
        REQUIRE(one.values[4] <= left);
        REQUIRE(one.values[4] <= Hw::eviction_max.n);
        REQUIRE((one.values[4] % step_of<Hw> == 0 || one.values[4] == left));
        offset += one.values[4];
        place += one.values[4];
        left -= one.values[4];
    }
    REQUIRE(left == 0);
}

template <class Hw>
void expect_random_passes() {
    wddm2_request<Hw> test;
    u64 const seed = 0x22'0000 + Hw::eviction_block.n;
    random_numbers random(seed);
    for (u32 round = 0; round < 400 / emulated_factor; ++round) {
        CAPTURE(seed);
        CAPTURE(round);
        u64 const step = step_of<Hw>;
        u64 const size = 1 + random.below(40 * step);
        latest_arguments args =
            eviction(random.below(1000) * Hw::eviction_block.n, size, random.below(1'000'000) * step);
        pass_result const done = test.os.run(test.hw, args, [&] { return 1 + random.below(299); });
        REQUIRE(done.problem == "");
        REQUIRE(done.status == status::success);
        expect_exact<Hw>(done, args);
    }
}

}  // namespace

TEST_CASE("NTF-05: the address already has the offset in it: it is never added") {
    wddm2_request<large_blocks> test;
    latest_arguments const args = eviction(0x5'0000, 0x1'0000, 0x70'0000);
    pass_result const done = test.run(args);
    REQUIRE(done.commands.size() == 1);
    CHECK(done.commands[0].values[2] == 0x5'0000);
    CHECK(done.commands[0].values[3] == 0x70'0000);
}

TEST_CASE("NTF-06 NTF-14: every byte is in exactly one command, through any number of passes of any room") {
    SUBCASE("blocks below a page") { expect_random_passes<small_blocks>(); }
    SUBCASE("blocks of a page") { expect_random_passes<page_blocks>(); }
    SUBCASE("blocks of sixteen pages") { expect_random_passes<large_blocks>(); }
    SUBCASE("blocks of three pages") { expect_random_passes<odd_blocks>(); }
}

TEST_CASE("NTF-14: a limit that is no whole number of blocks is rounded down to one: no block is cut") {
    wddm2_request<page_blocks> pages;
    // 10,000 bytes hold two pages: twelve commands for 24 pages.
    pass_result const done = pages.run(eviction(0, 24 * 4096, 0));
    CHECK(done.commands.size() == 12);
    wddm2_request<large_blocks> blocks;
    // 0x3FFFF bytes hold three blocks of 0x10000.
    CHECK(blocks.run(eviction(0, 7 * 0x1'0000, 0)).commands.size() == 3);
    wddm2_request<small_blocks> small;
    CHECK(small.run(eviction(0, 7 * 4096, 0)).commands.size() == 3);
}

TEST_CASE("NTF-06: only the command that reaches the end is shorter, by what the allocation lacks of a block") {
    wddm2_request<large_blocks> test;
    pass_result const done = test.run(eviction(0x1'0000, 4 * 0x1'0000 + 0x3000, 0x9'0000));
    REQUIRE(done.commands.size() == 2);
    CHECK(done.commands[0].values[4] == 3 * 0x1'0000);
    CHECK(done.commands[1].values[4] == 0x1'3000);
}

TEST_CASE("NTF-13: a part that begins inside a block is refused: its first bytes were handled without the rest") {
    wddm2_request<large_blocks> large;
    for (u64 const offset : {u64{0x1000}, u64{0xF000}, u64{0x1'1000}, u64{0xFFFF'FFFF'FFF0'1000}}) {
        large.expect_fault(eviction(offset, 0x1000, 0x7'0000), paging_rule::cut_block, offset, 0x1'0000);
    }
    wddm2_request<odd_blocks> odd;
    odd.expect_fault(eviction(0x4000, 0x3000, 0), paging_rule::cut_block, 0x4000, 0x3000);
    CHECK(odd.run(eviction(0x6000, 0x3000, 0)).commands.size() == 1);
    wddm2_request<small_blocks> small;
    small.expect_fault(eviction(0x80, 0x1000, 0), paging_rule::cut_block, 0x80, 256);
}

TEST_CASE("NTF-13 fault: an address that the hardware cannot begin at") {
    wddm2_request<large_blocks> test;
    test.expect_fault(eviction(0, 0x1000, 0x7800), paging_rule::misaligned_for_engine, 0x7800, 0x1000);
    CHECK(test.run(eviction(0, 0x1000, 0x7000)).commands.size() == 1);
}

TEST_CASE("NTF-04 fault: an eviction notice is of the paging process: it names no other") {
    wddm2_request<page_blocks> test;
    latest_arguments args = eviction(0, 4096, 0);
    args.NotifyAllocation.hKmdProcessHandle = &some_process;
    test.expect_fault(args, paging_rule::foreign_notice, 0, 0);
}

TEST_CASE("NTF-06 fault: a part whose end wraps, in the allocation or in the address space") {
    wddm2_request<small_blocks> test;
    test.expect_fault(eviction(0, 0x2000, 0xFFFF'FFFF'FFFF'F000), paging_rule::address_wraps, 0xFFFF'FFFF'FFFF'F000,
                      0x2000);
    test.expect_fault(eviction(0xFFFF'FFFF'FFFF'F000, 0x2000, 0), paging_rule::notice_wraps, 0xFFFF'FFFF'FFFF'F000,
                      0x2000);
    // The very last page of both is no wrap.
    CHECK(test.run(eviction(0xFFFF'FFFF'FFFF'F000, 0x1000, 0xFFFF'FFFF'FFFF'F000)).commands.size() == 1);
}

TEST_CASE("CHK-15 NTF-04: an eviction ends with the last address of the page tables, and not a byte behind it") {
    wddm2_request<small_space> test;
    constexpr u64 space_end = u64{1} << 32;
    CHECK(!test.run(eviction(0, 0x2000, space_end - 0x2000)).commands.empty());
    for (u64 const place : {space_end - 0x1000, space_end, space_end + 0x5000}) {
        test.expect_fault(eviction(0, 0x2000, place), paging_rule::address_wraps, place, 0x2000);
    }
}

TEST_CASE("PGB-06: more blocks than a token counts are refused; the last number is not") {
    wddm2_request<page_blocks> test;
    u64 const most = (u64{1} << 32) * u64{4096};
    test.expect_fault(eviction(0, most + 1, 0), paging_rule::too_many_pages, (u64{1} << 32) + 1, u64{1} << 32);
    latest_arguments args = eviction(0, most, 0);
    args.MultipassOffset = 0xFFFF'FFFF;
    pass_result const done = test.os.pass(test.hw, args, 4096);
    CHECK(done.problem == "");
    CHECK(done.status == status::success);
    REQUIRE(done.commands.size() == 1);
    CHECK(done.commands[0].values[2] == most - 4096);
    CHECK(args.MultipassOffset == 0);  // what is done does not come back
    // Blocks count, not pages: sixteen times as much memory.
    wddm2_request<large_blocks> large;
    latest_arguments huge = eviction(0, 0xFFFF'FFFF * u64{0x1'0000}, 0);
    huge.MultipassOffset = 0xFFFF'FFFF;
    CHECK(large.os.pass(large.hw, huge, 4096).status == status::success);
}

TEST_CASE("NTF-12 PGB-11: blocks are decompressed by command: without a buffer they are not") {
    wddm2_request<page_blocks> test;
    test.expect_without_buffer(eviction(0, 4096, 0), status::invalid_parameter);
    latest_arguments done = eviction(0, 4096, 0);
    done.MultipassOffset = 1;
    test.expect_without_buffer(done, status::success);
    done.MultipassOffset = 2;
    test.expect_fault(done, paging_rule::token_past_end, 2, 1);
}

TEST_CASE("NTF-14 PGB-01 PGB-05: a notice in every room, from a byte on, resumed at every point") {
    wddm2_request<small_blocks> small;
    small.expect_every_room(eviction(0, 10 * 4096 + 5, 0), 13, 4);
    wddm2_request<page_blocks> pages;
    pages.expect_every_room(eviction(0, 7 * 4096, 0), 13, 4);
    wddm2_request<large_blocks> large;
    large.expect_every_room(eviction(0, 8 * 0x1'0000, 0), 13, 3);
    wddm2_request<odd_blocks> odd;
    odd.expect_every_room(eviction(0, 11 * 4096, 0), 13, 4);
    CHECK(smallest_paging_buffer<odd_blocks> == bytes{15 * 4});
}

TEST_CASE("NTF-14: a token between two commands goes on from that very block") {
    wddm2_request<large_blocks> test;
    for (u32 token = 0; token < 8; ++token) {
        latest_arguments args = eviction(0x2'0000, 8 * 0x1'0000, 0x70'0000);
        args.MultipassOffset = token;
        pass_result const done = test.os.pass(test.hw, args, 4096);
        CHECK(done.problem == "");
        REQUIRE(done.commands.size() == (8 - token + 2) / 3);
        CHECK(done.commands[0].values[2] == 0x2'0000 + token * 0x1'0000);
        CHECK(done.commands[0].values[3] == 0x70'0000 + token * 0x1'0000);
    }
}

TEST_CASE("law 4: the commands of a notice are stored once, ascending, whole") {
    wddm2_request<odd_blocks> test;
    test.expect_stored_in_order(eviction(0, 11 * 4096, 0));
}

namespace {

template <class Hw, u32 Room>
constexpr bool in_constant_evaluation(u64 size, u32 commands) {
    Hw hw = with_segments<Hw>();
    wddm2_arguments args = wddm2_twin_of(paging_operation::notify_alloc);
    args.NotifyAllocation = {nullptr, nullptr, {1, 0}, 0x3'0000, size, 0x50'0000};
    recorded_command records[20];
    if (records_in_constant_evaluation<Room>(hw, args, record_kind::eviction, records) != commands) {
        return false;
    }
    u64 done = 0;
    for (u32 i = 0; i != commands; ++i) {
        if (records[i].values[2] != 0x3'0000 + done || records[i].values[3] != 0x50'0000 + done) {
            return false;
        }
        done += records[i].values[4];
    }
    return done == size;
}
static_assert(in_constant_evaluation<small_blocks, 13>(10 * 4096 + 5, 4));
static_assert(in_constant_evaluation<page_blocks, 28>(9 * 4096, 5));
static_assert(in_constant_evaluation<large_blocks, 100>(0x8'0000, 3));

}  // namespace

TEST_CASE("laws 3 and 4: an eviction notice in constant evaluation is the one at run time") {
    CHECK(in_constant_evaluation<small_blocks, 13>(10 * 4096 + 5, 4));
}

}  // namespace op22_notify_eviction_test
