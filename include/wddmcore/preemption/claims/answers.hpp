// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../members.hpp"
#include "check.hpp"

/// The answers of a driver's scheduling half, from what was chosen. Each sets the members and bits that it names, to 0
/// as well as to 1, and touches no other.
///
/// All functions here: PASSIVE_LEVEL as DxgkDdiQueryAdapterInfo, pageable, touch no OS state. DDI: WDDM 1.2.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

namespace detail {

/// Whether a claim was decided to be yes; one that was left open is not advertised.
[[nodiscard]] constexpr bool is_yes(claim c) noexcept { return c == claim::yes; }

}  // namespace detail

/// Fills the scheduling bits of DXGK_DRIVERCAPS: bits 0 and 2 to 6 of DXGK_VIDSCHCAPS, each where the structure and the
/// version have it; bits 7 to 10 (HwQueuePacketCap), 11 and 12 (native fences) only where claimed.
///
/// Bit 1 (VSyncPowerSaveAware), the reserved bits and what is not claimed stay as the driver left them.
///
/// Source page: ns-d3dkmddi-_dxgk_vidschcaps.md (PRE-01 to PRE-03, PRE-28).
///
/// @tparam Hw  the hardware type; one compile error where it breaks a rule
/// @param chosen   the claims as decided, see check_chosen
/// @param version  the interface version that the driver registers with: later bits are left alone
/// @param answer   DXGK_VIDSCHCAPS of the included header, or a mirror
template <class Hw, members::vidschcaps VidSchCaps>
constexpr void fill_vidschcaps(scheduling_capabilities const& chosen, wddm version, VidSchCaps& answer) noexcept {
    static_cast<void>(check_preemption<Hw>());
    if constexpr (detail::keeps_every_rule<Hw>()) {
        answer.MultiEngineAware = detail::is_yes(chosen.multi_engine_aware);
        if constexpr (requires { answer.PreemptionAware; }) {  // from Windows 8
            if (version >= wddm::win8) {
                answer.PreemptionAware = detail::is_yes(chosen.preemption_aware);
                answer.NoDmaPatching = detail::is_yes(chosen.no_dma_patching);
                answer.CancelCommandAware = detail::is_yes(chosen.cancel_command_aware);
            }
        }
        if constexpr (requires { answer.LowIrqlPreemptCommand; }) {  // from WDDM 2.0
            if (version >= wddm::v2_0) {
                answer.No64BitAtomics = detail::is_yes(chosen.no_64_bit_atomics);
                answer.LowIrqlPreemptCommand = detail::is_yes(chosen.low_irql_preempt_command);
            }
        }
        if constexpr (members::vidschcaps_packet_cap<VidSchCaps>) {
            if (version >= wddm::v2_3 && chosen.hw_queue_packet_cap != 0) {
                answer.HwQueuePacketCap = chosen.hw_queue_packet_cap & 15u;
            }
        }
        if constexpr (members::vidschcaps_native_fence<VidSchCaps>) {
            if (version >= wddm::v3_1 && detail::is_yes(chosen.native_gpu_fence)) {
                answer.NativeGpuFence = 1;
                if constexpr (members::vidschcaps_optimized_native_fence<VidSchCaps>) {
                    answer.OptimizedNativeFenceSignaledInterrupt =
                        detail::is_yes(chosen.optimized_native_fence_signaled_interrupt);
                }
            }
            // A claim that the structure cannot carry must not get lost silently.
            static_assert(members::vidschcaps_optimized_native_fence<VidSchCaps> ||
                              !may_be_yes(Hw::scheduling.optimized_native_fence_signaled_interrupt),
                          "scheduling: `optimized_native_fence_signaled_interrupt` is claimed, but DXGK_VIDSCHCAPS of "
                          "the included header has no such bit: it begins with build 26100");
        }
    }
}

namespace detail {

template <class PreemptionCaps>
WDDMCORE_INLINE constexpr void put_granularities(u32 graphics_number, u32 compute_number,
                                                 PreemptionCaps& answer) noexcept {
    using graphics = meta::bare<decltype(answer.GraphicsPreemptionGranularity)>;
    using compute = meta::bare<decltype(answer.ComputePreemptionGranularity)>;
    answer.GraphicsPreemptionGranularity = static_cast<graphics>(graphics_number);
    answer.ComputePreemptionGranularity = static_cast<compute>(compute_number);
}

}  // namespace detail

