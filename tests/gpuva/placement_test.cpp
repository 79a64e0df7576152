// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/gpuva/level_desc.hpp>
#include <wddmcore/gpuva/placement/by_segments.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>

#include "../base/expect_both.hpp"

namespace placement_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::broken_rule;
using gpuva::no_rule_broken;
using gpuva::page_table_placement;
using gpuva::rule;
using gpuva::table_memory;

namespace {

constexpr gpuva::table_home in_system{{0}, table_memory::system};
constexpr gpuva::table_home in_bar{{2}, table_memory::cpu_visible};
constexpr gpuva::table_home behind_aperture{{3}, table_memory::cpu_host_aperture};
constexpr gpuva::table_home hidden{{4}, table_memory::out_of_cpu_reach};

constexpr page_table_placement everywhere(gpuva::table_home tables, gpuva::table_home paging_process) {
    page_table_placement placement{};
    for (gpuva::level_placement& level : placement.levels) {
        level = {tables, paging_process, {0}};
    }
    return placement;
}

constexpr broken_rule judged(page_table_placement const& placement, update_modes modes,
                             page_table_geometry const& g = amd_gpuvm) {
    return gpuva::judge_placement(g, placement, modes);
}

constexpr page_table_placement with(page_table_placement placement, u32 level, gpuva::level_placement const& one) {
    placement.levels[level] = one;
    return placement;
}

constexpr page_table_geometry large_leaf_table{.level_count = 3, .levels = {{10, 8}, {9, 8}, {9, 8}}};
constexpr page_table_geometry large_64k_table{
    .level_count = 3, .levels = {{9, 8}, {9, 8}, {9, 8}}, .leaf = leaf_tables::both, .entry_bytes_64k = 16};

}  // namespace

namespace {

/// Reading behind the last level would be an error of constant evaluation.
constexpr bool levels_end(u32 level_count) {
    page_table_geometry g = amd_gpuvm;
    g.level_count = level_count;
    return gpuva::judge_table_segments(segment::view{}, g, gpuva::page_table_segments{}) == segment::no_rule_broken;
}
static_assert(levels_end(gpuva::most_levels) && levels_end(gpuva::most_levels + 1) && levels_end(~u32{0}));

}  // namespace

TEST_CASE("GVA-01: a geometry that claims more levels than there can be is judged as far as there are some") {
    CHECK(levels_end(gpuva::most_levels + 1));
}

TEST_CASE("GVA-39: a resizable root starts with the pages of its first entries, and with none where it has none") {
    // Whole pages of 4 KiB of 2^bits entries of 4 bytes.
    auto const first = [](u32 bits) {
        page_table_geometry g = two_levels;
        g.levels[1].index_bits = bits;
        return gpuva::first_table_bytes(g, 1).n;
    };
    CHECK(first(0) == 0);
    CHECK(first(1) == 4096);
    CHECK(first(10) == 4096);
    CHECK(first(11) == 8192);
    CHECK(gpuva::first_table_bytes(two_levels, 0).n == 4096);
    CHECK(gpuva::first_table_bytes(amd_gpuvm, 3).n == 4096);
}

TEST_CASE("GVA-06: a table in system memory has at most 4096 bytes, the paging process's too") {
    using enum update_modes;
    CHECK(judged(everywhere(in_system, in_system), gpu_physical) == no_rule_broken);
    CHECK(judged(everywhere(in_system, in_system), gpu_physical, large_leaf_table) ==
          broken_rule{rule::large_table_in_system, 0, 8192});
    CHECK(judged(everywhere(in_bar, in_system), gpu_physical, large_leaf_table) ==
          broken_rule{rule::large_table_in_system, 0, 8192});
    CHECK(judged(everywhere(in_bar, in_bar), gpu_physical, large_leaf_table) == no_rule_broken);
    CHECK(judged(with(everywhere(in_system, in_system), 0, {in_bar, in_bar, {0}}), gpu_physical, large_leaf_table) ==
          no_rule_broken);
    // 1024 entries of 4 bytes fit; the root can grow to as many.
    CHECK(judged(everywhere(in_system, in_system), cpu_virtual, two_levels) == no_rule_broken);
    page_table_geometry wide_root = two_levels;
    wide_root.virtual_address_bits = 33;
    CHECK(judged(everywhere(in_system, in_system), cpu_virtual, wide_root) ==
          broken_rule{rule::large_table_in_system, 1, 8192});
    CHECK(judged(everywhere(in_system, in_system), gpu_physical, large_64k_table) == no_rule_broken);
    page_table_geometry large_64k = large_64k_table;
    large_64k.levels[0] = {13, 4};
    CHECK(judged(with(everywhere(in_system, in_system), 0, {in_bar, in_system, {0}}), gpu_physical, large_64k) ==
          broken_rule{rule::large_table_in_system, 0, 32768});
}

