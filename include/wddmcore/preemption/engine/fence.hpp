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

namespace detail {

/// Whether `id` lies in [first, last], all of them modulo 2^32 and less than 2^31 apart.
///
/// AMB-18: no page defines the wrap of fence ids or of "less than". This is the test that the system makes of
/// LastAbortedFenceId (TDR-05), read as signed differences (INT-13).
[[nodiscard]] constexpr bool lies_within(fence_id id, fence_id first, fence_id last) noexcept {
    return static_cast<i32>(id.n - first.n) >= 0 && static_cast<i32>(last.n - id.n) >= 0;
}

}  // namespace detail

}  // namespace wddmcore::preemption
