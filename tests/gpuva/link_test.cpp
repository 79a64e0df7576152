// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/gpuva/addressing.hpp>
#include <wddmcore/gpuva/link.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace link_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::adapter_mmus;
using gpuva::addressing_claims;
using gpuva::broken_rule;
using gpuva::narrowed;
using gpuva::no_rule_broken;
using gpuva::rule;

namespace {

constexpr page_table_geometry nvidia_48 = narrowed(nvidia_v2, 48).get();
constexpr page_table_geometry amd_said{
    .level_count = 4, .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}}, .virtual_address_bits = 48};

template <usize Count>
constexpr broken_rule judged(addressing_claims claims, adapter_mmus const (&adapters)[Count]) {
    return gpuva::judge_addressing(claims, span_of(adapters));
}

constexpr addressing_claims gpu{.virtual_addressing = true, .gpu_mmu = true};
constexpr addressing_claims both{
    .virtual_addressing = true, .gpu_mmu = true, .io_mmu = true, .both_on_one_adapter = true};
constexpr adapter_mmus gpu_adapter{.gpu_mmu = true};
constexpr adapter_mmus io_adapter{.io_mmu = true};
constexpr adapter_mmus plain_adapter{};
constexpr adapter_mmus both_adapter{.gpu_mmu = true, .io_mmu = true};

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
}

TEST_CASE("GVA-33: a resizable root is clamped too, what it starts with included") {
    constexpr page_table_geometry narrow = narrowed(two_levels, 25).get();
    expect_both(gpuva::address_bits(narrow) == 25 && narrow.levels[1].index_bits == 3);
    expect_both(gpuva::judge(narrow) == no_rule_broken);
    expect_both(narrowed(two_levels, 28).get().levels[1].index_bits == 4);
    expect_both(narrowed(two_levels, 22).error == errc::out_of_range);
    expect_both(narrowed(two_levels, 3).error == errc::out_of_range);
}

TEST_CASE("GVA-35: virtual addressing needs an MMU, an MMU needs virtual addressing") {
    CHECK(judged({}, {plain_adapter}) == no_rule_broken);
    CHECK(judged({.virtual_addressing = true}, {plain_adapter}) == broken_rule{rule::no_mmu, 0, 0});
    CHECK(judged({.gpu_mmu = true}, {gpu_adapter}) == broken_rule{rule::mmu_alone, 0, 0});
    CHECK(judged({.io_mmu = true}, {io_adapter}) == broken_rule{rule::mmu_alone, 0, 0});
    CHECK(judged(gpu, {gpu_adapter}) == no_rule_broken);
    CHECK(judged({.virtual_addressing = true, .io_mmu = true}, {io_adapter}) == no_rule_broken);
}

TEST_CASE("GVA-35: driver and physical adapters tell the same story") {
    CHECK(judged(gpu, {gpu_adapter, io_adapter}) == broken_rule{rule::adapter_differs, 1, 0});
    CHECK(judged({}, {plain_adapter, gpu_adapter}) == broken_rule{rule::adapter_differs, 1, 0});
    CHECK(judged(gpu, {gpu_adapter, plain_adapter}) == no_rule_broken);
    // One adapter with the MMU is enough, wherever it stands in the link.
    CHECK(judged({.virtual_addressing = true, .io_mmu = true}, {io_adapter, plain_adapter}) == no_rule_broken);
    CHECK(judged({.virtual_addressing = true, .io_mmu = true}, {plain_adapter, io_adapter}) == no_rule_broken);
    CHECK(judged(gpu, {plain_adapter, plain_adapter}) == broken_rule{rule::no_adapter_has_an_mmu, 0, 2});
    CHECK(judged(both, {gpu_adapter, gpu_adapter}) == broken_rule{rule::no_adapter_has_an_mmu, 0, 2});
    CHECK(gpuva::judge_addressing(gpu, {nullptr, 0}) == no_rule_broken);
}

TEST_CASE("AMB-05: both MMUs at once only where the driver says that its adapters may") {
    addressing_claims not_said = both;
    not_said.both_on_one_adapter = false;
    CHECK(judged(not_said, {both_adapter}) == broken_rule{rule::both_mmus, 0, 0});
    CHECK(judged(not_said, {gpu_adapter, io_adapter}) == broken_rule{rule::both_mmus, 0, 0});
    CHECK(judged(both, {both_adapter}) == no_rule_broken);
    CHECK(judged(both, {gpu_adapter, io_adapter}) == no_rule_broken);
}

TEST_CASE("GVA-33: what becomes narrower is the root, and what was said of the width, as the program computes it") {
    page_table_geometry g = two_levels;
    g = narrowed(g, 25).get();
    CHECK(g.virtual_address_bits == 25);
    CHECK(g.levels[1].index_bits == 3);
    CHECK(g.levels[0].index_bits == 10);
    g = nvidia_v2;
    g = narrowed(g, 48).get();
    CHECK(g.virtual_address_bits == 0);
    CHECK(g.levels[4].index_bits == 1);
    g = amd_said;
    g = narrowed(g, 40).get();
    CHECK(g.virtual_address_bits == 40);
    CHECK(g.levels[3].index_bits == 1);
}

}  // namespace link_test
