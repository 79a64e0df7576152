// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"
#include "table_samples.hpp"

namespace judge_order_test {

using namespace table_samples;
using segment::entry;

namespace {

/// An aperture and so many memory segments of 1 MiB side by side.
struct many {
    entry rows[40]{};
    usize count = 0;
    [[nodiscard]] segment::view all() const { return {{rows, count}, {nullptr, 0}, window}; }
};

many segments(usize count) {
    many made{};
    made.count = count;
    made.rows[0] = segment::row_of(aperture);
    for (usize index = 1; index < count; ++index) {
        u32 const id = static_cast<u32>(index) + 1;
        made.rows[index] = segment::row_of(segment::memory{.id = {id}, .base = at(index << 20), .size = 1 * mib});
    }
    return made;
}

constexpr segment::memory second{.id = {2}, .base = at(0), .size = 1 * gib};
constexpr segment::memory third{.id = {3}, .base = at(0x8000'0000), .size = 1 * gib};

}  // namespace

TEST_CASE("SEG-05: an id is the position in the table") {
    constexpr segment::memory wrong{.id = {3}, .size = 1 * gib};
    expect_both(judged_second(wrong) == broken_rule{rule::id_is_not_position, 2, 3});
    constexpr segment::memory same{.id = window, .size = 1 * gib};
    expect_both(judged_second(same) == broken_rule{rule::id_is_not_position, 2, 1});
    // Hidden ranges have no id and move none.
    constexpr segment::hidden firmware{at(0x1'0000'0000), 4 * mib};
    expect_both(judged(table_of(window, firmware, aperture, second, firmware, third)).what == rule::overlap);
    constexpr segment::hidden elsewhere{at(0x2'0000'0000), 4 * mib};
    expect_both(judged(table_of(window, firmware, aperture, second, elsewhere, third)) == no_rule_broken);
}

TEST_CASE("SEG-06: at most 30 segments from WDDM 2.0, 31 below") {
    CHECK(segment::judge(segments(30).all(), newest) == no_rule_broken);
    CHECK(segment::judge(segments(31).all(), newest) == broken_rule{rule::too_many_segments, 0, 31});
    CHECK(segment::judge(segments(31).all(), before_v2_0) == no_rule_broken);
    CHECK(segment::judge(segments(32).all(), before_v2_0) == broken_rule{rule::too_many_segments, 0, 32});
}

TEST_CASE("SEG-27: system memory is never reported") {
    constexpr segment::memory zero{.size = 1 * gib};
    expect_both(judged_second(zero) == broken_rule{rule::system_memory_reported, 2, 0});
    constexpr segment::memory reserved{.id = {31}, .size = 1 * gib};
    expect_both(judged_second(reserved) == broken_rule{rule::system_memory_reported, 2, 31});
    expect_both(judged_second(reserved, before_v2_0) == broken_rule{rule::id_is_not_position, 2, 31});
}

TEST_CASE("SEG-11: an AGP aperture is alone with its flag, there is one, and it is the last of its table") {
    constexpr segment::agp_aperture agp{.id = {2}};
    expect_both(judged_second(agp, before_v2_0) == no_rule_broken);
    expect_both(judged_second(with_flags(agp, 0x10), before_v2_0) == broken_rule{rule::agp_with_flags, 2, 0x12});
    expect_both(judged(table_of(window, aperture, agp, third), before_v2_0) == broken_rule{rule::agp_not_last, 2, 3});
    constexpr segment::agp_aperture again{.id = {3}};
    expect_both(judged(table_of(window, aperture, agp, again), before_v2_0) == broken_rule{rule::agp_twice, 3, 2});
}

TEST_CASE("SEG-11: an AGP aperture is there below WDDM 2.0 only: no later query tells of it") {
    constexpr segment::agp_aperture agp{.id = {2}};
    expect_both(judged_second(agp) == broken_rule{rule::agp_from_v2_0, 2, 2});
    auto const table = table_of(window, aperture, agp);
    for (wddm const version : interface_versions) {
        CAPTURE(static_cast<u32>(version));
        bool const right = judged(table, {.version = version, .wide_sizes = true}) == no_rule_broken;
        CHECK(right == (static_cast<u32>(version) < 0x5023));
    }
}

TEST_CASE("SEG-12: base and size of an AGP aperture count nowhere") {
    constexpr entry agp = changed(segment::agp_aperture{.id = {2}}, [](entry& row) {
        row.base = at(0x7FFF'0000'0001);  // inside the other aperture, and at no page
        row.size = {5};
    });
    expect_both(judged_second(agp, before_v2_0) == no_rule_broken);
}

TEST_CASE("SEG-26: exactly one aperture from WDDM 2.0, any number below") {
    constexpr segment::aperture other{.id = {2}, .base = at(0), .size = 1 * gib};
    expect_both(judged_second(other) == broken_rule{rule::aperture_count, 0, 2});
    expect_both(judged_second(other, before_v2_0) == no_rule_broken);
    constexpr segment::memory alone{.id = {1}, .size = 1 * gib};
    expect_both(judged(table_of({0}, alone)) == broken_rule{rule::aperture_count, 0, 0});
    expect_both(judged(table_of({0}, alone), before_v2_0) == no_rule_broken);
    expect_both(judged(table_of({0})) == broken_rule{rule::aperture_count, 0, 0});
    auto const one_memory = table_of({0}, alone);
    for (wddm const version : interface_versions) {
        profile const of{.version = version, .wide_sizes = true};
        bool const right = segment::detail::judge_apertures(one_memory.all(), of) == no_rule_broken;
        CHECK(right == (static_cast<u32>(version) < 0x5023));
    }
}

TEST_CASE("AMB-04: a compute-only adapter has one aperture or none") {
    constexpr profile compute{.version = wddm::v3_2, .compute_only = true, .wide_sizes = true};
    constexpr segment::memory alone{.id = {1}, .size = 1 * gib};
    constexpr segment::aperture other{.id = {2}, .base = at(0), .size = 1 * gib};
    expect_both(judged(table_of({0}, alone), compute) == no_rule_broken);
    expect_both(judged(table_of({0}), compute) == no_rule_broken);
    expect_both(judged_second(visible, compute) == no_rule_broken);
    expect_both(judged_second(other, compute) == broken_rule{rule::aperture_count, 0, 2});
}

TEST_CASE("SEG-40: the paging-buffer segment is 0 or an aperture") {
    expect_both(judged(table_of({0}, aperture, visible)) == no_rule_broken);
    expect_both(judged(table_of(vram, aperture, visible)) == broken_rule{rule::paging_buffer_segment, 2, 2});
    expect_both(judged(table_of({3}, aperture, visible)) == broken_rule{rule::paging_buffer_segment, 3, 3});
    // What lies behind the reported rows is none of them.
    constexpr auto three =
        table_of({3}, aperture, visible, segment::aperture{.id = {3}, .base = at(0), .size = 1 * gib});
    segment::view cut = three.all();
    cut.reported.count = 2;
    CHECK(segment::detail::judge_paging_buffer(cut, wddm::v1_3) == broken_rule{rule::paging_buffer_segment, 3, 3});
    CHECK(segment::detail::judge_paging_buffer(three.all(), wddm::v1_3) == no_rule_broken);
    // It may be left out of what is reported.
    constexpr segment::agp_aperture agp{.id = {2}};
    expect_both(judged(table_of({2}, aperture, agp), before_v2_0) == broken_rule{rule::paging_buffer_segment, 2, 2});
}

TEST_CASE("OBS-04: the segment behind a CPU host aperture is the last") {
    expect_both(judged_second(behind) == no_rule_broken);
    expect_both(judged(table_of(window, aperture, behind, third)) == broken_rule{rule::host_aperture_not_last, 2, 3});
    // Hidden ranges are not reported: they may stand behind it.
    constexpr segment::hidden firmware{at(0), 4 * mib};
    expect_both(judged(table_of(window, aperture, behind, firmware)) == no_rule_broken);
}

TEST_CASE("OBS-04: from WDDM 2.0 the aperture of paging buffers is segment 1") {
    constexpr segment::memory first{.id = {1}, .size = 1 * gib};
    constexpr segment::aperture other{.id = {2}, .base = at(0x1'0000'0000), .size = 1 * gib};
    expect_both(judged(table_of({2}, first, other)) == broken_rule{rule::paging_buffer_not_first, 2, 2});
    expect_both(judged(table_of({0}, first, other)) == no_rule_broken);
    expect_both(judged(table_of({2}, first, other), before_v2_0) == no_rule_broken);
}

}  // namespace judge_order_test
