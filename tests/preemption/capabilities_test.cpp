// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "claiming_gpu.hpp"

#include <doctest/doctest.h>

#include <vector>

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

/// The good model with some claims changed.
template <class Change>
constexpr broken_rule judged(Change change) {
    scheduling_capabilities claims = all_claims;
    change(claims);
    return preemption::judge(preemption::model_of<claiming_gpu>(claims));
}

/// ... declared at another version, and with claims that need none.
template <class Change>
constexpr broken_rule judged_at(wddm version, Change change) {
    constexpr preemption_engine copies[] = {{.other = {other::dma_buffer_boundary}}};
    scheduling_capabilities claims{};
    change(claims);
    return preemption::judge({version, claims, span_of(copies), false, 64});
}

/// ... with another engine at node 1.
constexpr broken_rule judged_with(preemption_engine const& engine, scheduling_capabilities claims = all_claims,
                                  bool state_survives_patching = false) {
    preemption_engine const engines[] = {claiming_gpu::engines[2], engine, claiming_gpu::engines[2]};
    return preemption::judge({wddm::v3_2, claims, span_of(engines), state_survives_patching, 16});
}

constexpr scheduling_capabilities compute_only{.kind = adapter_kind::compute_only,
                                               .multi_engine_aware = claim::yes,
                                               .preemption_aware = claim::yes,
                                               .virtual_addressing = claim::yes,
                                               .low_irql_preempt_command = claim::yes};

template <class Change>
constexpr broken_rule judged_compute_only(Change change) {
    scheduling_capabilities claims = compute_only;
    change(claims);
    return preemption::judge({wddm::v3_2, claims, span_of(claiming_gpu::engines), false, 64});
}

/// Says nothing that has a default.
struct silent {
    static constexpr preemption_engine engines[] = {{.other = {other::none}}};
};
static_assert(hw::preemption_model<silent> && hw::engine_count<silent> == 1);

static_assert(check_preemption<claiming_gpu>());
static_assert(check_linked_adapters<claiming_gpu>() && check_linked_adapters<claiming_gpu, claiming_gpu>());

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
    expect_both(preemption::judge({wddm::v3_2, compute_only, span_of(no_compute), false, 64}) ==
                broken_rule{rule::compute_only_granularity, 0, 0});
}

