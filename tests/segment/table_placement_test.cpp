// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/gpuva/placement/by_segments.hpp>

#include "../base/expect_both.hpp"
#include "table_samples.hpp"

namespace table_placement_test {

using namespace table_samples;
using gpuva::every_level_in;
using gpuva::placement_verdict;
using gpuva::table_memory;
using enum update_modes;

namespace {

constexpr segment_id system_memory{0};
constexpr segment_id unknown{9};

/// Tables of 4096 bytes each, and tables of 8192 in the leaf.
constexpr gpuva::page_table_geometry small_tables{.level_count = 3, .levels = {{9, 8}, {9, 8}, {9, 8}}};
constexpr gpuva::page_table_geometry large_leaf{.level_count = 3, .levels = {{10, 8}, {9, 8}, {9, 8}}};

constexpr auto with_bar = table_of(window, aperture, visible);
constexpr auto with_window = table_of(window, aperture, behind);
constexpr auto without = table_of(window, aperture, invisible);

template <usize Rows>
constexpr placement_verdict judged_in(segment::table<Rows> const& table, segment_id tables, segment_id paging,
                                      update_modes modes, gpuva::page_table_geometry const& g = small_tables) {
    return gpuva::judge_placement(table.all(), g, every_level_in(tables, paging), modes);
}

constexpr bool breaks(placement_verdict const& verdict, gpuva::rule what, u32 level, u64 value) {
    return verdict.of_segments == no_rule_broken && verdict.of_tables == gpuva::broken_rule{what, level, value};
}

}  // namespace

TEST_CASE("GVA-40: how the CPU reaches page tables follows from the flags of their segment") {
    expect_both(gpuva::home_of(with_bar.all(), vram).memory == table_memory::cpu_visible);
    expect_both(gpuva::home_of(with_window.all(), vram).memory == table_memory::cpu_host_aperture);
    expect_both(gpuva::home_of(without.all(), vram).memory == table_memory::out_of_cpu_reach);
    expect_both(gpuva::home_of(without.all(), system_memory).memory == table_memory::system);
    // The paging process's tables are written by the CPU, whatever the mode.
    expect_both(judged_in(with_bar, vram, vram, gpu_physical).ok());
    expect_both(judged_in(with_window, vram, vram, gpu_physical).ok());
    expect_both(judged_in(without, vram, system_memory, gpu_physical).ok());
    expect_both(breaks(judged_in(without, vram, vram, gpu_physical), gpuva::rule::paging_out_of_cpu_reach, 0, 2));
    expect_both(!judged_in(without, vram, vram, gpu_physical).ok());
}

TEST_CASE("OBS-05: CPU-virtual updates of leaf tables out of the CPU's reach are refused") {
    gpuva::page_table_segments leaf_only = every_level_in(system_memory, system_memory);
    leaf_only.levels[0].segment = vram;
    CHECK(gpuva::judge_placement(with_bar.all(), small_tables, leaf_only, cpu_virtual).ok());
    CHECK(gpuva::judge_placement(with_window.all(), small_tables, leaf_only, cpu_virtual).ok());
    CHECK(breaks(gpuva::judge_placement(without.all(), small_tables, leaf_only, cpu_virtual),
                 gpuva::rule::leaf_out_of_cpu_reach, 0, 2));
    CHECK(gpuva::judge_placement(without.all(), small_tables, leaf_only, gpu_physical).ok());
}

TEST_CASE("GVA-07: CPU-virtual updates want directories in system memory (AMB-42)") {
    expect_both(breaks(judged_in(with_bar, vram, system_memory, cpu_virtual | gpu_virtual),
                       gpuva::rule::directory_in_local, 1, 2));
    expect_both(judged_in(with_bar, vram, system_memory, gpu_virtual).ok());
}

TEST_CASE("OBS-06: a table in system memory has at most 4096 bytes (GVA-06)") {
    expect_both(judged_in(with_bar, system_memory, system_memory, gpu_physical).ok());
    expect_both(breaks(judged_in(with_bar, system_memory, system_memory, gpu_physical, large_leaf),
                       gpuva::rule::large_table_in_system, 0, 8192));
    expect_both(judged_in(with_bar, vram, vram, gpu_physical, large_leaf).ok());
}

TEST_CASE("SEG-05: page tables lie in a segment that is reported") {
    expect_both(judged_in(with_bar, unknown, vram, gpu_physical).of_segments ==
                broken_rule{rule::table_segment_unknown, 9, 0});
    expect_both(judged_in(with_bar, vram, unknown, gpu_physical).of_segments ==
                broken_rule{rule::table_segment_unknown, 9, 0});
    // AMB-21: system memory is 0, and nothing else.
    expect_both(!judged_in(with_bar, {31}, {31}, gpu_physical).ok());
    // Levels that the geometry does not have do not matter.
    gpuva::page_table_segments behind_root = every_level_in(vram, vram);
    behind_root.levels[2].segment = unknown;
    CHECK(gpuva::judge_placement(with_bar.all(), small_tables, behind_root, gpu_physical).of_segments ==
          broken_rule{rule::table_segment_unknown, 9, 2});
    behind_root.levels[2].segment = vram;
    behind_root.levels[3].segment = unknown;
    CHECK(gpuva::judge_placement(with_bar.all(), small_tables, behind_root, gpu_physical).ok());
}

TEST_CASE("SEG-05: the segments of the levels that page tables have are judged, of six levels at the most") {
    gpuva::page_table_segments last_unknown = every_level_in(vram, vram);
    last_unknown.levels[gpuva::most_levels - 1].paging_process_segment = unknown;
    broken_rule const of_last{rule::table_segment_unknown, 9, gpuva::most_levels - 1};
    for (u32 levels = 0; levels <= gpuva::most_levels + 2; ++levels) {
        CAPTURE(levels);
        gpuva::page_table_geometry g{};
        g.level_count = levels;
        CHECK(gpuva::judge_table_segments(with_bar.all(), g, last_unknown) ==
              (levels < gpuva::most_levels ? segment::no_rule_broken : of_last));
    }
    // Page tables that their own judge refuses: behind the last level nothing is read (the compiler would say so).
    constexpr gpuva::page_table_geometry too_many{.level_count = gpuva::most_levels + 1, .levels = {}};
    expect_both(gpuva::judge_table_segments(with_bar.all(), too_many, every_level_in(vram, vram)) ==
                segment::no_rule_broken);
}

TEST_CASE("SEG-10: page tables cannot lie in an aperture, which holds no bits") {
    expect_both(judged_in(with_bar, window, vram, gpu_physical).of_segments ==
                broken_rule{rule::table_segment_is_aperture, 1, 0});
    expect_both(judged_in(with_bar, vram, window, gpu_physical).of_segments ==
                broken_rule{rule::table_segment_is_aperture, 1, 0});
}

TEST_CASE("GVA-04: the alignment of a level's tables is judged with its segments") {
    gpuva::page_table_segments odd = every_level_in(vram, vram);
    odd.levels[1].alignment = bytes{5000};
    CHECK(breaks(gpuva::judge_placement(with_bar.all(), small_tables, odd, gpu_physical), gpuva::rule::table_alignment,
                 1, 5000));
    odd.levels[1].alignment = 64 * kib;
    CHECK(gpuva::judge_placement(with_bar.all(), small_tables, odd, gpu_physical).ok());
}

}  // namespace table_placement_test
