// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/segment/layout.hpp>

#include <algorithm>
#include <random>

#include "../base/expect_both.hpp"
#include "table_samples.hpp"

namespace layout_test {

using namespace table_samples;
using segment::block;
using segment::block_kind;

namespace {

constexpr auto whole = table_of(window, aperture, visible, segment::hidden{at(0), 16 * mib, "firmware"});

constexpr bool is(block const& one, block_kind what, u64 first, bytes size, segment::entry const* row) {
    return one.what == what && one.first.n == first && one.size == size && one.row == row;
}

}  // namespace

TEST_CASE("SEG-29: a picture has segments, hidden ranges and the holes between them, from the lowest address on") {
    static constexpr auto drawn = segment::layout(whole);
    constexpr span<block const> all = drawn.all();
    static_assert(all.count == 5 && drawn.counts.left_out == 0 && drawn.counts.without_room == 0);
    expect_both(is(all[0], block_kind::hidden, 0, 16 * mib, &whole.rows[2]));
    expect_both(is(all[1], block_kind::hole, 0x100'0000, bytes{0x7F'FF00'0000}, nullptr));
    expect_both(is(all[2], block_kind::reported, 0x80'0000'0000, 16 * gib, &whole.rows[1]));
    expect_both(is(all[3], block_kind::hole, 0x84'0000'0000, bytes{0x7F7B'0000'0000}, nullptr));
    expect_both(is(all[4], block_kind::reported, 0x7FFF'0000'0000, 512 * mib, &whole.rows[0]));
    expect_both(all[4].last() == 0x7FFF'1FFF'FFFF);
}

TEST_CASE("SEG-12: what has no place is left out of the picture and counted") {
    static constexpr auto table = table_of(window, segment::memory{.id = {1}, .size = at_start},
                                           segment::agp_aperture{.id = {2}}, segment::hidden{at(0), 4 * kib});
    static constexpr auto drawn = segment::layout(table);
    expect_both(drawn.counts.blocks == 1);
    expect_both(drawn.counts.left_out == 2);
    static constexpr auto nothing = table_of({0});
    expect_both(segment::layout(nothing).counts.blocks == 0);
}

TEST_CASE("SEG-07: segments side by side have no hole, and a picture can end at 2^64") {
    static constexpr auto table =
        table_of({0}, segment::memory{.id = {1}, .base = at(0xFFFF'FFFF'FFFF'F000), .size = 4 * kib},
                 segment::memory{.id = {2}, .base = at(0xFFFF'FFFF'FFFF'E000), .size = 4 * kib});
    static constexpr auto drawn = segment::layout(table);
    expect_both(drawn.counts.blocks == 2);
    expect_both(drawn.blocks[0].row == &table.rows[1]);
    expect_both(drawn.blocks[1].last() == ~u64{0});
    // A table that is refused has a picture too.
    static constexpr auto same =
        table_of({0}, segment::memory{.id = {1}, .size = 8 * kib}, segment::memory{.id = {2}, .size = 4 * kib},
                 segment::memory{.id = {3}, .base = at(0x3000), .size = 4 * kib},
                 segment::memory{.id = {4}, .base = at(0xF000), .size = bytes{~u64{0xFFF}}});
    static constexpr auto overlapping = segment::layout(same);
    expect_both(overlapping.counts.blocks == 6);
    expect_both(overlapping.blocks[1].row == &same.rows[1]);
    expect_both(is(overlapping.blocks[2], block_kind::hole, 0x2000, bytes{0x1000}, nullptr));
    expect_both(is(overlapping.blocks[4], block_kind::hole, 0x4000, bytes{0xB000}, nullptr));
}

TEST_CASE("SEG-29: a hole between hidden ranges may be of one byte") {
    static constexpr auto table =
        table_of({0}, segment::hidden{at(0), bytes{100}}, segment::hidden{at(101), bytes{27}});
    static constexpr auto drawn = segment::layout(table);
    expect_both(drawn.counts.blocks == 3);
    expect_both(is(drawn.blocks[1], block_kind::hole, 100, bytes{1}, nullptr));
    CHECK(segment::layout(table).counts.blocks == 3);
    // The first range may have one byte as well.
    static constexpr auto smallest = table_of({0}, segment::hidden{at(0), bytes{1}}, segment::hidden{at(2), bytes{1}});
    CHECK(segment::layout(smallest).counts.blocks == 3);
    expect_both(is(segment::layout(smallest).blocks[1], block_kind::hole, 1, bytes{1}, nullptr));
}

TEST_CASE("SEG-29: blocks without room are counted") {
    block two[2]{};
    segment::layout_counts const counts = segment::draw_layout(whole.all(), span_of(two));
    CHECK(counts.blocks == 2);
    CHECK(counts.without_room == 3);
    CHECK(two[1].what == block_kind::hole);
    CHECK(segment::draw_layout(whole.all(), {nullptr, 0}).without_room == 5);
}

TEST_CASE("SEG-07: blocks of a sound table fill the space from the first to the last without gap or overlap") {
    u32 const seed = 20;
    std::mt19937_64 random(seed);
    for (u32 round = 0; round < 300; ++round) {
        CAPTURE(seed);
        CAPTURE(round);
        // Places side by side or apart, then dealt out in any order.
        segment::table<6> table{};
        table.reported = random() % 7;
        u64 next = random() % 4 * page_bytes;
        u64 occupied = 0;
        usize order[] = {0, 1, 2, 3, 4, 5};
        std::shuffle(order, order + 6, random);
        for (usize const index : order) {
            table.rows[index].base = {next};
            table.rows[index].size = {(1 + random() % 5) * page_bytes};
            occupied += table.rows[index].size.n;
            next += table.rows[index].size.n + random() % 3 * page_bytes;
        }
        auto const drawn = segment::layout(table);
        u64 sum = 0;
        u64 of_rows = 0;
        for (usize index = 0; index < drawn.counts.blocks; ++index) {
            block const& one = drawn.blocks[index];
            bool const follows = index == 0 || drawn.blocks[index - 1].last() + 1 == one.first.n;
            CHECK(follows);
            CHECK(one.size.n != 0);
            sum += one.size.n;
            of_rows += one.what == block_kind::hole ? 0 : one.size.n;
            bool const reported = one.row != nullptr && one.row < table.rows + table.reported;
            CHECK(reported == (one.what == block_kind::reported));
        }
        CHECK(of_rows == occupied);
        CHECK(sum == drawn.all()[drawn.counts.blocks - 1].last() - drawn.blocks[0].first.n + 1);
    }
}

}  // namespace layout_test
