// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"
#include "table_samples.hpp"

namespace table_test {

using namespace table_samples;
using segment::cpu_host_aperture;
using segment::entry;
using segment::is_placed;

namespace {

struct gpu {
    static constexpr auto large_bar = table_of(
        window, aperture, segment::cpu_visible_memory{.id = vram, .base = at(0x80'0000'0000), .size = at_start});
    static constexpr auto small_bar =
        table_of(window, aperture,
                 segment::memory_behind_host_aperture{.id = vram, .base = at(0x80'0000'0000), .size = at_start});
    static_assert(check_segments<large_bar, newest>() && check_segments<small_bar, newest>());

    segment::table<2> segments = small_bar;
};

constexpr segment_address base = at(0x80'0000'0000);
constexpr cpu_physical_address bar{0x40'0000'0000};
constexpr cpu_host_aperture bar_window{{0xE000'0000}, 65536};

/// A table whose second row is not placed at all.
constexpr auto unplaced =
    table_of(window, aperture, segment::cpu_visible_memory{.id = vram, .base = at_start, .size = at_start},
             segment::hidden{at(0x1000), 4 * kib, "firmware"});

/// A copy of a table with the numbers of one segment placed, or the table as it was and what forbids them.
template <usize Rows>
struct placed_copy {
    segment::table<Rows> value;
    broken_rule error;
};

template <usize Rows>
constexpr placed_copy<Rows> placed(segment::table<Rows> const& table, segment_id id, segment::numbers const& found) {
    placed_copy<Rows> made{table, no_rule_broken};
    made.error = made.value.place(id, found);
    return made;
}

template <usize Rows>
constexpr broken_rule error_of(segment::table<Rows> const& table, segment_id id, segment::numbers const& found) {
    return placed(table, id, found).error;
}

constexpr bool same(entry const& a, entry const& b) {
    return a.base == b.base && a.size == b.size && a.commit_limit == b.commit_limit && a.cpu == b.cpu &&
           a.host_aperture.base == b.host_aperture.base &&
           a.host_aperture.size_in_pages == b.host_aperture.size_in_pages &&
           a.system_memory_end == b.system_memory_end && a.vpr.start == b.vpr.start && a.vpr.size == b.vpr.size &&
           a.invalid.data == b.invalid.data && a.uefi_frame_buffer.data == b.uefi_frame_buffer.data;
}

}  // namespace

TEST_CASE("SEG-05: a table holds its rows in the order of their ids, hidden ones behind them") {
    constexpr segment::hidden low{at(0x1000), 4 * kib, "low"};
    constexpr segment::hidden high{at(0x9000), 4 * kib, "high"};
    static constexpr auto table = table_of(window, low, aperture, high, visible);
    constexpr segment::view all = table.all();
    static_assert(all.reported.count == 2 && all.hidden.count == 2 && all.paging_buffer == window);
    static_assert(all.reported[0].kind == segment::kind::aperture && all.reported[1].id == vram);
    CHECK(all.hidden[0].name[0] == 'l');
    CHECK(all.hidden[1].name[0] == 'h');
    CHECK(all.reported[0].name[0] == 'w');
}

TEST_CASE("SEG-34: two alternatives of one chip are two constants of one member") {
    gpu adapter{};
    CHECK(adapter.segments.rows[1].kind == segment::kind::memory_behind_host_aperture);
    adapter.segments = placed(gpu::large_bar, vram, {.base = base, .size = 16 * gib, .cpu = bar}).value;
    CHECK(adapter.segments.rows[1].kind == segment::kind::cpu_visible_memory);
    CHECK(adapter.segments.rows[1].cpu == bar);
    CHECK(is_placed(adapter.segments.rows[1]));
}

TEST_CASE("SEG-02: numbers that were left open are placed, and nothing else changes") {
    constexpr auto large = placed(gpu::large_bar, vram, {.base = base, .size = 16 * gib, .cpu = bar});
    static_assert(large.error == no_rule_broken && large.value.rows[1].size == 16 * gib);
    static_assert(large.value.rows[1].commit_limit == 16 * gib, "SEG-23: it follows the size of memory");
    static_assert(same(large.value.rows[0], gpu::large_bar.rows[0]));
    static_assert(segment::judge(large.value.all(), newest) == no_rule_broken);
    constexpr auto window_only =
        placed(gpu::small_bar, vram, {.base = base, .size = 16 * gib, .host_aperture = bar_window});
    static_assert(window_only.error == no_rule_broken &&
                  window_only.value.rows[1].host_aperture.size_in_pages == 65536);
    // Memory that the CPU does not see has two numbers.
    segment::table<2> const open =
        table_of(window, aperture, segment::memory{.id = vram, .base = at_start, .size = at_start});
    auto const unseen = placed(open, vram, {.base = base, .size = 16 * gib});
    CHECK(unseen.error == no_rule_broken);
    CHECK(unseen.value.rows[1].base == base);
    CHECK(unseen.value.rows[1].size == 16 * gib);
    CHECK(is_placed(unseen.value.rows[1]));
    CHECK(placed(open, vram, {.base = base, .size = 16 * gib, .cpu = bar}).error.what ==
          rule::cpu_address_without_flag);
    // One after the other gives the same.
    segment::table<2> table = gpu::large_bar;
    CHECK(table.place(vram, {.cpu = bar}) == no_rule_broken);
    CHECK(!is_placed(table.rows[1]));
    CHECK(table.place(vram, {.size = 16 * gib}) == no_rule_broken);
    CHECK(same(table.rows[1], large.value.rows[1]));
    // Again with the same numbers; then with others.
    CHECK(table.place(vram, {.base = base, .size = 16 * gib, .cpu = bar}) == no_rule_broken);
    CHECK(table.place(vram, {.base = at(0)}) == broken_rule{rule::placed_otherwise, 2, base.n});
    CHECK(table.place(vram, {.size = 8 * gib}) == broken_rule{rule::placed_otherwise, 2, 16 * gib.n});
    CHECK(table.place(vram, {.commit_limit = 8 * gib}) == broken_rule{rule::placed_otherwise, 2, 16 * gib.n});
    CHECK(table.place(vram, {.cpu = {1}}) == broken_rule{rule::placed_otherwise, 2, bar.n});
    CHECK(table.place(vram, {.system_memory_end = bytes{1}}) == broken_rule{rule::placed_otherwise, 2, 0});
    CHECK(table.place(vram, {.vpr_start = segment_offset{4096}}) == broken_rule{rule::placed_otherwise, 2, 0});
    CHECK(table.place(vram, {.vpr_size = bytes{4096}}) == broken_rule{rule::placed_otherwise, 2, 0});
    CHECK(same(table.rows[1], large.value.rows[1]));
    expect_both(error_of(window_only.value, vram, {.host_aperture = {{0xE000'0000}, 1}}) ==
                broken_rule{rule::placed_otherwise, 2, 0xE000'0000});
    expect_both(error_of(window_only.value, vram, {.host_aperture = {{0xF000'0000}, 65536}}) ==
                broken_rule{rule::placed_otherwise, 2, 0xE000'0000});
}

TEST_CASE("SEG-05: only a reported id is placed") {
    expect_both(error_of(unplaced, {0}, {.size = 1 * gib}) == broken_rule{rule::no_such_segment, 0, 0});
    expect_both(error_of(unplaced, {3}, {.size = 1 * gib}) == broken_rule{rule::no_such_segment, 0, 3});
}

TEST_CASE("SEG-07: an overlap shows when a number is placed, and the table stays as it was") {
    segment::table<3> table = unplaced;
    CHECK(table.place(vram, {.base = at(0x7FFF'1000'0000), .size = 1 * gib, .cpu = bar}) ==
          broken_rule{rule::overlap, 1, 0x7FFF'1000'0000});
    CHECK(same(table.rows[1], unplaced.rows[1]));
    CHECK(table.place(vram, {.base = at(0), .size = 1 * gib}) == broken_rule{rule::overlap, 2, 0x1000});
    CHECK(table.place(vram, {.base = at(0xFFFF'FFFF'FFFF'F000), .size = 1 * gib}).what == rule::end_wraps);
    // The base alone overlaps nothing yet: the size decides.
    CHECK(table.place(vram, {.base = at(0x7FFE'F000'0000)}) == no_rule_broken);
    CHECK(table.place(vram, {.size = 512 * mib}) == broken_rule{rule::overlap, 1, 0x7FFF'0000'0000});
    CHECK(table.place(vram, {.size = 256 * mib, .cpu = bar}) == no_rule_broken);
    CHECK(is_placed(table.rows[1]));
}

TEST_CASE("SEG-08: a size that is no multiple of a page shows when it is placed") {
    expect_both(error_of(gpu::large_bar, vram, {.size = 8 * gib + bytes{5}}) ==
                broken_rule{rule::page_multiple, 2, 8589934597});
    expect_both(error_of(gpu::large_bar, vram, {.size = bytes{0}}) == broken_rule{rule::size_missing, 2, 0});
}

TEST_CASE("SEG-09: 64-KiB pages show when base and size are placed") {
    constexpr auto table =
        table_of(window, aperture, segment::memory{.id = vram, .base = at_start, .size = at_start, .pages_64k = true});
    expect_both(error_of(table, vram, {.size = 68 * kib}) == broken_rule{rule::size_64k, 2, 69632});
    expect_both(error_of(table, vram, {.base = at(0x1000)}) == broken_rule{rule::base_64k, 2, 0x1000});
    expect_both(error_of(table, vram, {.base = at(0x1'0000), .size = 64 * kib}) == no_rule_broken);
}

TEST_CASE("SEG-12: an AGP aperture is the system's to place") {
    constexpr auto table = table_of(window, aperture, segment::agp_aperture{.id = {2}});
    expect_both(error_of(table, {2}, {.size = 1 * gib}) == broken_rule{rule::agp_is_placed, 2, 2});
    expect_both(is_placed(table.rows[1]));
}

TEST_CASE("SEG-17: a CPU address or a host aperture is placed where the flags have one") {
    expect_both(error_of(gpu::small_bar, vram, {.cpu = bar}) == broken_rule{rule::cpu_address_without_flag, 2, bar.n});
    expect_both(error_of(gpu::large_bar, vram, {.host_aperture = bar_window}) ==
                broken_rule{rule::host_aperture_without_flag, 2, 65536});
    expect_both(error_of(gpu::large_bar, window, {.cpu = bar}) ==
                broken_rule{rule::cpu_address_without_flag, 1, bar.n});
    // A window of no page is none; a range that the CPU sees is of pages and does not wrap.
    expect_both(error_of(gpu::small_bar, vram, {.host_aperture = {{0xE000'0000}, 0}}) ==
                broken_rule{rule::host_aperture_missing, 2, 0xE000'0000});
    expect_both(error_of(gpu::small_bar, vram, {.host_aperture = {{0xE000'0800}, 1}}) ==
                broken_rule{rule::cpu_page, 2, 0xE000'0800});
    expect_both(error_of(gpu::large_bar, vram, {.cpu = {0xE000'0001}}) == broken_rule{rule::cpu_page, 2, 0xE000'0001});
    expect_both(error_of(gpu::large_bar, vram, {.size = 8 * kib, .cpu = {0xFFFF'FFFF'FFFF'F000}}) ==
                broken_rule{rule::cpu_range_wraps, 2, 0xFFFF'FFFF'FFFF'F000});
}

TEST_CASE("SEG-21: the end of system memory may be placed at start") {
    constexpr auto table =
        table_of(window, aperture,
                 segment::cpu_visible_memory{.id = vram,
                                             .size = 1 * gib,
                                             .cpu = bar,
                                             .preserved = segment::preserved::standby_and_partially_hibernate,
                                             .system_memory_end = at_start});
    expect_both(judged(table) == no_rule_broken);
    expect_both(!is_placed(table.rows[1]));
    expect_both(placed(table, vram, {.system_memory_end = bytes{0xFFF'FFFF}}).value.rows[1].system_memory_end.n ==
                0xFFF'FFFF);
    expect_both(error_of(table, vram, {.system_memory_end = bytes{0}}) ==
                broken_rule{rule::system_memory_end_missing, 2, 0});
}

TEST_CASE("SEG-23: the limit of an aperture follows its size unless it was given") {
    constexpr auto open = table_of(window, segment::aperture{.id = window, .size = at_start});
    expect_both(placed(open, window, {.size = 1 * gib}).value.rows[0].commit_limit == 1 * gib);
    expect_both(placed(open, window, {.size = 1 * gib, .commit_limit = 4 * kib}).value.rows[0].commit_limit == 4 * kib);
    expect_both(error_of(open, window, {.size = 1 * gib, .commit_limit = 2 * gib}) ==
                broken_rule{rule::commit_limit_above, 1, 0x8000'0000});
    constexpr auto capped =
        table_of(window, segment::aperture{.id = window, .size = at_start, .commit_limit = 2 * gib});
    expect_both(placed(capped, window, {.size = 4 * gib}).value.rows[0].commit_limit == 2 * gib);
    expect_both(error_of(capped, window, {.size = 1 * gib}) == broken_rule{rule::commit_limit_above, 1, 0x8000'0000});
    // 0 is the size here too; one that was given stays.
    expect_both(placed(open, window, {.size = 1 * gib, .commit_limit = bytes{0}}).value.rows[0].commit_limit ==
                1 * gib);
    constexpr auto unlimited = placed(open, window, {.commit_limit = bytes{0}});
    expect_both(placed(unlimited.value, window, {.size = 1 * gib}).value.rows[0].commit_limit == 1 * gib);
    expect_both(error_of(capped, window, {.size = 4 * gib, .commit_limit = bytes{0}}) ==
                broken_rule{rule::placed_otherwise, 1, 0x8000'0000});
    // Memory has no limit of its own.
    expect_both(error_of(gpu::large_bar, vram, {.size = 2 * gib, .commit_limit = 1 * gib}) ==
                broken_rule{rule::commit_limit_of_memory, 2, 0x4000'0000});
}

TEST_CASE("SEG-25: the end of a banked segment shows when its size is placed") {
    static constexpr usize ends[] = {0x10'0000, 0x20'0000};
    constexpr auto table =
        table_of(window, aperture, segment::banked_memory{.id = vram, .size = at_start, .banks = span_of(ends)});
    expect_both(error_of(table, vram, {.size = 1 * mib}) == broken_rule{rule::bank_past_end, 2, 0x20'0000});
    expect_both(error_of(table, vram, {.size = 2 * mib}) == no_rule_broken);
}

TEST_CASE("SEG-31: invalid ranges that the start finds are judged, and kept by their address") {
    static constexpr segment::memory_range found[] = {{{0x1000}, 4 * kib}};
    static constexpr segment::memory_range odd[] = {{{0x1001}, 4 * kib}};
    static constexpr segment::memory_range behind_end[] = {{{0x4000'0000}, 4 * kib}};
    constexpr auto at_start_found = placed(gpu::large_bar, vram, {.size = 1 * gib, .invalid = span_of(found)});
    static_assert(at_start_found.error == no_rule_broken && at_start_found.value.rows[1].invalid.data == found);
    expect_both(error_of(gpu::large_bar, vram, {.size = 1 * gib, .invalid = span_of(odd)}) ==
                broken_rule{rule::range_not_aligned, 2, 0x1001});
    expect_both(error_of(gpu::large_bar, vram, {.size = 1 * gib, .uefi_frame_buffer = span_of(behind_end)}) ==
                broken_rule{rule::range_outside, 2, 0x4000'0000});
}

TEST_CASE("SEG-32: a VPR range that the start finds is judged") {
    constexpr auto table = table_of(
        window, aperture,
        segment::memory{
            .id = vram, .size = 1 * gib, .vpr = {.start = at_start, .size = at_start, .alignment = 4096, .count = 1}});
    expect_both(judged(table) == no_rule_broken);
    expect_both(!is_placed(table.rows[1]));
    expect_both(error_of(table, vram, {.vpr_start = segment_offset{0x1000}, .vpr_size = 1 * mib}) == no_rule_broken);
    expect_both(error_of(table, vram, {.vpr_start = segment_offset{0x1001}}) ==
                broken_rule{rule::vpr_not_aligned, 2, 0x1001});
    expect_both(error_of(table, vram, {.vpr_start = segment_offset{0x3FFF'F000}, .vpr_size = 1 * mib}) ==
                broken_rule{rule::vpr_outside, 2, 0x3FFF'F000});
    expect_both(error_of(table, vram, {.vpr_start = segment_offset{0}, .vpr_size = bytes{0}}) ==
                broken_rule{rule::vpr_flag, 2, 0});
}

TEST_CASE("SEG-43: SIZE_T of this build decides when a size is placed") {
    constexpr broken_rule found = error_of(gpu::large_bar, vram, {.size = 16 * gib});
    CHECK(found == (sizeof(usize) == 8 ? no_rule_broken : broken_rule{rule::size_above_size_t, 2, 0x4'0000'0000}));
}

}  // namespace table_test