/// Fills D3DKMDT_PREEMPTION_CAPS: the coarsest granularity of graphics and of compute over the engines that run it
/// (PRE-04, PRE-05); none where no engine does.
///
/// Source page: ns-d3dkmdt-_d3dkmdt_preemption_caps.md; from Windows 8.
///
/// @tparam Hw  the hardware type; one compile error where it breaks a rule
/// @param answer  D3DKMDT_PREEMPTION_CAPS of the included header, or the mirror
template <class Hw, members::preemption_caps PreemptionCaps>
constexpr void fill_preemption_caps(PreemptionCaps& answer) noexcept {
    static_cast<void>(check_preemption<Hw>());
    if constexpr (detail::keeps_every_rule<Hw>()) {
        static_assert(!hw::declares_node_count<Hw>,
                      "fill_preemption_caps: the chips of this hardware type differ in their `node_count`: hand over "
                      "the object as well");
        constexpr u32 graphics_number = static_cast<u32>(coarsest_graphics(span_of(Hw::engines)));
        constexpr u32 compute_number = static_cast<u32>(coarsest_compute(span_of(Hw::engines)));
        detail::put_granularities(graphics_number, compute_number, answer);
    }
}

/// The same for one chip, whose engines may be fewer than those of its type.
///
/// @param hw  a chip that check_numbers accepts
template <class Hw, members::preemption_caps PreemptionCaps>
constexpr void fill_preemption_caps(Hw const& hw, PreemptionCaps& answer) noexcept {
    if constexpr (!hw::declares_node_count<Hw>) {
        fill_preemption_caps<Hw>(answer);
    } else {
        static_cast<void>(check_preemption<Hw>());
        if constexpr (detail::keeps_every_rule<Hw>()) {
            span<preemption_engine const> const engines = hw::engines_of(hw);
            detail::put_granularities(static_cast<u32>(coarsest_graphics(engines)),
                                      static_cast<u32>(coarsest_compute(engines)), answer);
        }
    }
}

/// Checks the flip capabilities that a driver filled in itself against what was chosen (FLP-01, FLP-08).
///
/// DDI: WDDM 1.0. Source page: ns-d3dkmddi-_dxgk_flipcaps.md.
///
/// @param chosen  the claims as decided
/// @param answer  DXGK_FLIPCAPS as it will be returned
/// @return no_rule_broken. no_flip_on_vsync: a display driver that claims preemption has no FlipOnVSyncMmIo.
///         compute_only_flips: a compute-only driver has a bit set. The value is the word
template <members::flip_caps FlipCaps>
[[nodiscard]] constexpr broken_rule check_flip_caps(scheduling_capabilities chosen, FlipCaps const& answer) noexcept {
    u32 const word = answer.Value;
    chosen.flips = static_cast<flip_caps>(word);
    return detail::judge_flips(chosen);
}

namespace detail {

/// The recovery functions that DRIVER_INITIALIZATION_DATA names; before Windows 8 it has only the adapter's two.
///
/// Source page: ns-dispmprt-_driver_initialization_data.md.
template <members::adapter_recovery InitializationData>
[[nodiscard]] constexpr recovery_functions recovery_functions_of(InitializationData const& data) noexcept {
    using enum recovery_functions;
    recovery_functions found = none;
    auto const take = [&found](auto function, recovery_functions which) {
        found = function != nullptr ? found | which : found;
    };
    take(data.DxgkDdiResetFromTimeout, reset_from_timeout);
    take(data.DxgkDdiRestartFromTimeout, restart_from_timeout);
    if constexpr (members::engine_recovery<InitializationData>) {
        take(data.DxgkDdiQueryDependentEngineGroup, query_dependent_engine_group);
        take(data.DxgkDdiQueryEngineStatus, query_engine_status);
        take(data.DxgkDdiResetEngine, reset_engine);
    }
    return found;
}

}  // namespace detail

/// Checks at DriverEntry that the driver has the recovery functions which its claims promise (TDR-01).
///
/// Source page: tdr-changes-in-windows-8.md.
///
/// @param claims  what the driver claims, or has chosen
/// @param data    DRIVER_INITIALIZATION_DATA as it will be given to DxgkInitialize
/// @return no_rule_broken. no_adapter_recovery: one of the adapter's two functions is missing. no_engine_recovery:
///         recovery per engine is claimed, and one of its three functions is missing. The value is the set of
///         functions that are there
template <members::adapter_recovery InitializationData>
[[nodiscard]] constexpr broken_rule check_recovery_functions(scheduling_capabilities claims,
                                                             InitializationData const& data) noexcept {
    claims.recovery = detail::recovery_functions_of(data);
    // check_preemption() has judged the version; with the newest one only the functions count here.
    return detail::judge_recovery(claims, wddm::v3_2);
}

}  // namespace wddmcore::preemption
