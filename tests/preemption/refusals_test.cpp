// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "judged.hpp"

#include <doctest/doctest.h>

/// Every refusal of the judge of claims as a whole: the rule, the node that breaks it (else 0) and the wrong number.
namespace refusals_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using preemption::broken_rule;
using preemption::no_rule_broken;
using preemption::rule;

namespace {

using compute = compute_preemption_granularity;
using other = other_preemption_granularity;

constexpr u64 number(wddm version) { return static_cast<u64>(version); }
constexpr u64 number(claim what) { return static_cast<u64>(what); }

constexpr preemption_engine copies{.other = {other_preemption_granularity::dma_buffer_boundary}};

broken_rule judged_all(scheduling_capabilities const& claims, preemption_engine const& second = copies,
                       wddm version = wddm::v3_2, bool state_survives_patching = false, u32 ring_capacity = 64) {
    preemption_engine const engines[] = {copies, second};
    return preemption::detail::judge({version, claims, span_of(engines), state_survives_patching, ring_capacity});
}

}  // namespace

TEST_CASE("PRE-01, PRE-02: a claim that is too early is refused with the version") {
    scheduling_capabilities claims{};
    claims.preemption_aware = claims.multi_engine_aware = claim::yes;
    CHECK(judged_all(claims, copies, wddm::win7) == broken_rule{rule::preemption_before_win8, 0, number(wddm::win7)});
    claims = {};
    claims.cancel_command_aware = claims.multi_engine_aware = claim::yes;
    CHECK(judged_all(claims, copies, wddm::win7) ==
          broken_rule{rule::cancel_command_before_win8, 0, number(wddm::win7)});
    claims = {};
    claims.virtual_addressing = claim::yes;
    CHECK(judged_all(claims, copies, wddm::v1_3) ==
          broken_rule{rule::virtual_addressing_before_v2_0, 0, number(wddm::v1_3)});
    claims = {};
    claims.no_64_bit_atomics = claim::yes;
    CHECK(judged_all(claims, copies, wddm::v1_3) ==
          broken_rule{rule::no_64_bit_atomics_before_v2_0, 0, number(wddm::v1_3)});
    CHECK(judged_all(claims, copies, wddm::v2_0) == no_rule_broken);
    claims = {};
    claims.low_irql_preempt_command = claim::yes;
    CHECK(judged_all(claims, copies, wddm::v1_3) == broken_rule{rule::low_irql_before_v2_0, 0, number(wddm::v1_3)});
    CHECK(judged_all(claims, copies, wddm::v2_0) == no_rule_broken);
    claims.native_gpu_fence = claim::at_run_time;  // the first of two is named
    CHECK(judged_all(claims, copies, wddm::v1_3) == broken_rule{rule::low_irql_before_v2_0, 0, number(wddm::v1_3)});
    claims = {};
    claims.native_gpu_fence = claim::yes;
    CHECK(judged_all(claims, copies, wddm::v3_0) == broken_rule{rule::native_fence_before_v3_1, 0, number(wddm::v3_0)});
    CHECK(judged_all(claims, copies, wddm::v3_1) == no_rule_broken);
    claims = {};
    claims.hw_queue_packet_cap = 1;
    CHECK(judged_all(claims, copies, wddm::v2_2) == broken_rule{rule::packet_cap_before_v2_3, 0, number(wddm::v2_2)});
    CHECK(judged_all(claims, copies, wddm::v2_3) == no_rule_broken);
    claims = {};
    claims.recovery = recovery_functions::per_adapter | recovery_functions::per_engine;
    claims.support_per_engine_tdr = claim::yes;
    CHECK(judged_all(claims, copies, wddm::win7) == broken_rule{rule::per_engine_before_win8, 0, number(wddm::win7)});
    CHECK(judged_all(claims, copies, wddm::win8) == no_rule_broken);
}

TEST_CASE("PRE-01, PRE-02, HWS-11: a claim without the one that it needs is refused with what is said of that one") {
    scheduling_capabilities claims{};
    claims.preemption_aware = claim::yes;
    claims.multi_engine_aware = claim::at_run_time;
    CHECK(judged_all(claims) == broken_rule{rule::preemption_alone, 0, number(claim::at_run_time)});
    claims = {};
    claims.no_dma_patching = claim::yes;
    claims.preemption_aware = claim::at_run_time;
    claims.multi_engine_aware = claim::yes;
    CHECK(judged_all(claims) == broken_rule{rule::no_dma_patching_alone, 0, number(claim::at_run_time)});
    claims = {};
    claims.cancel_command_aware = claim::yes;
    claims.multi_engine_aware = claim::at_run_time;
    CHECK(judged_all(claims) == broken_rule{rule::cancel_command_alone, 0, number(claim::at_run_time)});
    claims = {};
    claims.no_dma_patching = claims.preemption_aware = claims.multi_engine_aware = claim::yes;
    claims.virtual_addressing = claim::at_run_time;
    claims.flips = flip_caps::on_vsync_mmio;
    CHECK(judged_all(claims) ==
          broken_rule{rule::no_dma_patching_with_physical_addresses, 0, number(claim::at_run_time)});
    claims = {};
    claims.optimized_native_fence_signaled_interrupt = claim::yes;
    claims.native_gpu_fence = claim::at_run_time;
    CHECK(judged_all(claims) == broken_rule{rule::optimized_interrupt_alone, 0, number(claim::at_run_time)});
    claims = {};
    claims.live_migration = claim::yes;
    claims.dirty_bit_tracking = claim::at_run_time;
    CHECK(judged_all(claims) == broken_rule{rule::live_migration_alone, 0, number(claim::at_run_time)});
}

