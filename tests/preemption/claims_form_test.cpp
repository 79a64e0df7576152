// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

// The form of what a hardware type says about scheduling: its engines, how many of them a chip has, its claims, one
// member at a time. What the compiler then says is in tests/compile_fail.

#include <wddmcore/preemption/claims/check.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace claims_form_test {

using namespace wddmcore;
using preemption::broken_rule;
using preemption::no_rule_broken;
using preemption::rule;
using preemption::detail::first_broken_rule;

// Not in an unnamed namespace, where a compiler calls members unused that a broken promise does not get to.
namespace types {

using other = other_preemption_granularity;

/// Three engines that cannot be stopped, and no claims beyond that.
struct engines_alone {
    static constexpr capabilities caps{.version = wddm::v3_2};
    static constexpr preemption_engine engines[] = {
        {.other = {other::none}}, {.other = {other::none}}, {.other = {other::none}}};
};
struct plain : engines_alone {
    static constexpr scheduling_capabilities scheduling{};
};

struct no_version : plain {
    static constexpr capabilities caps{.version = static_cast<wddm>(0x1051)};
};

struct no_engines {
    static constexpr capabilities caps{.version = wddm::v3_2};
    static constexpr scheduling_capabilities scheduling{};
};
struct engines_at_run_time : no_engines {
    preemption_engine engines[1]{};
};
struct wrong_scheduling : engines_alone {
    static constexpr u32 scheduling = 0;
};

template <class Number, Number Nodes>
struct with_nodes : plain {
    static constexpr Number node_count = Nodes;
};
template <u32 Least, u32 Most>
struct with_range : plain {
    u32 nodes = Least;
    static constexpr chosen_within node_count{Least, Most, &with_range::nodes};
};

template <class Number, Number Capacity>
struct with_ring : plain {
    static constexpr Number ring_capacity = Capacity;
};
template <class Flag, Flag Survives>
struct with_patching : plain {
    static constexpr Flag state_survives_patching = Survives;
};
template <claim NativeFence>
struct with_fence : engines_alone {
    static constexpr scheduling_capabilities scheduling{.native_gpu_fence = NativeFence};
};

/// A template: its array has no length before somebody looks at an engine. One engine of two stops inside buffers that may be patched again (AMB-51): a chip without it breaks no rule.
template <u32 Least, u32 Most>
struct second_engine_stops {
    static constexpr capabilities caps{.version = wddm::v3_2};
    static constexpr preemption_engine engines[] = {
        {.other = {other::none}}, {.graphics = {graphics_preemption_granularity::pixel_boundary, {4096}, true}}};
    static constexpr scheduling_capabilities scheduling{};
    u32 nodes = Least;
    static constexpr chosen_within node_count{Least, Most, &second_engine_stops::nodes};
};

}  // namespace types

using namespace types;

TEST_CASE("PRE-27: an array of engines has as many as it lists, and nothing else has any") {
    expect_both(hw::engines_in<u32> == 0 && hw::engines_in<preemption_engine const[3]> == 3);
    expect_both(!hw::detail::are_engines<u32> && hw::detail::are_engines<preemption_engine const[1]>);
    expect_both(hw::detail::are_engines<preemption_engine const[]>);
    expect_both(hw::most_ring_capacity == 32768);  // as the sentence about a ring says
}

TEST_CASE("law 5: engines are a constant, and so are claims") {
    expect_both(first_broken_rule<plain>() == no_rule_broken);
    using preemption::detail::keeps_every_rule;
    expect_both(keeps_every_rule<plain>() && !keeps_every_rule<no_engines>() && !keeps_every_rule<no_version>());
    expect_both(first_broken_rule<no_engines>() == broken_rule{rule::engines_missing, 0, 0});
    expect_both(first_broken_rule<engines_at_run_time>() == broken_rule{rule::engines_not_a_constant, 0, 0});
    expect_both(first_broken_rule<engines_alone>() == broken_rule{rule::scheduling_missing, 0, 0});
    expect_both(first_broken_rule<wrong_scheduling>() == broken_rule{rule::scheduling_not_a_constant, 0, 0});
}

