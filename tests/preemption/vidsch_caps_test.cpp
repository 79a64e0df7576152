// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "claiming_gpu.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace vidsch_caps_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using preemption::broken_rule;
using preemption::no_rule_broken;
using preemption::rule;

namespace {

/// The word that remains when a structure held `before`. Bits by tests/abi/ddi_abi.json: 0 MultiEngineAware,
/// 1 VSyncPowerSaveAware, 2 PreemptionAware, 3 NoDmaPatching, 4 CancelCommandAware, 5 No64BitAtomics,
/// 6 LowIrqlPreemptCommand, 7 to 10 HwQueuePacketCap, 11 NativeGpuFence, 12 OptimizedNativeFenceSignaledInterrupt.
template <class VidSchCaps>
u32 filled(scheduling_capabilities const& chosen, wddm version, u32 before) {
    VidSchCaps caps;
    caps.Value = before;
    preemption::fill_vidschcaps<claiming_gpu>(chosen, version, caps);
    return caps.Value;
}

constexpr u32 cap_of_12 = 12u << 7;

/// What a WDK's header has where the mirror has numbers.
enum class wdk_graphics { none, pixel = 400 };
enum class wdk_compute { none, dispatch = 200 };
struct wdk_preemption_caps {
    wdk_graphics GraphicsPreemptionGranularity;
    wdk_compute ComputePreemptionGranularity;
};

}  // namespace

TEST_CASE("PRE-01: the scheduling bits of every version, from zero") {
    CHECK(filled<mirror::vista::dxgk_vidschcaps>(everything_chosen, wddm::vista, 0) == 0x1);
    CHECK(filled<mirror::win7::dxgk_vidschcaps>(everything_chosen, wddm::win7, 0) == 0x1);
    CHECK(filled<mirror::win8::dxgk_vidschcaps>(everything_chosen, wddm::win8, 0) == 0x1D);
    CHECK(filled<mirror::v1_3::dxgk_vidschcaps>(everything_chosen, wddm::v1_3, 0) == 0x1D);
    CHECK(filled<mirror::v2_0::dxgk_vidschcaps>(everything_chosen, wddm::v2_0, 0) == 0x7D);
    CHECK(filled<mirror::v2_2::dxgk_vidschcaps>(everything_chosen, wddm::v2_2, 0) == 0x7D);
    CHECK(filled<mirror::v2_3::dxgk_vidschcaps>(everything_chosen, wddm::v2_3, 0) == (0x7D | cap_of_12));
    CHECK(filled<mirror::v3_1::dxgk_vidschcaps>(everything_chosen, wddm::v3_1, 0) == (0x187D | cap_of_12));
    CHECK(filled<mirror::v3_2::dxgk_vidschcaps>(everything_chosen, wddm::v3_2, 0) == (0x187D | cap_of_12));
}

TEST_CASE("PRE-03: bits of claims that were decided to be no are cleared, and the others kept") {
    // All ones before: bit 1 and the reserved bits stay, and what is not claimed (fences) or has no version.
    CHECK(filled<mirror::v3_1::dxgk_vidschcaps>(least_chosen, wddm::v3_1, ~u32{0}) ==
          (~u32{0x7D | 0x780} | 0x11 | cap_of_12));
    CHECK(filled<mirror::v3_1::dxgk_vidschcaps>(least_chosen, wddm::v3_1, 0) == (0x11 | cap_of_12));
    CHECK(filled<mirror::win8::dxgk_vidschcaps>(least_chosen, wddm::win8, ~u32{0}) == (~u32{0x1D} | 0x11));
    CHECK(filled<mirror::vista::dxgk_vidschcaps>(least_chosen, wddm::vista, ~u32{0}) == ~u32{0});
    scheduling_capabilities chosen = least_chosen;
    chosen.multi_engine_aware = chosen.cancel_command_aware = claim::no;
    chosen.hw_queue_packet_cap = 0;
    CHECK(filled<mirror::v3_1::dxgk_vidschcaps>(chosen, wddm::v3_1, ~u32{0}) == ~u32{0x7D});
    CHECK(filled<mirror::v3_1::dxgk_vidschcaps>(chosen, wddm::v3_1, 0) == 0);
}

TEST_CASE("PRE-01: a newer structure registered as an older version keeps the later bits as they were") {
    CHECK(filled<mirror::v3_2::dxgk_vidschcaps>(everything_chosen, wddm::win7, 0) == 0x1);
    CHECK(filled<mirror::v3_2::dxgk_vidschcaps>(everything_chosen, wddm::win8, 0) == 0x1D);
    CHECK(filled<mirror::v3_2::dxgk_vidschcaps>(everything_chosen, wddm::v2_2, 0) == 0x7D);
    CHECK(filled<mirror::v3_2::dxgk_vidschcaps>(everything_chosen, wddm::v3_0, 0) == (0x7D | cap_of_12));
    CHECK(filled<mirror::v3_2::dxgk_vidschcaps>(least_chosen, wddm::win7, ~u32{0}) == ~u32{0});
}

