// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// A fence id of the system: a name, 32 bits, compared for equality only.
///
/// Ids do not rise: a paging packet that was preempted comes back with its old one (PRE-16, PRE-18).
struct fence_id {
    u32 n;
    friend constexpr bool operator==(fence_id, fence_id) = default;
};

/// Whether `id` lies in [first, last], all of them modulo 2^32 and less than 2^31 apart.
///
/// AMB-18: no page defines the wrap of fence ids or of "less than"; this is the test that the system makes of
/// LastAbortedFenceId (TDR-05), read as signed differences (INT-13). Any IRQL, nonpaged.
[[nodiscard]] constexpr bool lies_within(fence_id id, fence_id first, fence_id last) noexcept {
    return static_cast<i32>(id.n - first.n) >= 0 && static_cast<i32>(last.n - id.n) >= 0;
}

/// Whether `id` was given after `other`: by signed difference (INT-13, AMB-18).
///
/// Only for what a simulator or a debugger says about ids: nothing in the machine depends on an order of them (PRE-18).
/// Any IRQL, nonpaged.
[[nodiscard]] constexpr bool is_newer(fence_id id, fence_id other) noexcept {
    return static_cast<i32>(id.n - other.n) > 0;
}

}  // namespace wddmcore::preemption