TEST_CASE("PRE-04, PRE-05, PRE-22, AMB-51, AMB-52: what is wrong with an engine is told with its node") {
    scheduling_capabilities const none{};
    CHECK(judged_all(none, {}) == broken_rule{rule::engine_runs_nothing, 1, 0});
    CHECK(judged_all(none, {.other = {static_cast<other>(7)}}) == broken_rule{rule::unknown_granularity, 1, 7});
    constexpr u64 dispatch = static_cast<u64>(compute::dispatch_boundary);
    CHECK(judged_all(none, {.compute = {compute::dispatch_boundary}}) == broken_rule{rule::saved_state, 1, dispatch});
    preemption_engine const inside{.compute = {compute::dispatch_boundary, 4 * kib}};
    CHECK(judged_all(none, inside) == broken_rule{rule::stops_inside_patched_buffers, 1, 0});
    CHECK(judged_all(none, inside, wddm::v3_2, true) == no_rule_broken);
    scheduling_capabilities aware{};
    aware.preemption_aware = aware.multi_engine_aware = claim::yes;
    aware.flips = flip_caps::on_vsync_mmio;
    preemption_engine waiting = copies;
    waiting.waits = hardware_waits::cannot_be_stopped;
    CHECK(judged_all(aware, waiting) == broken_rule{rule::wait_cannot_be_stopped, 1, 0});
    aware.cancel_command_aware = claim::at_run_time;
    CHECK(judged_all(aware, inside, wddm::v3_2, true) ==
          broken_rule{rule::cancel_command_missing, 1, number(claim::at_run_time)});
}

TEST_CASE(
    "HWS-10, AMB-54, TDR-01, FLP-01: caps, rings, functions and flips are refused with the number that is wrong") {
    scheduling_capabilities claims{};
    claims.hw_queue_packet_cap = 16;
    CHECK(judged_all(claims) == broken_rule{rule::packet_cap_too_large, 0, 16});
    claims = {};
    CHECK(judged_all(claims, copies, wddm::v3_2, false, 48) == broken_rule{rule::ring_capacity, 0, 48});
    claims.recovery = recovery_functions::none;
    CHECK(judged_all(claims) == broken_rule{rule::no_adapter_recovery, 0, 0});
    claims = {};
    claims.recovery = recovery_functions::per_adapter;
    claims.support_per_engine_tdr = claim::yes;
    CHECK(judged_all(claims) ==
          broken_rule{rule::no_engine_recovery, 0, static_cast<u64>(recovery_functions::per_adapter)});
    claims = {};
    claims.preemption_aware = claims.multi_engine_aware = claim::yes;
    claims.kind = adapter_kind::full;
    claims.flips = flip_caps::interval;
    CHECK(judged_all(claims) == broken_rule{rule::no_flip_on_vsync, 0, 4});
    claims = {};
    claims.paging_node = 2;
    CHECK(judged_all(claims) == broken_rule{rule::paging_node, 0, 2});
    CHECK(preemption::detail::judge({wddm::v3_2, {}, {nullptr, 0}, false, 64}) ==
          broken_rule{rule::number_of_engines, 0, 0});
}

TEST_CASE("PRE-07, PRE-28, AMB-35, FLP-08: what a compute-only adapter cannot claim") {
    CHECK(judged_compute_only([](auto& c) { c.flips = flip_caps::interval; }) ==
          broken_rule{rule::compute_only_flips, 0, 4});
    CHECK(judged_compute_only([](auto& c) { c.low_irql_preempt_command = claim::at_run_time; }) ==
          broken_rule{rule::compute_only_preempt_irql, 0, number(claim::at_run_time)});
    CHECK(judged_compute_only([](auto& c) { c.no_dma_patching = claim::yes; }) ==
          broken_rule{rule::compute_only_patching, 0, number(claim::yes)});
    CHECK(judged_compute_only([](auto& c) { c.hw_queue_packet_cap = 3; }) ==
          broken_rule{rule::compute_only_packet_cap, 0, 3});
    CHECK(judged_all(compute_only, copies) == broken_rule{rule::compute_only_granularity, 0, 0});
    CHECK(judged_all(compute_only, {.compute = {compute::none}}) == broken_rule{rule::compute_only_granularity, 1, 0});
}

TEST_CASE("FLP-01: a union of flip capabilities has the bits of both") {
    flip_caps const two = flip_caps::interval | flip_caps::on_vsync_mmio;
    CHECK(static_cast<u32>(two) == 6);
}

}  // namespace refusals_test
