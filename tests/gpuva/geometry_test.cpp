// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace geometry_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::broken_rule;
using gpuva::no_rule_broken;
using gpuva::rule;

namespace {

/// AMD's page tables with one thing changed.
template <class Change>
constexpr broken_rule judged(Change change, page_table_geometry g = amd_gpuvm) {
    change(g);
    return gpuva::judge(g);
}

/// A type of two chips.
template <page_table_geometry const& First, page_table_geometry const& Second>
struct two_chips {
    u32 generation = 0;
    static constexpr chosen_among page_tables{{First, Second}, &two_chips::generation};
};
constexpr page_table_geometry three_levels{.level_count = 3, .levels = {{9, 8}, {8, 16}, {9, 8}}};
constexpr page_table_geometry without_levels{.level_count = 1, .levels = {{9, 8}}};
constexpr page_table_geometry leaf_of_16_bytes{.level_count = 3, .levels = {{8, 16}, {9, 8}, {9, 8}}};
constexpr page_table_geometry both_leaves{
    .level_count = 3, .levels = {{13, 8}, {9, 8}, {9, 8}}, .leaf = leaf_tables::both};
constexpr page_table_geometry small_leaves_of_16{
    .level_count = 3, .levels = {{13, 8}, {9, 8}, {9, 8}}, .leaf = leaf_tables::both, .entry_bytes_64k = 16};

constexpr page_table_geometry const* samples[] = {&amd_gpuvm,  &nvidia_v2, &intel_ppgtt, &mock_tables,
                                                  &two_levels, &tiny_dual, &six_levels,  &widest};

}  // namespace

TEST_CASE("GVA-01: 2 to 6 levels, and two of them mean a resizable root") {
    for (u32 count : {0u, 1u, 7u, 100u}) {
        CAPTURE(count);
        CHECK(judged([count](auto& g) { g.level_count = count; }) == broken_rule{rule::level_count, 0, count});
    }
    expect_both(gpuva::root_is_resizable(two_levels));
    expect_both(!gpuva::root_is_resizable(amd_gpuvm) && !gpuva::root_is_resizable(six_levels));
    expect_both(gpuva::judge(six_levels) == no_rule_broken && gpuva::judge(two_levels) == no_rule_broken);
}

TEST_CASE("GVA-02: level 0 is the leaf, the highest level is the root") {
    for (page_table_geometry const* g : samples) {
        CHECK(gpuva::entry_coverage(*g, 0) == bytes{4096});
        u32 const root = gpuva::root_level(*g);
        CHECK(gpuva::entry_coverage(*g, root).n * gpuva::entry_count(*g, root) == gpuva::pages_in_space(*g) * 4096);
        for (u32 level = 1; level < g->level_count; ++level) {
            CAPTURE(level);
            u64 const table_below = gpuva::entry_coverage(*g, level - 1).n * gpuva::entry_count(*g, level - 1);
            CHECK(gpuva::entry_coverage(*g, level).n == table_below);
        }
    }
    // What lies past the root is a root at the wrong end, or a wrong count.
    CHECK(judged([](auto& g) { g.level_count = 3; }) == broken_rule{rule::level_past_the_root, 3, 3});
    CHECK(judged([](auto& g) { g.levels[5].large_pages = true; }) == broken_rule{rule::level_past_the_root, 5, 4});
    CHECK(judged([](auto& g) { g.levels[4].entry_bytes = 8; }) == broken_rule{rule::level_past_the_root, 4, 4});
}

