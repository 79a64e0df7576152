// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "query_samples.hpp"

#include <wddmcore/segment/query/memory_state.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace query_memory_state_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using segment::memory_range;
using segment::memory_ranges;

namespace {

using state = mirror::v2_2::dxgk_querysegmentmemorystate;
using range = mirror::v2_0::dxgk_memoryrange;

constexpr query_reason why(query_answer const& answer) {
    return answer.what == query_outcome::refused && answer.status == status::invalid_parameter ? answer.reason
                                                                                               : query_reason::none;
}

/// A segment of 64-KiB or 4-KiB pages with one hole.
constexpr bool whole_pages(bool large, u64 start, u64 size) {
    entry row = window_row;
    row.size = 16 * mib;
    row.flags = flags{}.with(flag::use_64kb_pages, large);
    memory_range const one[] = {{{start}, {size}}};
    row.invalid = {one, 1};
    return segment::detail::judge_invalid_ranges(row, 1) == segment::no_rule_broken;
}

}  // namespace

TEST_CASE("SEG-31: the holes of a segment are told as they were counted") {
    range ranges[3] = {{1, 1}, {2, 2}, {3, 3}};
    state asked{2, 0, {2}, ranges};
    CHECK(segment::answer_segment_memory_state<memory_ranges::invalid>(window_table, asked) == query_answered);
    CHECK(ranges[0].SegmentOffset == 0x10'0000);
    CHECK(ranges[0].SizeInBytes == 0x1'0000);
    CHECK(ranges[1].SegmentOffset == 0x20'0000);
    CHECK(ranges[1].SizeInBytes == 0x2'0000);
    CHECK(ranges[2].SegmentOffset == 3);
    CHECK(asked.NumInvalidMemoryRanges == 2);
    CHECK(asked.pMemoryRanges == ranges);

    mirror::v2_0::dxgk_querysegmentmemorystate first{2, 0, 2, ranges + 1};
    CHECK(segment::answer_segment_memory_state<memory_ranges::invalid>(window_table, first) == query_answered);
    CHECK(ranges[2].SegmentOffset == 0x20'0000);
}

TEST_CASE("SEG-31: each kind of range has its own count, below WDDM 2.2 both have one") {
    using segment::detail::asked_ranges;
    constexpr auto counts_frame_buffers = [] {
        state asked{};
        asked.NumUEFIFrameBufferRanges = 3;
        return asked_ranges<memory_ranges::uefi_frame_buffer>(asked) == 3;
    };
    expect_both(asked_ranges<memory_ranges::invalid>(state{2, 0, {2}, nullptr}) == 2);
    expect_both(counts_frame_buffers());
    using older_state = mirror::v2_0::dxgk_querysegmentmemorystate;
    expect_both(asked_ranges<memory_ranges::invalid>(older_state{2, 0, 2, nullptr}) == 2);
    expect_both(asked_ranges<memory_ranges::uefi_frame_buffer>(older_state{2, 0, 3, nullptr}) == 3);
}

TEST_CASE("SEG-31: the firmware's frame buffer is told by its own query") {
    range one[1] = {};
    state asked{2, 0, {1}, one};
    CHECK(segment::answer_segment_memory_state<memory_ranges::uefi_frame_buffer>(window_table, asked) ==
          query_answered);
    CHECK(one[0].SegmentOffset == 0);
    CHECK(one[0].SizeInBytes == 0x10'0000);
}

TEST_CASE("SEG-31: a frame buffer that ends inside a page is told as it is, whatever the page") {
    // 800 x 600 pixels of 4 bytes: 1'920'000 bytes are 468.75 pages.
    constexpr memory_range screen[] = {{{0x800}, bytes{800 * 600 * 4}}};
    for (bool large : {false, true}) {
        CAPTURE(large);
        entry rows[] = {aperture_row, window_row};
        rows[1].flags = rows[1].flags.with(flag::use_64kb_pages, large);
        rows[1].uefi_frame_buffer = {screen, 1};
        segment::view const table{{rows, 2}, {nullptr, 0}, {1}};
        CHECK(segment::judge(table, {}) == segment::no_rule_broken);
        range one[1] = {};
        state asked{2, 0, {1}, one};
        CHECK(segment::answer_segment_memory_state<memory_ranges::uefi_frame_buffer>(table, asked) == query_answered);
        CHECK(one[0].SegmentOffset == 0x800);
        CHECK(one[0].SizeInBytes == 1'920'000);
        rows[1].invalid = {nullptr, 0};
        rows[1].size = 1 * mib;
        CHECK(why(segment::answer_segment_memory_state<memory_ranges::uefi_frame_buffer>(table, asked)) ==
              query_reason::inconsistent);
    }
}

TEST_CASE("SEG-31: a hole of no byte, and a byte that two holes have, are not told") {
    for (memory_range second : {memory_range{{0x10'0000}, bytes{0}}, memory_range{{0x10'0000}, 64 * kib},
                                memory_range{{0x0F'0000}, 128 * kib}}) {
        CAPTURE(second.size.n);
        memory_range const two[] = {{{0x10'0000}, 64 * kib}, second};
        entry rows[] = {aperture_row, window_row};
        rows[1].invalid = {two, 2};
        range ranges[2] = {{7, 7}, {8, 8}};
        state asked{2, 0, {2}, ranges};
        CHECK(why(segment::answer_segment_memory_state<memory_ranges::invalid>({{rows, 2}, {nullptr, 0}, {1}},
                                                                               asked)) == query_reason::inconsistent);
        CHECK(ranges[0].SegmentOffset == 7);
    }
}

TEST_CASE("SEG-31: another count, no array, and segments that have no ranges") {
    range ranges[2] = {{7, 7}, {8, 8}};
    for (u32 count : {0u, 1u, 3u}) {
        CAPTURE(count);
        state asked{2, 0, {count}, ranges};
        CHECK(why(segment::answer_segment_memory_state<memory_ranges::invalid>(window_table, asked)) ==
              query_reason::count_changed);
    }
    state without{2, 0, {2}, nullptr};
    CHECK(why(segment::answer_segment_memory_state<memory_ranges::invalid>(window_table, without)) ==
          query_reason::output_missing);
    for (u16 id : {u16{0}, u16{1}, u16{3}, u16{0xFFFF}}) {  // none, the aperture, behind the table
        CAPTURE(id);
        state asked{id, 0, {2}, ranges};
        CHECK(why(segment::answer_segment_memory_state<memory_ranges::invalid>(window_table, asked)) ==
              query_reason::no_such_segment);
    }
    CHECK(ranges[0].SegmentOffset == 7);
    CHECK(ranges[1].SizeInBytes == 8);
    state none{2, 0, {0}, nullptr};
    CHECK(segment::answer_segment_memory_state<memory_ranges::invalid>(plain_table, none) == query_answered);
    entry unplaced[] = {aperture_row, window_row};
    unplaced[1].size = segment::at_start;
    state asked{2, 0, {2}, ranges};
    CHECK(why(segment::answer_segment_memory_state<memory_ranges::invalid>({{unplaced, 2}, {nullptr, 0}, {1}},
                                                                           asked)) == query_reason::not_placed);
}

TEST_CASE("SEG-31: ranges begin and end at pages of the segment's size, inside it") {
    expect_both(whole_pages(false, 0x1000, 0x1000) && !whole_pages(true, 0x1000, 0x1'0000));
    expect_both(whole_pages(true, 0x1'0000, 0x1'0000) && !whole_pages(true, 0x1'0000, 0x1000));
    expect_both(!whole_pages(false, 0x800, 0x1000) && !whole_pages(false, 0x1000, 0x1800));
    expect_both(whole_pages(false, 0, 16 * mib.n) && !whole_pages(false, 0x1000, 16 * mib.n));
    expect_both(!whole_pages(false, ~u64{0xFFF}, 0x2000));
    memory_range const crooked[] = {{{0x1000}, 64 * kib}};
    entry rows[] = {aperture_row, window_row};
    rows[1].invalid = {crooked, 1};
    range ranges[1] = {{7, 7}};
    state asked{2, 0, {1}, ranges};
    CHECK(why(segment::answer_segment_memory_state<memory_ranges::invalid>({{rows, 2}, {nullptr, 0}, {1}}, asked)) ==
          query_reason::inconsistent);
    CHECK(ranges[0].SegmentOffset == 7);
}

}  // namespace query_memory_state_test
