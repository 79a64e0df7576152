// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "judged.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace capabilities_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using preemption::broken_rule;
using preemption::no_rule_broken;
using preemption::rule;

namespace {

using graphics = graphics_preemption_granularity;
using compute = compute_preemption_granularity;
using other = other_preemption_granularity;

/// Says nothing that has a default.
struct silent {
    static constexpr preemption_engine engines[] = {{.other = {other::none}}};
};
static_assert(hw::preemption_model<silent> && hw::engine_count<silent> == 1);

static_assert(check_preemption<claiming_gpu>());

/// Whether it hears of removed packets is decided at AddDevice.
struct undecided_gpu : claiming_gpu {
    static constexpr scheduling_capabilities scheduling = [] {
        scheduling_capabilities claims = all_claims;
        claims.cancel_command_aware = claim::at_run_time;
        return claims;
    }();
};
static_assert(check_preemption<undecided_gpu>());

}  // namespace

TEST_CASE("PRE-01: PreemptionAware needs MultiEngineAware, however both are left open") {
    expect_both(judged([](auto&) {}) == no_rule_broken);
    expect_both(judged([](auto& c) { c.multi_engine_aware = claim::no; }) ==
                broken_rule{rule::preemption_alone, 0, static_cast<u64>(claim::no)});
    expect_both(judged([](auto& c) {
                    c.preemption_aware = claim::yes;
                    c.multi_engine_aware = claim::at_run_time;
                }) == broken_rule{rule::preemption_alone, 0, static_cast<u64>(claim::at_run_time)});
    expect_both(judged_at(wddm::win8, [](auto& c) {
                    c.preemption_aware = c.multi_engine_aware = claim::at_run_time;
                }) == no_rule_broken);
}

TEST_CASE("PRE-01: PreemptionAware needs an interface version of Windows 8") {
    constexpr auto aware = [](auto& c) { c.preemption_aware = c.multi_engine_aware = claim::yes; };
    expect_both(judged_at(wddm::win7, aware) ==
                broken_rule{rule::preemption_before_win8, 0, static_cast<u64>(wddm::win7)});
    expect_both(judged_at(wddm::win8, aware) == no_rule_broken);
}

TEST_CASE("PRE-02: NoDmaPatching needs PreemptionAware and MultiEngineAware") {
    expect_both(judged([](auto& c) {
                    c.no_dma_patching = claim::yes;
                    c.preemption_aware = claim::no;
                }).what == rule::no_dma_patching_alone);
    expect_both(judged([](auto& c) { c.no_dma_patching = claim::yes; }).what == rule::no_dma_patching_alone);
    expect_both(judged([](auto& c) { c.no_dma_patching = c.preemption_aware = claim::yes; }) == no_rule_broken);
}

TEST_CASE("PRE-02: CancelCommandAware needs MultiEngineAware and Windows 8") {
    constexpr auto cancels = [](auto& c) { c.cancel_command_aware = c.multi_engine_aware = claim::yes; };
    expect_both(judged_at(wddm::win8, cancels) == no_rule_broken);
    expect_both(judged_at(wddm::win7, cancels).what == rule::cancel_command_before_win8);
    expect_both(judged_at(wddm::win8, [](auto& c) { c.cancel_command_aware = claim::at_run_time; }).what ==
                rule::cancel_command_alone);
}

TEST_CASE("PRE-04: a granularity must be one of the DDI's numbers") {
    expect_both(judged_with({.graphics = {graphics{250}, {1}}}) == broken_rule{rule::unknown_granularity, 1, 250});
    expect_both(judged_with({.compute = {compute{600}, {1}}}) == broken_rule{rule::unknown_granularity, 1, 600});
    expect_both(judged_with({.other = {other{1}}}) == broken_rule{rule::unknown_granularity, 1, 1});
    expect_both(judged_with({.graphics = {graphics::shader_boundary, {1}}}) == no_rule_broken);
}