TEST_CASE("LDA-06: a chip has one node at least, and no more than there are engines") {
    constexpr broken_rule range{rule::node_count_range, 0, 0};
    expect_both(first_broken_rule<with_nodes<u32, 0>>() == range);
    expect_both(first_broken_rule<with_nodes<u32, 1>>() == no_rule_broken);
    expect_both(first_broken_rule<with_nodes<u32, 3>>() == no_rule_broken);
    expect_both(first_broken_rule<with_nodes<u32, 4>>() == range);
    expect_both(first_broken_rule<with_nodes<u64, 1>>() == broken_rule{rule::node_count_not_a_number, 0, 0});
    expect_both(first_broken_rule<with_range<1, 3>>() == no_rule_broken);
    expect_both(first_broken_rule<with_range<2, 2>>() == no_rule_broken);
    expect_both(first_broken_rule<with_range<0, 3>>() == range);
    expect_both(first_broken_rule<with_range<1, 4>>() == range);
    expect_both(first_broken_rule<with_range<3, 1>>() == range);
}

TEST_CASE("law 5: other members of scheduling are constants of their own types") {
    expect_both(first_broken_rule<with_ring<u32, 64>>() == no_rule_broken);
    expect_both(first_broken_rule<with_ring<u64, 64>>() == broken_rule{rule::ring_capacity_not_a_constant, 0, 0});
    expect_both(first_broken_rule<with_patching<bool, true>>() == no_rule_broken);
    expect_both(first_broken_rule<with_patching<bool, false>>() == no_rule_broken);
    expect_both(first_broken_rule<with_patching<u32, 1>>() ==
                broken_rule{rule::state_survives_patching_not_a_constant, 0, 0});
}

TEST_CASE("HWS-11: native fences are never claimed for certain") {
    expect_both(first_broken_rule<with_fence<claim::yes>>() == broken_rule{rule::native_fence_not_asked_for, 0, 0});
    expect_both(first_broken_rule<with_fence<claim::at_run_time>>() == no_rule_broken);
    expect_both(first_broken_rule<with_fence<claim::no>>() == no_rule_broken);
}

TEST_CASE("AMB-51: claims hold for every number of nodes that a chip can have") {
    constexpr rule stops = rule::stops_inside_patched_buffers;
    expect_both(first_broken_rule<second_engine_stops<1, 1>>() == no_rule_broken);
    expect_both(first_broken_rule<second_engine_stops<1, 2>>().what == stops);
    expect_both(first_broken_rule<second_engine_stops<2, 2>>().what == stops);
}

TEST_CASE("LDA-02: adapters of a link whose number of nodes is open may differ, whichever it is") {
    using preemption::detail::first_broken_rule_of_link;
    expect_both(first_broken_rule_of_link<plain, with_nodes<u32, 3>>() == no_rule_broken);
    expect_both(first_broken_rule_of_link<plain, with_range<2, 3>>() == broken_rule{rule::different_node_counts, 1, 3});
    expect_both(first_broken_rule_of_link<with_range<2, 3>, plain>() == broken_rule{rule::different_node_counts, 1, 3});
    expect_both(first_broken_rule_of_link<with_range<3, 3>, plain>() == no_rule_broken);
    expect_both(first_broken_rule_of_link<no_engines, plain>() == broken_rule{rule::engines_missing, 0, 0});
    expect_both(first_broken_rule_of_link<plain, no_engines>() == broken_rule{rule::engines_missing, 0, 0});
    expect_both(first_broken_rule_of_link<plain, plain, engines_at_run_time>() ==
                broken_rule{rule::engines_not_a_constant, 0, 0});
}

}  // namespace claims_form_test