TEST_CASE("AMB-21: system memory is segment 0, and segment 0 nothing else") {
    using enum update_modes;
    CHECK(judged(everywhere({{5}, table_memory::system}, in_system), gpu_physical) ==
          broken_rule{rule::system_segment_id, 0, 5});
    CHECK(judged(everywhere(in_system, {{0}, table_memory::cpu_visible}), gpu_physical) ==
          broken_rule{rule::system_segment_id, 0, 0});
}

TEST_CASE("GVA-07: with CPU-virtual updates no directory lies in a local segment") {
    using enum update_modes;
    for (gpuva::table_home home : {in_bar, behind_aperture, hidden}) {
        page_table_placement const one = with(everywhere(in_system, in_system), 2, {home, in_system, {0}});
        CHECK(judged(one, cpu_virtual) == broken_rule{rule::directory_in_local, 2, home.segment.n});
        CHECK(judged(one, cpu_virtual | gpu_physical) == broken_rule{rule::directory_in_local, 2, home.segment.n});
        CHECK(judged(one, gpu_physical) == no_rule_broken);
        CHECK(judged(one, gpu_virtual) == no_rule_broken);
    }
}

TEST_CASE("AMB-42: with CPU-virtual updates a leaf table may be local, where the CPU reaches it") {
    using enum update_modes;
    page_table_placement const base = everywhere(in_system, in_system);
    CHECK(judged(with(base, 0, {in_bar, in_system, {0}}), cpu_virtual) == no_rule_broken);
    CHECK(judged(with(base, 0, {behind_aperture, in_system, {0}}), cpu_virtual) == no_rule_broken);
    CHECK(judged(with(base, 0, {hidden, in_system, {0}}), cpu_virtual) ==
          broken_rule{rule::leaf_out_of_cpu_reach, 0, 4});
    CHECK(judged(with(base, 0, {hidden, in_system, {0}}), gpu_virtual) == no_rule_broken);
}

TEST_CASE("GVA-40: whatever the mode, the CPU reaches the paging process's tables") {
    using enum update_modes;
    for (update_modes mode : {cpu_virtual, gpu_virtual, gpu_physical}) {
        for (u32 level = 0; level < 4; ++level) {
            CAPTURE(level);
            page_table_placement const base = everywhere(in_system, in_system);
            CHECK(judged(with(base, level, {in_system, hidden, {0}}), mode) ==
                  broken_rule{rule::paging_out_of_cpu_reach, level, 4});
            CHECK(judged(with(base, level, {in_system, in_bar, {0}}), mode) == no_rule_broken);
            CHECK(judged(with(base, level, {in_system, behind_aperture, {0}}), mode) == no_rule_broken);
        }
    }
}

TEST_CASE("GVA-04: the alignment of tables is 0 or a power of two of whole pages") {
    page_table_placement const base = everywhere(in_system, in_system);
    for (u64 wrong : {u64{1}, u64{2048}, u64{12288}, u64{1} << 32}) {
        CHECK(judged(with(base, 1, {in_system, in_system, {wrong}}), update_modes::gpu_physical) ==
              broken_rule{rule::table_alignment, 1, wrong});
    }
    for (u64 right : {u64{0}, u64{4096}, u64{65536}, u64{1} << 31}) {
        CHECK(judged(with(base, 1, {in_system, in_system, {right}}), update_modes::gpu_physical) == no_rule_broken);
    }
}