TEST_CASE("PRE-05: an engine that runs nothing is a mistake") {
    expect_both(judged_with({}) == broken_rule{rule::engine_runs_nothing, 1, 0});
    expect_both(judged_with({.compute = {compute::none}}) == no_rule_broken);
}

TEST_CASE("PRE-07: a compute-only driver has an engine for compute, and no granularity of none") {
    expect_both(judged_compute_only([](auto&) {}) == no_rule_broken);
    expect_both(judged_with({.compute = {compute::none}}, compute_only) ==
                broken_rule{rule::compute_only_granularity, 1, 0});
    constexpr preemption_engine no_compute[] = {{.graphics = {graphics::dma_buffer_boundary}}};
    expect_both(preemption::detail::judge({wddm::v3_2, compute_only, span_of(no_compute), false, 64}) ==
                broken_rule{rule::compute_only_granularity, 0, 0});
}

TEST_CASE("PRE-22: a waiting packet must be stoppable under PreemptionAware") {
    constexpr preemption_engine stubborn{.other = {other::dma_buffer_boundary},
                                         .waits = hardware_waits::cannot_be_stopped};
    expect_both(judged_with(stubborn) == broken_rule{rule::wait_cannot_be_stopped, 1, 0});
    expect_both(judged_with(stubborn, least_chosen) == no_rule_broken);
    expect_both(judged_with({.other = {other::none}, .waits = hardware_waits::can_be_stopped}) == no_rule_broken);
}

TEST_CASE("PRE-28: a compute-only driver claims LowIrqlPreemptCommand, and nobody before WDDM 2.0") {
    expect_both(judged_compute_only([](auto& c) { c.low_irql_preempt_command = claim::at_run_time; }).what ==
                rule::compute_only_preempt_irql);
    constexpr auto low = [](auto& c) { c.low_irql_preempt_command = claim::at_run_time; };
    expect_both(judged_at(wddm::v1_3_path_independent_rotation, low).what == rule::low_irql_before_v2_0);
    expect_both(judged_at(wddm::v2_0, low) == no_rule_broken);
}

TEST_CASE("SPL-13: NoDmaPatching is for hardware with virtual addresses") {
    expect_both(judged_at(wddm::v2_0, [](auto& c) {
                    c.no_dma_patching = c.preemption_aware = c.multi_engine_aware = claim::yes;
                }).what == rule::no_dma_patching_with_physical_addresses);
    expect_both(judged_at(wddm::v2_0, [](auto& c) {
                    c.no_dma_patching = c.preemption_aware = c.multi_engine_aware = c.virtual_addressing = claim::yes;
                }) == no_rule_broken);
    expect_both(judged_at(wddm::v1_3, [](auto& c) { c.virtual_addressing = claim::yes; }).what ==
                rule::virtual_addressing_before_v2_0);
}

TEST_CASE("AMB-35: a compute-only driver leaves NoDmaPatching clear") {
    expect_both(judged_compute_only([](auto& c) { c.no_dma_patching = claim::yes; }).what ==
                rule::compute_only_patching);
}

TEST_CASE("AMB-51: finer than a DMA buffer only with virtual addresses or state that survives patching") {
    constexpr scheduling_capabilities physical{
        .multi_engine_aware = claim::yes, .preemption_aware = claim::yes, .cancel_command_aware = claim::yes};
    constexpr preemption_engine inside{.graphics = {graphics::primitive_boundary, {4}}};
    constexpr preemption_engine between{.graphics = {graphics::dma_buffer_boundary}};
    constexpr preemption_engine not_run{.graphics = {graphics::pixel_boundary, {4}, false}, .compute = {compute::none}};
    expect_both(judged_with(inside, physical) == broken_rule{rule::stops_inside_patched_buffers, 1, 0});
    expect_both(judged_with({.other = {other::inside_dma_buffer, {4}}}, physical).what ==
                rule::stops_inside_patched_buffers);
    expect_both(judged_with(between, physical).what == rule::ring_capacity);  // goes on to the ring of 16 packets
    expect_both(judged_with(not_run, physical).what == rule::ring_capacity);
    expect_both(judged_with(inside, physical, true).what == rule::ring_capacity);
    scheduling_capabilities claims = physical;
    claims.hw_queue_packet_cap = 16 - 1;
    CHECK(judged_with(inside, claims, true) == no_rule_broken);
    claims.virtual_addressing = claim::at_run_time;
    CHECK(judged_with(inside, claims).what == rule::stops_inside_patched_buffers);
    claims.virtual_addressing = claim::yes;
    CHECK(judged_with(inside, claims) == no_rule_broken);
}

