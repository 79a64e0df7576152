// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/segment.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <type_traits>

#include "../base/expect_both.hpp"
#include "allocation_samples.hpp"
#include "query_samples.hpp"

/// Inputs that no ordinary table has, one condition at a time, run by the program as well as by the compiler.
namespace segment_corners_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using segment::broken_rule;
using segment::no_rule_broken;
using segment::rule;

namespace {

template <class Change>
constexpr entry changed(entry row, Change change) {
    change(row);
    return row;
}

/// What is found in a table of the aperture and one more row.
broken_rule numbers_of(entry const& second, bool wide_sizes = true) {
    entry const rows[] = {aperture_row, second};
    return segment::detail::judge_numbers({{rows, 2}, {nullptr, 0}, {1}}, wide_sizes);
}

template <class Change>
broken_rule numbers_after(Change change) {
    return numbers_of(changed(visible_row, change));
}

}  // namespace

TEST_CASE("SEG-12: a row has a place when base and size are placed, and it is not the AGP aperture") {
    auto const place_after = [](auto change) { return segment::has_place(changed(visible_row, change)); };
    CHECK(place_after([](entry&) {}));
    CHECK(!place_after([](entry& row) { row.base = segment::at_start; }));
    CHECK(!place_after([](entry& row) { row.size = segment::at_start; }));
    CHECK(!place_after([](entry& row) { row.kind = kind::agp_aperture; }));
    entry const rows[] = {aperture_row, changed(visible_row, [](entry& row) { row.base = segment::at_start; })};
    segment::view const table{{rows, 2}, {nullptr, 0}, {1}};
    CHECK(segment::place_of(table, {2}).size == bytes{0});
    CHECK(segment::place_of(table, {3}).size == bytes{0});
    CHECK(segment::place_of(table, {1}).size == 512 * mib);
}

TEST_CASE("SEG-02: each number of a row that is still at_start makes it one that is not placed") {
    CHECK(segment::is_placed(window_row));
    auto const placed_after = [](auto change) { return segment::is_placed(changed(window_row, change)); };
    CHECK(!placed_after([](entry& row) { row.base = segment::at_start; }));
    CHECK(!placed_after([](entry& row) { row.size = segment::at_start; }));
    CHECK(!placed_after([](entry& row) { row.commit_limit = segment::at_start; }));
    CHECK(!placed_after([](entry& row) { row.cpu = segment::at_start; }));
    CHECK(!placed_after([](entry& row) { row.host_aperture.base = segment::at_start; }));
    CHECK(!placed_after([](entry& row) { row.system_memory_end = segment::at_start; }));
    CHECK(!placed_after([](entry& row) { row.vpr.start = segment::at_start; }));
    CHECK(!placed_after([](entry& row) { row.vpr.size = segment::at_start; }));
}

TEST_CASE("SEG-07 to SEG-09, SEG-23: what is not placed yet is judged later, everything else now") {
    CHECK(numbers_after([](entry&) {}) == no_rule_broken);
    CHECK(numbers_after([](entry& row) { row.base = segment::at_start; }) == no_rule_broken);
    CHECK(numbers_after([](entry& row) { row.base = {0x1001}; }) == broken_rule{rule::base_page, 2, 0x1001});
    CHECK(numbers_after([](entry& row) {
              row.base = segment::at_start;
              row.flags = row.flags.with(flag::use_64kb_pages);
          }) == no_rule_broken);
    CHECK(numbers_after([](entry& row) {
              row.base = {0x80'0000'1000};
              row.flags = row.flags.with(flag::use_64kb_pages);
          }) == broken_rule{rule::base_64k, 2, 0x80'0000'1000});
    CHECK(numbers_after([](entry& row) { row.base = {~u64{0} - 0xFFF}; }).what == rule::end_wraps);
    CHECK(numbers_after([](entry& row) { row.size = row.commit_limit = bytes{0}; }) ==
          broken_rule{rule::size_missing, 2, 0});
    // Of memory a limit of 0 is no limit of its size; of an aperture it is the size.
    CHECK(numbers_after([](entry& row) { row.commit_limit = {0}; }) == broken_rule{rule::commit_limit_of_memory, 2, 0});
    CHECK(numbers_after([](entry& row) { row.size = segment::at_start; }) == no_rule_broken);
    // The part that is wrong first is told, before the slab.
    CHECK(numbers_after([](entry& row) { row.slab = {5}; }) == broken_rule{rule::slab_size, 2, 5});
    CHECK(numbers_after([](entry& row) {
              row.slab = {5};
              row.system_memory_end = {0xFFF};
          }) == broken_rule{rule::system_memory_end_unwanted, 2, 0xFFF});
}