TEST_CASE("PRE-22: a waiting packet must be stoppable under PreemptionAware") {
    constexpr preemption_engine stubborn{.other = {other::dma_buffer_boundary},
                                         .waits = hardware_waits::cannot_be_stopped};
    constexpr auto never_preempted = [] {
        scheduling_capabilities claims = least_chosen;
        return claims;
    }();
    expect_both(judged_with(stubborn) == broken_rule{rule::wait_cannot_be_stopped, 1, 0});
    expect_both(judged_with(stubborn, never_preempted) == no_rule_broken);
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
    constexpr scheduling_capabilities physical{.multi_engine_aware = claim::yes, .preemption_aware = claim::yes};
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
            broken_rule const found = preemption::judge_queue({wddm::v2_3, claims, {}, false, capacity});
            broken_rule expected = no_rule_broken;
            u32 const powers = 1 | 2 | 4 | 8 | 16 | 32 | 64 | 128 | 256 | 512 | 1024 | 2048 | 4096 | 8192;
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

TEST_CASE("LDA-06: 1 to 64 nodes") {
    std::vector<preemption_engine> const engines(65, {.other = {other::dma_buffer_boundary}});
    for (usize count = 0; count <= 65; ++count) {
        broken_rule const found = preemption::judge({wddm::v2_0, {}, {engines.data(), count}, false, 64});
        CAPTURE(count);
        CHECK(found == (count >= 1 && count <= 64 ? no_rule_broken : broken_rule{rule::number_of_engines, 0, count}));
    }
}

TEST_CASE("LDA-08: the paging node is one of the nodes of its physical adapter") {
    expect_both(judged([](auto& c) { c.paging_node = 3; }) == broken_rule{rule::paging_node, 0, 3});
    expect_both(judged([](auto& c) { c.paging_node = 0; }) == no_rule_broken);
}

TEST_CASE("TDR-01: per-engine recovery needs its three functions, and every driver the adapter's two") {
    using enum recovery_functions;
    for (u32 set = 0; set < 32; ++set) {
        for (claim const per_engine : {claim::no, claim::yes, claim::at_run_time}) {
            broken_rule const found = judged([&](auto& c) {
                c.recovery = recovery_functions{set};
                c.support_per_engine_tdr = per_engine;
            });
            rule expected = rule::none;
            if ((set & 24) != 24) {  // bits 3 and 4 are the adapter's two
                expected = rule::no_adapter_recovery;
            } else if (per_engine != claim::no && set != 31) {
                expected = rule::no_engine_recovery;
            }
            CAPTURE(set);
            CHECK(found.what == expected);
            CHECK((found.what == rule::none || found.value == set));
        }
    }
    constexpr auto claims = [](auto& c) {
        c.support_per_engine_tdr = claim::yes;
        c.recovery = per_engine;
    };
    expect_both(judged_at(wddm::win7, claims).what == rule::per_engine_before_win8);
    expect_both(judged_at(wddm::win8, claims) == no_rule_broken);
}

TEST_CASE("TDR-01: DRIVER_INITIALIZATION_DATA names the functions that are claimed") {
    struct data {
        void const* DxgkDdiResetFromTimeout = "";
        void const* DxgkDdiRestartFromTimeout = "";
        void const* DxgkDdiQueryDependentEngineGroup = "";
        void const* DxgkDdiQueryEngineStatus = "";
        void const* DxgkDdiResetEngine = "";
    };
    struct data_of_win7 {
        void const* DxgkDdiResetFromTimeout = "";
        void const* DxgkDdiRestartFromTimeout = "";
    };
    using preemption::check_recovery_functions;
    using preemption::recovery_functions_of;
    expect_both(recovery_functions_of(data{}) == recovery_functions::per_engine);
    expect_both(recovery_functions_of(data_of_win7{}) == recovery_functions::per_adapter);
    expect_both(check_recovery_functions(all_claims, data{}) == no_rule_broken);
    expect_both(check_recovery_functions(all_claims, data{.DxgkDdiQueryDependentEngineGroup = nullptr}) ==
                broken_rule{rule::no_engine_recovery, 0, 30});
    expect_both(check_recovery_functions(all_claims, data{.DxgkDdiQueryEngineStatus = nullptr}) ==
                broken_rule{rule::no_engine_recovery, 0, 29});
    expect_both(check_recovery_functions(all_claims, data{.DxgkDdiResetEngine = nullptr}) ==
                broken_rule{rule::no_engine_recovery, 0, 27});
    expect_both(check_recovery_functions(all_claims, data{.DxgkDdiResetFromTimeout = nullptr}) ==
                broken_rule{rule::no_adapter_recovery, 0, 23});
    expect_both(check_recovery_functions({}, data_of_win7{.DxgkDdiRestartFromTimeout = nullptr}) ==
                broken_rule{rule::no_adapter_recovery, 0, 8});
    expect_both(check_recovery_functions(all_claims, data_of_win7{}).what == rule::no_engine_recovery);
    expect_both(check_recovery_functions({}, data_of_win7{}) == no_rule_broken);
}

TEST_CASE("FLP-01: a display driver with PreemptionAware flips by memory-mapped I/O on the next vsync") {
    expect_both(judged([](auto& c) { c.flips = flip_caps::interval; }) == broken_rule{rule::no_flip_on_vsync, 0, 4});
    expect_both(judged([](auto& c) {
                    c.flips = flip_caps::none;
                    c.kind = adapter_kind::render_only;
                }) == no_rule_broken);
    expect_both(judged([](auto& c) {
                    c.flips = flip_caps::none;
                    c.preemption_aware = c.no_dma_patching = claim::no;
                }) == no_rule_broken);
}

TEST_CASE("FLP-08: a compute-only driver has no flip capability") {
    for (u32 bit = 0; bit < 7; ++bit) {
        CHECK(judged_compute_only([&](auto& c) { c.flips = flip_caps{1u << bit}; }) ==
              broken_rule{rule::compute_only_flips, 0, u64{1} << bit});
    }
}

TEST_CASE("HWS-13: live migration needs dirty tracking") {
    expect_both(judged([](auto& c) { c.dirty_bit_tracking = claim::no; }).what == rule::live_migration_alone);
    expect_both(judged([](auto& c) {
                    c.live_migration = claim::yes;
                    c.dirty_bit_tracking = claim::at_run_time;
                }).what == rule::live_migration_alone);
    expect_both(judged([](auto& c) { c.live_migration = c.dirty_bit_tracking = claim::at_run_time; }) ==
                no_rule_broken);
    expect_both(judged([](auto& c) { c.live_migration = c.dirty_bit_tracking = claim::no; }) == no_rule_broken);
}

TEST_CASE("HWS-11: native fences come with WDDM 3.1, and their interrupt only with them") {
    constexpr auto fences = [](auto& c) { c.native_gpu_fence = claim::at_run_time; };
    expect_both(judged_at(wddm::v3_0, fences).what == rule::native_fence_before_v3_1);
    expect_both(judged_at(wddm::v3_1, fences) == no_rule_broken);
    expect_both(judged_at(wddm::v3_1, [](auto& c) {
                    c.optimized_native_fence_signaled_interrupt = claim::at_run_time;
                }).what == rule::optimized_interrupt_alone);
    constexpr auto atomics = [](auto& c) { c.no_64_bit_atomics = claim::yes; };
    expect_both(judged_at(wddm::v1_3, atomics).what == rule::no_64_bit_atomics_before_v2_0);
    expect_both(judged_at(wddm::v2_0, atomics) == no_rule_broken);
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
    CHECK(check_chosen<claiming_gpu>(chosen).what == rule::chosen_more_than_claimed);
    chosen = everything_chosen;
    chosen.preemption_aware = claim::no;  // and no_dma_patching still yes
    CHECK(check_chosen<claiming_gpu>(chosen).what == rule::no_dma_patching_alone);
    // Each claim has its place, and none may stay open.
    static_assert(sizeof preemption::choices / sizeof preemption::choices[0] == preemption::place_of_packet_cap);
    for (u32 place = 0; place < preemption::place_of_packet_cap; ++place) {
        CAPTURE(place);
        chosen = everything_chosen;
        chosen.*preemption::choices[place] = claim::at_run_time;
        CHECK(check_chosen<claiming_gpu>(chosen) ==
              broken_rule{rule::chosen_undecided, place, static_cast<u64>(claim::at_run_time)});
    }
}

}  // namespace capabilities_test