TEST_CASE("TDR-14, AMB-52: a driver that stops inside DMA buffers hears of removed packets") {
    constexpr auto unaware = [](auto& c) { c.cancel_command_aware = claim::no; };
    expect_both(judged(unaware) == broken_rule{rule::cancel_command_missing, 0, static_cast<u64>(claim::no)});
    expect_both(judged([](auto& c) {
                    c.preemption_aware = claim::yes;
                    c.cancel_command_aware = claim::at_run_time;
                }) == broken_rule{rule::cancel_command_missing, 0, static_cast<u64>(claim::at_run_time)});
    expect_both(judged([](auto& c) { c.cancel_command_aware = claim::at_run_time; }) == no_rule_broken);
    expect_both(judged([](auto& c) { c.cancel_command_aware = c.preemption_aware = c.no_dma_patching = claim::no; }) ==
                no_rule_broken);
    // The node that stops inside is named, and one that stops between buffers saves nothing.
    scheduling_capabilities claims = all_claims;
    claims.cancel_command_aware = claim::no;
    CHECK(judged_with({.other = {other::inside_dma_buffer, {4}}}, claims) ==
          broken_rule{rule::cancel_command_missing, 1, static_cast<u64>(claim::no)});
    CHECK(judged_with({.other = {other::dma_buffer_boundary}}, claims) == no_rule_broken);
    // And at run time, of what was chosen.
    scheduling_capabilities chosen = everything_chosen;
    chosen.cancel_command_aware = claim::no;
    CHECK(check_chosen<undecided_gpu>(chosen) ==
          broken_rule{rule::cancel_command_missing, 0, static_cast<u64>(claim::no)});
    chosen.preemption_aware = chosen.no_dma_patching = claim::no;
    CHECK(check_chosen<undecided_gpu>(chosen) == no_rule_broken);
}

TEST_CASE("AMB-51: an engine that stops inside a DMA buffer saves at least one byte") {
    expect_both(judged_with({.graphics = {graphics::primitive_boundary}}) == broken_rule{rule::saved_state, 1, 200});
    expect_both(judged_with({.compute = {compute::shader_boundary}}) == broken_rule{rule::saved_state, 1, 500});
    expect_both(judged_with({.compute = {compute::shader_boundary, {1}}}) == no_rule_broken);
    expect_both(judged_with({.compute = {compute::dma_buffer_boundary}}) == no_rule_broken);
    constexpr preemption_engine not_run{.graphics = {graphics::pixel_boundary, {0}, false}, .compute = {compute::none}};
    expect_both(judged_with(not_run) == no_rule_broken);
}

