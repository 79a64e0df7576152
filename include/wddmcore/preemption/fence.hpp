// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "serial.hpp"

/// Fence ids: the system's names for submissions and requests.
///
/// The engine machine compares them for equality only: paging packets come back with their old ids, so an id says nothing
/// about order (PRE-16, PRE-18). These functions are for drivers and simulators that judge what the system itself
/// compares, and use the one reading that survives the wrap: signed difference (INT-13, AMB-18). Everything here is
/// pure: any IRQL, touches no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Whether one id counts as smaller than another, where the system says "less than" (INT-09, TDR-05).
template <meta::unsigned_integer T>
[[nodiscard]] constexpr bool fence_less(T a, T b) noexcept {
    return before(a, b);
}

/// Whether an id lies in [first, last], both included, modulo the wrap; the test that a reset's aborted id must pass
/// between last completed and last submitted, or the system bugchecks (0x119, parameter 0xA; TDR-05).
///
/// Source page: tdr-changes-in-windows-8.md.
template <meta::unsigned_integer T>
[[nodiscard]] constexpr bool fence_between(T first, T last, T id) noexcept {
    return distance(first, id) <= distance(first, last);
}
static_assert(fence_between<u32>(0xFFFF'FFFEu, 2u, 0u) && !fence_between<u32>(0xFFFF'FFFEu, 2u, 3u));
static_assert(fence_between<u32>(7u, 7u, 7u) && !fence_between<u32>(7u, 7u, 8u));

}  // namespace wddmcore::preemption
