// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/gpuva/link.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace link_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::narrowed;
using gpuva::no_rule_broken;

namespace {

constexpr page_table_geometry nvidia_48 = narrowed(nvidia_v2, 48).get();
constexpr page_table_geometry amd_said{
    .level_count = 4, .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}}, .virtual_address_bits = 48};

}  // namespace

TEST_CASE("GVA-33: adapters of a link clamp their addresses to the smallest width") {
    expect_both(gpuva::address_bits(nvidia_48) == 48);
    expect_both(gpuva::judge(nvidia_48) == no_rule_broken);
    expect_both(nvidia_48.levels[4].index_bits == 1 && nvidia_48.levels[3].index_bits == 9);
    static_assert(gpuva::check_linked_page_tables<nvidia_48, amd_gpuvm, intel_ppgtt>());
    static_assert(gpuva::check_linked_page_tables<nvidia_48>());
    // A root with nothing left is no root; addresses do not grow.
    expect_both(narrowed(nvidia_v2, 47).error == errc::out_of_range);
    expect_both(narrowed(nvidia_v2, 50).error == errc::out_of_range);
    expect_both(narrowed(nvidia_v2, 49).ok());
    expect_both(gpuva::judge(narrowed(amd_said, 40).get()) == no_rule_broken);
    expect_both(narrowed(amd_said, 40).get().virtual_address_bits == 40);
    // What says no width has none afterwards.
    expect_both(narrowed(amd_gpuvm, 40).get().virtual_address_bits == 0);
}

TEST_CASE("GVA-33: a resizable root is clamped too, what it starts with included") {
    constexpr page_table_geometry narrow = narrowed(two_levels, 25).get();
    expect_both(gpuva::address_bits(narrow) == 25 && narrow.levels[1].index_bits == 3);
    expect_both(gpuva::judge(narrow) == no_rule_broken);
    expect_both(narrowed(two_levels, 28).get().levels[1].index_bits == 4);
    expect_both(narrowed(two_levels, 22).error == errc::out_of_range);
    expect_both(narrowed(two_levels, 3).error == errc::out_of_range);
}

}  // namespace link_test
