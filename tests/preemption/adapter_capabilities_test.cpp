// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "judged.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../base/expect_both.hpp"

namespace adapter_capabilities_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using preemption::broken_rule;
using preemption::no_rule_broken;
using preemption::rule;

namespace {

using other = other_preemption_granularity;

struct one_node {
    static constexpr preemption_engine engines[] = {{.other = {other::none}}};
};

static_assert(check_linked_adapters<claiming_gpu>() && check_linked_adapters<claiming_gpu, claiming_gpu>());

}  // namespace

TEST_CASE("LDA-02: every physical adapter of a link has as many nodes as the first") {
    using preemption::detail::first_broken_rule_of_link;
    expect_both(first_broken_rule_of_link<claiming_gpu>() == no_rule_broken);
    expect_both(first_broken_rule_of_link<claiming_gpu, claiming_gpu>() == no_rule_broken);
    expect_both(first_broken_rule_of_link<claiming_gpu, claiming_gpu, one_node, one_node>() ==
                broken_rule{rule::different_node_counts, 2, 1});
    expect_both(first_broken_rule_of_link<one_node, claiming_gpu>() == broken_rule{rule::different_node_counts, 1, 3});
}

TEST_CASE("LDA-06: 1 to 64 nodes") {
    std::vector<preemption_engine> const engines(65, {.other = {other::dma_buffer_boundary}});
    for (usize count = 0; count <= 65; ++count) {
        broken_rule const found = preemption::detail::judge({wddm::v2_0, {}, {engines.data(), count}, false, 64});
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
    using preemption::detail::recovery_functions_of;
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

}  // namespace adapter_capabilities_test
