// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

/// Native GPU fences (WDDM 3.2): when the CPU is interrupted, and when a driver may offer them.
///
/// All functions here: any IRQL up to device IRQL, touch no OS state, safe in non-paged code.
/// Source page: native-gpu-fence-objects.md.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The values of a native fence: 64 bits, each written as one.
struct fence_value {
    u64 n;
    friend constexpr bool operator==(fence_value, fence_value) = default;
};

/// The monitored value of a fence that no CPU waits for: no current value is above it.
inline constexpr fence_value nobody_waits{~u64{0}};

/// The monitored value that interrupts for a waiter.
///
/// @param lowest_waited_for  the lowest value that a CPU waits for, at least 1
/// @return the value below it
[[nodiscard]] constexpr fence_value monitored_for(fence_value lowest_waited_for) noexcept {
    return {lowest_waited_for.n - 1};
}

/// Whether a signal interrupts the CPU (HWS-10). Source: native-gpu-fence-objects.md.
///
/// @return true: the current value is above the monitored one
[[nodiscard]] constexpr bool interrupts(fence_value current, fence_value monitored) noexcept {
    return current.n > monitored.n;
}

/// Updates a monitored value (DxgkDdiUpdateMonitoredValues): stores it, makes a full barrier, then reads the current
/// value and decides (HWS-10). In any other order a signal between the steps wakes nobody.
///
/// @param monitored  the new value
/// @param store      `void(fence_value)`: writes the monitored value where the GPU reads it, in one 64-bit store
/// @param barrier    `void()`: a full barrier, after which the GPU has seen the store; a store buffer drained on the
///                   CPU alone is not enough where the GPU caches the value (HWS-15)
/// @param load       `fence_value()`: reads the current value, in one 64-bit load
/// @return true: report the fence as signaled now
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

/// Whether a driver may claim native fences (HWS-11).
///
/// @param answer             of the feature query, made before the caps are answered
/// @param hardware_has_them  whether this hardware can
/// @return true: it can, and the system said that they are enabled. An adapter that claims them otherwise does not
///         start
/// IRQL: PASSIVE_LEVEL. Source: native-gpu-fence-objects.md.
[[nodiscard]] constexpr bool may_claim_native_fences(feature_answer answer, bool hardware_has_them) noexcept {
    return answer == feature_answer::enabled && hardware_has_them;
}

}  // namespace wddmcore::preemption
