// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

/// Native GPU fences (WDDM 3.2): when the CPU is interrupted, and when a driver may offer them.
///
/// All functions here: any IRQL up to device IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The values of a native fence: 64 bits, each written as one.
struct fence_value {
    u64 n;
    friend constexpr bool operator==(fence_value, fence_value) = default;
};

/// The monitored value of a fence that no CPU waits for: no current value is above it.
inline constexpr fence_value nobody_waits{~u64{0}};

/// The monitored value for the lowest value that a CPU waits for, which is at least 1.
[[nodiscard]] constexpr fence_value monitored_for(fence_value lowest_waited_for) noexcept {
    return {lowest_waited_for.n - 1};
}

/// Whether a signal interrupts the CPU: exactly when the current value is above the monitored one (HWS-10).
///
/// Source: native-gpu-fence-objects.md.
[[nodiscard]] constexpr bool interrupts(fence_value current, fence_value monitored) noexcept {
    return current.n > monitored.n;
}

/// Updates a monitored value (DxgkDdiUpdateMonitoredValues): stores it, then a full barrier, then reads the current
/// value and decides (HWS-10). In any other order a signal between the steps wakes nobody.
///
/// @param store    `void(fence_value)`: writes the monitored value where the GPU reads it, in one 64-bit store
/// @param barrier  `void()`: a full barrier, after which the GPU has seen the store; a store buffer drained on the CPU
///                 alone is not enough where the GPU caches the value (HWS-15)
/// @param load     `fence_value()`: reads the current value, in one 64-bit load
/// @return whether the fence is to be reported as signaled now
/// IRQL: device. Source: native-gpu-fence-objects.md, nc-d3dkmddi-dxgkddi_updatemonitoredvalues.md.
template <class Store, class Barrier, class Load>
[[nodiscard]] constexpr bool update_monitored_value(fence_value monitored, Store&& store, Barrier&& barrier,
                                                    Load&& load) noexcept {
    store(monitored);
    barrier();
    return interrupts(load(), monitored);
}

/// What the system answered when it was asked for the feature.
enum class feature_answer : u32 { not_asked, disabled, enabled };

/// Whether a driver may claim native fences: only after the system said that they are enabled; otherwise the adapter
/// does not start (HWS-11).
///
/// @param answer             of the feature query, made before the caps are answered
/// @param hardware_has_them  whether this hardware can
/// IRQL: PASSIVE_LEVEL. Source: native-gpu-fence-objects.md.
[[nodiscard]] constexpr bool may_claim_native_fences(feature_answer answer, bool hardware_has_them) noexcept {
    return answer == feature_answer::enabled && hardware_has_them;
}

}  // namespace wddmcore::preemption