TEST_CASE("SEG-07: a row without a place, or without a byte, takes part in no overlap") {
    entry const empty = changed(visible_row, [](entry& row) { row.size = {0}; });
    CHECK(!segment::detail::occupies(empty));
    CHECK(!segment::detail::occupies(changed(visible_row, [](entry& row) { row.base = segment::at_start; })));
    CHECK(!segment::detail::occupies(changed(visible_row, [](entry& row) { row.size = segment::at_start; })));
    CHECK(!segment::detail::occupies(changed(visible_row, [](entry& row) { row.kind = kind::agp_aperture; })));
    CHECK(segment::detail::occupies(visible_row));
}

TEST_CASE("SEG-17, SEG-31, SEG-32: parts of a row whose own place is still open") {
    CHECK(numbers_of(window_row) == no_rule_broken);
    auto const window_after = [](auto change) { return numbers_of(changed(window_row, change)); };
    CHECK(window_after([](entry& row) { row.host_aperture.base = segment::at_start; }) == no_rule_broken);
    CHECK(window_after([](entry& row) { row.vpr.start = segment::at_start; }) == no_rule_broken);
    CHECK(window_after([](entry& row) { row.vpr.size = segment::at_start; }) == no_rule_broken);
    CHECK(window_after([](entry& row) { row.vpr.start = {5 * gib.n}; }).what == rule::vpr_outside);
    CHECK(window_after([](entry& row) { row.size = row.commit_limit = segment::at_start; }) == no_rule_broken);
}