TEST_CASE("AMB-24: LevelIndex is the first word of the query, PhysicalAdapterIndex the second") {
    // Level 2 of adapter 1, as the system stores it (offsets by tests/abi/ddi_abi.json).
    unsigned char const stored[4] = {2, 0, 1, 0};
    mirror::v2_0::dxgk_querypagetableleveldescin asked{};
    std::memcpy(&asked, stored, sizeof stored);
    CHECK(asked.LevelIndex == 2);
    CHECK(asked.PhysicalAdapterIndex == 1);
}

TEST_CASE("GVA-04: a level's descriptor, all members") {
    page_table_placement placement = everywhere(in_bar, in_system);
    placement.levels[1].alignment = 64 * kib;
    mirror::v2_0::dxgk_page_table_level_desc answer;
    std::memset(&answer, 0xA5, sizeof answer);
    gpuva::fill_page_table_level_desc(nvidia_v2, placement, 1, answer);
    CHECK(answer.PageTableIndexBitCount == 8);
    CHECK(answer.PageTableSegmentId == 2);
    CHECK(answer.PagingProcessPageTableSegmentId == 0);
    CHECK(answer.PageTableSizeInBytes == 4096);
    CHECK(answer.PageTableAlignmentInBytes == 65536);
    gpuva::fill_page_table_level_desc(widest, placement, 0, answer);
    CHECK(answer.PageTableIndexBitCount == 13);
    CHECK(answer.PageTableSizeInBytes == 65536);
    CHECK(answer.PageTableAlignmentInBytes == 0);
}

TEST_CASE("GVA-05: the leaf's descriptor counts 4-KiB entries, its size the hardware's") {
    mirror::v2_0::dxgk_page_table_level_desc answer{};
    gpuva::fill_page_table_level_desc(mock_tables, everywhere(in_bar, in_bar), 0, answer);
    CHECK(answer.PageTableIndexBitCount == 7);
    CHECK(answer.PageTableSizeInBytes == 4096);
    // Below a resizable root too: 2^13 entries for 4 KiB each, 2^11 of 4 bytes for the GPU's pages.
    constexpr page_table_geometry large_pages_below_root{
        .level_count = 2, .levels = {{13, 4}, {4, 4}}, .virtual_address_bits = 32, .gpu_page = 16 * kib};
    expect_both(gpuva::judge(large_pages_below_root) == no_rule_broken);
    gpuva::fill_page_table_level_desc(large_pages_below_root, everywhere(in_bar, in_bar), 0, answer);
    CHECK(answer.PageTableIndexBitCount == 13);
    CHECK(answer.PageTableSizeInBytes == 8192);
}

TEST_CASE("GVA-03: a resizable root's descriptor says how it starts") {
    mirror::v2_0::dxgk_page_table_level_desc answer{};
    gpuva::fill_page_table_level_desc(two_levels, everywhere(in_system, in_system), 1, answer);
    CHECK(answer.PageTableIndexBitCount == 4);
    CHECK(answer.PageTableSizeInBytes == 4096);
    page_table_geometry from_nothing = two_levels;
    from_nothing.levels[1].index_bits = 0;
    gpuva::fill_page_table_level_desc(from_nothing, everywhere(in_system, in_system), 1, answer);
    CHECK(answer.PageTableIndexBitCount == 0);
    CHECK(answer.PageTableSizeInBytes == 0);
}

TEST_CASE("GVA-06: homes of levels above the root do not matter") {
    constexpr gpuva::table_home contradiction{{9}, table_memory::system};
    page_table_placement const base = everywhere(in_system, in_system);
    CHECK(judged(with(base, 4, {contradiction, in_system, {0}}), update_modes::gpu_physical) == no_rule_broken);
    CHECK(judged(with(base, 3, {contradiction, in_system, {0}}), update_modes::gpu_physical) ==
          broken_rule{rule::system_segment_id, 3, 9});
}

}  // namespace placement_test