TEST_CASE("PRE-02: each claim sets its own bit") {
    scheduling_capabilities none = least_chosen;
    none.multi_engine_aware = none.cancel_command_aware = claim::no;
    none.hw_queue_packet_cap = 0;
    struct row {
        claim scheduling_capabilities::* member;
        u32 word;
    };
    constexpr row rows[] = {
        {&scheduling_capabilities::multi_engine_aware, 1u << 0},
        {&scheduling_capabilities::preemption_aware, 1u << 2},
        {&scheduling_capabilities::no_dma_patching, 1u << 3},
        {&scheduling_capabilities::cancel_command_aware, 1u << 4},
        {&scheduling_capabilities::no_64_bit_atomics, 1u << 5},
        {&scheduling_capabilities::low_irql_preempt_command, 1u << 6},
        {&scheduling_capabilities::native_gpu_fence, 1u << 11},
    };
    for (row const& one : rows) {
        CAPTURE(one.word);
        scheduling_capabilities chosen = none;
        chosen.*one.member = claim::yes;
        CHECK(filled<mirror::v3_1::dxgk_vidschcaps>(chosen, wddm::v3_1, 0) == one.word);
        chosen.*one.member = claim::at_run_time;  // what was left open is not advertised
        CHECK(filled<mirror::v3_1::dxgk_vidschcaps>(chosen, wddm::v3_1, 0) == 0);
    }
    for (u32 cap = 1; cap <= 15; ++cap) {
        scheduling_capabilities chosen = none;
        chosen.hw_queue_packet_cap = cap;
        CHECK(filled<mirror::v2_3::dxgk_vidschcaps>(chosen, wddm::v2_3, 0) == cap << 7);
    }
}

// Header build 22621 has WDDM 3.1 and only the first of the bits for native fences.
struct caps_of_22621 : mirror::v3_1::dxgk_vidschcaps {
    void OptimizedNativeFenceSignaledInterrupt();
};
struct gpu_of_22621 : claiming_gpu {
    static constexpr scheduling_capabilities scheduling = [] {
        scheduling_capabilities claims = all_claims;
        claims.optimized_native_fence_signaled_interrupt = claim::no;
        return claims;
    }();
};

TEST_CASE("HWS-11: a structure with only the first bit of native fences gets it") {
    scheduling_capabilities chosen = everything_chosen;
    chosen.optimized_native_fence_signaled_interrupt = claim::no;
    caps_of_22621 answer{};
    preemption::fill_vidschcaps<gpu_of_22621>(chosen, wddm::v3_1, answer);
    CHECK(u32{answer.NativeGpuFence} == 1);
    CHECK((u32{answer.Value} & 1u << 12) == 0);
    chosen.native_gpu_fence = claim::no;
    caps_of_22621 without{};
    preemption::fill_vidschcaps<gpu_of_22621>(chosen, wddm::v3_1, without);
    CHECK(u32{without.NativeGpuFence} == 0);
}

TEST_CASE("PRE-01: the bits are filled in constant evaluation too") {
    constexpr mirror::v3_1::dxgk_vidschcaps caps = [] {
        mirror::v3_1::dxgk_vidschcaps answer{};
        preemption::fill_vidschcaps<claiming_gpu>(everything_chosen, wddm::v3_1, answer);
        return answer;
    }();
    expect_both(caps.MultiEngineAware == 1 && caps.VSyncPowerSaveAware == 0 && caps.PreemptionAware == 1 &&
                caps.NoDmaPatching == 1 && caps.CancelCommandAware == 1 && caps.No64BitAtomics == 1 &&
                caps.LowIrqlPreemptCommand == 1 && caps.HwQueuePacketCap == 12 && caps.NativeGpuFence == 1 &&
                caps.OptimizedNativeFenceSignaledInterrupt == 1 && caps.Reserved == 0);
}

TEST_CASE("PRE-05: D3DKMDT_PREEMPTION_CAPS holds the coarsest of the engines that run the work") {
    constexpr auto answer = [] {
        mirror::win8::d3dkmdt_preemption_caps caps{};
        preemption::fill_preemption_caps<claiming_gpu>(caps);
        return caps;
    }();
    // Node 0 alone runs graphics (400); compute is 300 on node 0 and 200 on node 1; node 2 runs neither.
    expect_both(answer.GraphicsPreemptionGranularity == 400 && answer.ComputePreemptionGranularity == 200);
}

TEST_CASE("PRE-04: the same for a header whose members are enumerations") {
    constexpr auto answer = [] {
        wdk_preemption_caps caps{};
        preemption::fill_preemption_caps<claiming_gpu>(caps);
        return caps;
    }();
    expect_both(answer.GraphicsPreemptionGranularity == wdk_graphics::pixel &&
                answer.ComputePreemptionGranularity == wdk_compute::dispatch);
}

TEST_CASE("PRE-05: both members are written, whatever stood there") {
    wdk_preemption_caps caps{wdk_graphics::none, wdk_compute::none};
    preemption::fill_preemption_caps<claiming_gpu>(caps);
    CHECK(caps.GraphicsPreemptionGranularity == wdk_graphics::pixel);
    CHECK(caps.ComputePreemptionGranularity == wdk_compute::dispatch);
}

TEST_CASE("FLP-01, FLP-08: the flip capabilities as they will be returned are checked, never written") {
    constexpr auto found = [](scheduling_capabilities const& chosen, u32 word) {
        mirror::v2_0::dxgk_flipcaps caps{};
        caps.Value = word;
        return preemption::check_flip_caps(chosen, caps);
    };
    constexpr scheduling_capabilities compute_only{.kind = adapter_kind::compute_only};
    expect_both(found(everything_chosen, 2) == no_rule_broken && found(everything_chosen, 0x7F) == no_rule_broken);
    expect_both(found(everything_chosen, 0x7D) == broken_rule{rule::no_flip_on_vsync, 0, 0x7D});
    expect_both(found(least_chosen, 0) == no_rule_broken);  // not PreemptionAware
    expect_both(found(compute_only, 0) == no_rule_broken);
    expect_both(found({.kind = adapter_kind::render_only, .preemption_aware = claim::yes}, 0) == no_rule_broken);
    expect_both(found(compute_only, 0x80) == broken_rule{rule::compute_only_flips, 0, 0x80});
}

}  // namespace vidsch_caps_test