TEST_CASE("GVA-02: the indices of an address are its bits, from the root down") {
    // NVIDIA's bits by PACKETS: PD3 [48:47], PD2 [46:38], PD1 [37:29], PD0 [28:21], PT [20:12].
    constexpr gpu_virtual_address at{u64{2} << 47 | u64{0x155} << 38 | u64{0x0AA} << 29 | u64{0x81} << 21 |
                                     u64{0x1F3} << 12 | 0x123};
    expect_both(gpuva::entry_index(nvidia_v2, 4, at) == 2);
    expect_both(gpuva::entry_index(nvidia_v2, 3, at) == 0x155);
    expect_both(gpuva::entry_index(nvidia_v2, 2, at) == 0x0AA);
    expect_both(gpuva::entry_index(nvidia_v2, 1, at) == 0x81);
    expect_both(gpuva::entry_index(nvidia_v2, 0, at) == 0x1F3);
}

TEST_CASE("GVA-03: above two levels the width of an address is 12 and all index bits") {
    expect_both(gpuva::address_bits(amd_gpuvm) == 48);
    expect_both(gpuva::address_bits(nvidia_v2) == 49);
    expect_both(gpuva::address_bits(mock_tables) == 12 + 7 + 5 + 3 + 6 + 4);
    expect_both(gpuva::address_bits(widest) == 64);
    expect_both(gpuva::pages_in_space(widest) == u64{1} << 52);
    // Said as well, it must be the same.
    CHECK(judged([](auto& g) { g.virtual_address_bits = 48; }) == no_rule_broken);
    CHECK(judged([](auto& g) { g.virtual_address_bits = 47; }) == broken_rule{rule::address_bits_differ, 0, 48});
    CHECK(judged([](auto& g) { g.virtual_address_bits = 49; }) == broken_rule{rule::address_bits_differ, 0, 48});
    CHECK(judged([](auto& g) { g.levels[3].index_bits = 26; }) == broken_rule{rule::address_too_wide, 0, 65});
    CHECK(judged([](auto& g) { g.levels[3].index_bits = 25; }) == no_rule_broken);
}

TEST_CASE("GVA-03: of two levels the root takes what is left") {
    expect_both(gpuva::index_bits(two_levels, 1) == 32 - 12 - 10);
    expect_both(gpuva::entry_count(two_levels, 1) == 1024);
    auto const with = [](u32 bits) { return judged([bits](auto& g) { g.virtual_address_bits = bits; }, two_levels); };
    CHECK(with(0) == broken_rule{rule::address_bits_missing, 0, 0});
    CHECK(with(65) == broken_rule{rule::address_bits_missing, 0, 65});
    CHECK(with(22) == broken_rule{rule::nothing_left_for_root, 1, 22});
    CHECK(with(5) == broken_rule{rule::nothing_left_for_root, 1, 22});
    CHECK(with(54) == broken_rule{rule::nothing_left_for_root, 1, 22});
    CHECK(with(53) == no_rule_broken);
    // It may start with any number of entries that an address can name, none included.
    CHECK(with(25) == broken_rule{rule::first_root_too_large, 1, 4});
    CHECK(with(26) == no_rule_broken);
    CHECK(judged([](auto& g) { g.levels[1].index_bits = 0; }, two_levels) == no_rule_broken);
}

TEST_CASE("GVA-04: a table is a multiple of 4096 bytes that holds its entries") {
    for (page_table_geometry const* g : samples) {
        for (u32 level = 0; level < g->level_count; ++level) {
            CAPTURE(level);
            u64 const needed = gpuva::hardware_entry_count(*g, level) * g->levels[level].entry_bytes;
            u64 const size = gpuva::table_bytes(*g, level).n;
            CHECK(size % 4096 == 0);
            CHECK(size >= needed);
            CHECK(size - needed < 4096);
        }
    }
    // PD0 has 256 entries of 16 bytes; the root has 4 of 8 bytes and takes a page.
    expect_both(gpuva::table_bytes(nvidia_v2, 1) == bytes{4096});
    expect_both(gpuva::table_bytes(nvidia_v2, 4) == bytes{4096});
    expect_both(gpuva::table_bytes(widest, 0) == bytes{8192 * 8});
    for (u32 size : {0u, 1u, 2u, 12u, 32u}) {
        CAPTURE(size);
        CHECK(judged([size](auto& g) { g.levels[2].entry_bytes = size; }) == broken_rule{rule::entry_size, 2, size});
    }
    CHECK(judged([](auto& g) { g.levels[1].index_bits = 0; }) == broken_rule{rule::index_bits_missing, 1, 0});
    CHECK(judged([](auto& g) { g.levels[0].index_bits = 0; }, two_levels) ==
          broken_rule{rule::index_bits_missing, 0, 0});
    CHECK(judged([](auto& g) { g.levels[2].index_bits = 29; }) == broken_rule{rule::table_too_large, 2, 29});
    CHECK(judged([](auto& g) { g.levels[2].index_bits = 32; }) == broken_rule{rule::table_too_large, 2, 32});
    CHECK(judged([](auto& g) { g.levels[2].index_bits = ~0u; }) == broken_rule{rule::table_too_large, 2, ~0u});
}