TEST_CASE("AMB-54: the ring keeps a power of two of packets, at least the claimed cap, 64 without a claim") {
    for (u32 cap = 0; cap <= 20; ++cap) {
        for (u32 capacity = 0; capacity <= 16'500; ++capacity) {
            scheduling_capabilities const claims{.hw_queue_packet_cap = cap};
            broken_rule const found = preemption::detail::judge_queue({wddm::v2_3, claims, {}, false, capacity});
            broken_rule expected = no_rule_broken;
            u32 const powers =
                1 | 2 | 4 | 8 | 16 | 32 | 64 | 128 | 256 | 512 | 1024 | 2048 | 4096 | 8192 | 16384 | 32768;
            if (cap > 15) {  // HwQueuePacketCap has 4 bits
                expected = {rule::packet_cap_too_large, 0, cap};
            } else if ((capacity & powers) != capacity || capacity < (cap == 0 ? 64 : cap) ||
                       (capacity & (capacity - 1)) != 0) {
                expected = {rule::ring_capacity, 0, capacity};
            }
            if (found != expected) {
                CAPTURE(cap);
                CAPTURE(capacity);
                REQUIRE(found == expected);
            }
        }
    }
    for (u32 const capacity : {0x8000u, 0x1'0000u, 0x8000'0000u}) {
        scheduling_capabilities const claims{.hw_queue_packet_cap = 1};
        CHECK((preemption::detail::judge_queue({wddm::v2_3, claims, {}, false, capacity}) == no_rule_broken) ==
              (capacity == 0x8000u));
    }
    expect_both(hw::ring_capacity_of<claiming_gpu>() == 16);
    expect_both(hw::ring_capacity_of<silent>() == 64 && !hw::state_survives_patching<silent>);
}

TEST_CASE("AMB-54: HwQueuePacketCap comes with WDDM 2.3 and is reserved for a compute-only driver") {
    expect_both(judged_at(wddm::v2_2, [](auto& c) { c.hw_queue_packet_cap = 1; }) ==
                broken_rule{rule::packet_cap_before_v2_3, 0, static_cast<u64>(wddm::v2_2)});
    expect_both(judged_at(wddm::v2_3, [](auto& c) { c.hw_queue_packet_cap = 1; }) == no_rule_broken);
    expect_both(judged_compute_only([](auto& c) { c.hw_queue_packet_cap = 1; }) ==
                broken_rule{rule::compute_only_packet_cap, 0, 1});
}

TEST_CASE("PRE-03: what is left to AddDevice may be decided either way, and must be decided") {
    expect_both(check_chosen<claiming_gpu>(everything_chosen) == no_rule_broken);
    expect_both(check_chosen<claiming_gpu>(least_chosen) == no_rule_broken);
    expect_both(check_chosen<claiming_gpu>(all_claims) ==
                broken_rule{rule::chosen_undecided, 1, static_cast<u64>(claim::at_run_time)});
}

TEST_CASE("DESIGN 5: what is chosen narrows what is claimed") {
    scheduling_capabilities chosen = everything_chosen;
    chosen.multi_engine_aware = claim::no;
    CHECK(check_chosen<claiming_gpu>(chosen) ==
          broken_rule{rule::chosen_more_than_claimed, 0, static_cast<u64>(claim::no)});
    chosen = everything_chosen;
    chosen.hw_queue_packet_cap = 13;
    CHECK(check_chosen<claiming_gpu>(chosen) == broken_rule{rule::chosen_more_than_claimed, 12, 13});
    chosen.hw_queue_packet_cap = 11;
    CHECK(check_chosen<claiming_gpu>(chosen) == no_rule_broken);
    chosen.kind = adapter_kind::render_only;
    CHECK(check_chosen<claiming_gpu>(chosen) ==
          broken_rule{rule::chosen_more_than_claimed, 13, static_cast<u64>(adapter_kind::render_only)});
    chosen = everything_chosen;
    chosen.preemption_aware = claim::no;  // and no_dma_patching still yes
    CHECK(check_chosen<claiming_gpu>(chosen).what == rule::no_dma_patching_alone);
    // Each claim has its place, and none may stay open.
    static_assert(sizeof preemption::choices / sizeof preemption::choices[0] == preemption::place_of_packet_cap);
    static_assert(preemption::place_of_kind == 13);  // the next one: a driver prints it
    for (u32 place = 0; place < preemption::place_of_packet_cap; ++place) {
        CAPTURE(place);
        chosen = everything_chosen;
        chosen.*preemption::choices[place] = claim::at_run_time;
        CHECK(check_chosen<claiming_gpu>(chosen) ==
              broken_rule{rule::chosen_undecided, place, static_cast<u64>(claim::at_run_time)});
    }
}

}  // namespace capabilities_test