TEST_CASE("SEG-31: a hole is compared with every hole before it, not with the first alone") {
    // The third begins inside the second, the fourth inside the third; none touches the first.
    constexpr segment::memory_range third[] = {
        {{0x1'0000}, bytes{0x1'0000}}, {{0x4'0000}, bytes{0x2'0000}}, {{0x5'0000}, bytes{0x1'0000}}};
    constexpr segment::memory_range fourth[] = {{{0x1'0000}, bytes{0x1'0000}},
                                                {{0x4'0000}, bytes{0x1'0000}},
                                                {{0x8'0000}, bytes{0x2'0000}},
                                                {{0x9'0000}, bytes{0x1'0000}}};
    CHECK(numbers_of(changed(window_row, [&](entry& row) { row.invalid = {third, 3}; })) ==
          broken_rule{rule::ranges_overlap, 2, 0x5'0000});
    CHECK(numbers_of(changed(window_row, [&](entry& row) { row.invalid = {fourth, 4}; })) ==
          broken_rule{rule::ranges_overlap, 2, 0x9'0000});
    CHECK(numbers_of(changed(window_row, [&](entry& row) { row.invalid = {fourth, 3}; })) == no_rule_broken);
}

TEST_CASE("SEG-29: a hidden row is of its own kind, even without flags") {
    entry const rows[] = {aperture_row, visible_row};
    entry const other[] = {{.kind = kind::memory, .base = {0x1000}, .size = 4 * kib, .commit_limit = 4 * kib}};
    segment::profile const of{.version = wddm::v3_2, .wide_sizes = true};
    CHECK(segment::judge({{rows, 2}, {other, 1}, {1}}, of) == broken_rule{rule::hidden_with_flags, 0, 0});
    CHECK(of == segment::profile{.version = wddm::v3_2, .wide_sizes = true});
    CHECK(!(of == segment::profile{.version = wddm::v3_1, .wide_sizes = true}));
    CHECK(!(of == segment::profile{.version = wddm::v3_2, .wide_sizes = false}));
}

TEST_CASE("SEG-32: VprPreservedDuringStandby goes with VprSupported, and with nothing else") {
    u32 const preserved = static_cast<u32>(flag::vpr_preserved_during_standby);
    CHECK(segment::detail::judge_preservation(changed(window_row, [&](entry& row) { row.flags.value |= preserved; }),
                                              2) == no_rule_broken);
    CHECK(segment::detail::judge_preservation(changed(visible_row, [&](entry& row) { row.flags.value |= preserved; }),
                                              2) == broken_rule{rule::vpr_flag, 2, 0});
    CHECK(segment::detail::judge_preservation(visible_row, 2) == no_rule_broken);
}

TEST_CASE("PREF-01: a set names what has a bit; a checked build asserts that each id has one") {
    auto const id = [](u32 n) { return segment_id{n}; };
    CHECK(segment::set_of(id(1), id(2), id(3)).value == 7);
    if (std::string_view(WDDMCORE_MODE_TEXT).ends_with("checked")) {
        return;  // here the assertion stops the program
    }
    CHECK(segment::set_of(id(0), id(2), id(3)).value == 6);
    CHECK(segment::set_of(id(1), id(0), id(3)).value == 5);
    CHECK(segment::set_of(id(1), id(2), id(33)).value == 3);
}

TEST_CASE("PREF-04: choices are slots, at the end of a segment too") {
    auto const id = [](u32 n) { return segment_id{n}; };
    segment::preference const made = segment::prefer(id(3), segment::from_end(id(2)), id(1), id(4), id(5));
    CHECK(made.slots[0] == segment::preferred_segment{{3}, false});
    CHECK(made.slots[1] == segment::preferred_segment{{2}, true});
    CHECK(made.slots[4] == segment::preferred_segment{{5}, false});
    CHECK(!(made.slots[1] == segment::preferred_segment{{2}, false}));
    CHECK(!(made.slots[1] == segment::preferred_segment{{1}, true}));
    CHECK(!(made == segment::prefer(id(3))));
}

TEST_CASE("PREF-05, PREF-07: banks of no segment, and alignments that 32 bits cannot say") {
    using namespace allocation_samples;
    CHECK(segment::detail::banks_of(earlier.all(), all_banks) == 4);
    CHECK(segment::detail::banks_of(earlier.all(), segment_id{31}) == 0);
    segment::segment_set const in_vram = segment::set_of(vram);
    CHECK(segment::alignment_for(discrete.all(), in_vram, {1}).get() == 64 * kib);
    CHECK(segment::alignment_for(discrete.all(), in_vram, {~u64{0}}).error == errc::overflow);
    CHECK(segment::alignment_for(discrete.all(), in_vram, 4 * gib).error == errc::overflow);
    CHECK(segment::allocation_flags{}.with(segment::allocation_flag::swizzled).has(segment::allocation_flag::swizzled));
    CHECK(!segment::allocation_flags{}.has(segment::allocation_flag::swizzled));
}

TEST_CASE("PREF-08, SEG-18: a pitch-aligned size is missing at 0, and too small from 1 on") {
    using namespace allocation_samples;
    auto const verdict_at = [](u64 size) {
        return judged_earlier([size](segment::allocation& a) {
            a.supported = segment::set_of(gart, pitched);
            a.preferred = {};
            a.pitch_aligned_size = bytes{size};
        });
    };
    using broken = segment::broken_allocation_rule;
    CHECK(verdict_at(0) == broken{segment::allocation_rule::pitch_size_missing, 0, 0});
    CHECK(verdict_at(1) == broken{segment::allocation_rule::pitch_size_too_small, 0, 1});
    CHECK(verdict_at(mib.n - 1) == broken{segment::allocation_rule::pitch_size_too_small, 0, mib.n - 1});
    CHECK(verdict_at(mib.n) == segment::allocation_is_good);
    CHECK(!(broken{segment::allocation_rule::none, 1, 0} == segment::allocation_is_good));
    CHECK(!(broken{segment::allocation_rule::none, 0, 1} == segment::allocation_is_good));
}

TEST_CASE("a verdict differs by rule, by segment and by number") {
    broken_rule const one{rule::overlap, 2, 5};
    CHECK(one == broken_rule{rule::overlap, 2, 5});
    CHECK(!(one == broken_rule{rule::end_wraps, 2, 5}));
    CHECK(!(one == broken_rule{rule::overlap, 3, 5}));
    CHECK(!(one == broken_rule{rule::overlap, 2, 6}));
    CHECK(cpu_physical_address{0x1000} + 4 * kib == cpu_physical_address{0x2000});
}

TEST_CASE("a picture of rows that share a base, wrap, touch, or have no place") {
    entry const low{.kind = kind::memory, .id = {1}, .base = {0x1000}, .size = 8 * kib};
    entry const same{.kind = kind::memory, .id = {2}, .base = {0x1000}, .size = 4 * kib};
    entry const wrapping{.kind = kind::memory, .id = {3}, .base = {~u64{0} - 0xFFF}, .size = 8 * kib};
    entry const nowhere{.kind = kind::memory, .id = {4}, .base = segment::at_start, .size = 4 * kib};
    entry const inside{.kind = kind::memory, .id = {5}, .base = {0x2000}, .size = 4 * kib};
    entry const rows[] = {same, low, nowhere, wrapping, inside};
    segment::block blocks[9]{};
    segment::layout_counts const counts = segment::draw_layout({{rows, 5}, {nullptr, 0}, {0}}, {blocks, 9});
    CHECK(counts.left_out == 1);
    CHECK(counts.without_room == 0);
    REQUIRE(counts.blocks == 5);
    // By address, then by index; what wraps is drawn where it begins.
    CHECK(blocks[0].row == &rows[0]);
    CHECK(blocks[1].row == &rows[1]);
    CHECK(blocks[2].row == &rows[4]);
    CHECK(blocks[3].what == segment::block_kind::hole);
    CHECK(blocks[3].first == segment_address{0x3000});
    CHECK(blocks[4].row == &rows[3]);
    CHECK(segment::detail::is_below({{rows, 5}, {nullptr, 0}, {0}}, 0, 1));
    CHECK(!segment::detail::is_below({{rows, 5}, {nullptr, 0}, {0}}, 1, 0));
}

TEST_CASE("SEG-05: a table of any number of rows, none included, has room for just these") {
    expect_both(std::extent_v<decltype(segment::table<0>::rows)> == 1);
    expect_both(std::extent_v<decltype(segment::table<1>::rows)> == 1);
    expect_both(std::extent_v<decltype(segment::table<2>::rows)> == 2);
    auto const none = segment::table_of(segment_id{0});
    CHECK(none.all().reported.count == 0);
    CHECK(none.all().hidden.count == 0);
    auto made = segment::table_of(
        segment_id{1}, segment::aperture{.id = {1}, .base = segment::at(0x10'0000'0000), .size = 512 * mib},
        segment::memory_behind_host_aperture{.id = {2}, .base = segment::at_start, .size = segment::at_start});
    REQUIRE(
        made.place({2}, {.base = segment::at(0x80'0000'0000), .size = 4 * gib, .host_aperture = {{0xE000'0000}, 16}}) ==
        segment::no_rule_broken);
    CHECK(made.rows[1].host_aperture.size_in_pages == 16);
    CHECK(made.rows[1].size == 4 * gib);
}

}  // namespace segment_corners_test