TEST_CASE("GVA-05: index bits of the leaf count 4-KiB entries whatever the GPU's page is") {
    // 128 entries of 4 KiB; the hardware has 32, of 16 KiB each.
    expect_both(gpuva::entry_count(mock_tables, 0) == 128);
    expect_both(gpuva::hardware_entry_count(mock_tables, 0) == 32);
    expect_both(gpuva::hardware_entry_count(mock_tables, 1) == gpuva::entry_count(mock_tables, 1));
    expect_both(gpuva::entry_coverage(mock_tables, 1) == 128 * bytes{4096});
    expect_both(gpuva::gpu_page_lg2(mock_tables) == 2);
    for (u64 size : {u64{0}, u64{2048}, u64{4095}, u64{12288}, u64{131072}}) {
        CAPTURE(size);
        CHECK(judged([size](auto& g) { g.gpu_page = {size}; }) == broken_rule{rule::gpu_page_size, 0, size});
    }
    for (u64 size : {u64{4096}, u64{8192}, u64{16384}, u64{65536}}) {
        CAPTURE(size);
        CHECK(judged([size](auto& g) { g.gpu_page = {size}; }) == no_rule_broken);
    }
    // A leaf table of 8 entries of 4 KiB has no whole page of 64 KiB, one of 16 has just one.
    auto const leaf_of = [](u32 bits) {
        return judged([bits](auto& g) {
            g.levels[0].index_bits = bits;
            g.gpu_page = 64 * kib;
        });
    };
    CHECK(leaf_of(3) == broken_rule{rule::gpu_page_above_table, 0, 65536});
    CHECK(leaf_of(4) == no_rule_broken);
}

TEST_CASE("GVA-09: a table of 64-KiB entries is a multiple of 4096 bytes that holds a sixteenth of the entries") {
    expect_both(gpuva::entry_count_64k(nvidia_v2) == 512 / 16);
    expect_both(gpuva::table_bytes_64k(nvidia_v2) == bytes{4096});
    expect_both(gpuva::table_bytes_64k(amd_gpuvm) == bytes{0});
    constexpr page_table_geometry wide_leaf{
        .level_count = 3, .levels = {{16, 8}, {9, 8}, {9, 8}}, .leaf = leaf_tables::either, .entry_bytes_64k = 16};
    expect_both(gpuva::judge(wide_leaf) == no_rule_broken);
    expect_both(gpuva::entry_count_64k(wide_leaf) == 4096 && gpuva::table_bytes_64k(wide_leaf) == bytes{65536});
    // Where nothing else is said its entries are as large as those of the other leaf tables: 4096 of 4 bytes.
    constexpr page_table_geometry narrow_leaf{
        .level_count = 3, .levels = {{16, 4}, {9, 8}, {9, 8}}, .leaf = leaf_tables::either};
    expect_both(gpuva::entry_bytes_64k(narrow_leaf) == 4 && gpuva::table_bytes_64k(narrow_leaf) == bytes{16384});
    CHECK(judged([](auto& g) { g.gpu_page = 16 * kib; }, nvidia_v2) == broken_rule{rule::gpu_page_is_64k, 0, 16384});
    CHECK(judged([](auto& g) { g.entry_bytes_64k = 5; }, nvidia_v2) == broken_rule{rule::entry_size_64k, 0, 5});
    CHECK(judged([](auto& g) { g.entry_bytes_64k = 8; }) == broken_rule{rule::entry_size_without_64k, 0, 8});
}

TEST_CASE("GVA-10: with 64-KiB pages the leaf has at least 4 index bits") {
    auto const leaf_of = [](u32 bits, leaf_tables leaf) {
        return judged([bits, leaf](auto& g) {
            g.levels[0].index_bits = bits;
            g.leaf = leaf;
        });
    };
    CHECK(leaf_of(3, leaf_tables::both) == broken_rule{rule::leaf_too_small_for_64k, 0, 3});
    CHECK(leaf_of(3, leaf_tables::either) == broken_rule{rule::leaf_too_small_for_64k, 0, 3});
    CHECK(leaf_of(3, leaf_tables::of_4k) == no_rule_broken);
    CHECK(leaf_of(4, leaf_tables::both) == no_rule_broken);
    CHECK(leaf_of(4, leaf_tables::either) == no_rule_broken);
}

TEST_CASE("GVA-16: a leaf has no large pages, and a large page covers what the table below would") {
    CHECK(judged([](auto& g) { g.levels[0].large_pages = true; }) == broken_rule{rule::large_leaf, 0, 0});
    expect_both(gpuva::entry_coverage(amd_gpuvm, 1) == 2 * mib);
    expect_both(gpuva::entry_coverage(amd_gpuvm, 2) == gib);
    expect_both(gpuva::entry_coverage(nvidia_v2, 1) == 2 * mib);
}

TEST_CASE("AMB-22: an index in a table of 64-KiB entries counts its own entries") {
    expect_both(gpuva::entry_count_64k(intel_ppgtt) * 16 == gpuva::entry_count(intel_ppgtt, 0));
}

TEST_CASE("GVA-02: nothing is said of a level above the root, by any of its members") {
    CHECK(judged([](auto& g) { g.levels[4].index_bits = 1; }) == broken_rule{rule::level_past_the_root, 4, 4});
    CHECK(judged([](auto& g) { g.levels[4].entry_bytes = 8; }) == broken_rule{rule::level_past_the_root, 4, 4});
    CHECK(judged([](auto& g) { g.levels[5].large_pages = true; }) == broken_rule{rule::level_past_the_root, 5, 4});
}

TEST_CASE("GVA-03: two levels can have addresses of 64 bits") {
    // 12 and 21 bits below the root leave 31 for it.
    page_table_geometry const all_bits{.level_count = 2, .levels = {{21, 4}, {0, 4}}, .virtual_address_bits = 64};
    CHECK(gpuva::judge(all_bits) == no_rule_broken);
}

TEST_CASE("chips of one type differ in their levels, but not in what a leaf table holds") {
    expect_both(gpuva::judge_chips<two_chips<amd_gpuvm, three_levels>>() == no_rule_broken);
    expect_both(gpuva::judge_chips<two_chips<three_levels, leaf_of_16_bytes>>() ==
                broken_rule{rule::chips_differ_in_leaves, 0, 16});
    expect_both(gpuva::judge_chips<two_chips<three_levels, both_leaves>>() ==
                broken_rule{rule::chips_differ_in_leaves, 0, 8});
    expect_both(gpuva::judge_chips<two_chips<both_leaves, small_leaves_of_16>>() ==
                broken_rule{rule::chips_differ_in_leaves, 0, 8});
    expect_both(gpuva::judge_chips<two_chips<three_levels, without_levels>>() == broken_rule{rule::level_count, 0, 1});
}

}  // namespace geometry_test
