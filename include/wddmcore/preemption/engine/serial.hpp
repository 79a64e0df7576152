// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The library's own number of a submission: what hardware writes when it has finished one.
///
/// It rises by one with each submission of an engine and is never given twice, not even to a packet that comes back, so
/// a late write of hardware can name nothing that is still to run. The system's fence ids cannot serve: paging packets
/// come back with theirs (PRE-16).
struct serial {
    u32 n;
    friend constexpr bool operator==(serial, serial) = default;
};

/// The serial that many submissions later. Any IRQL, nonpaged.
[[nodiscard]] constexpr serial operator+(serial s, u32 submissions) noexcept { return {s.n + submissions}; }

/// How many submissions lie from `from` to `to`; modulo 2^32, so it is right across the wrap (AMB-18). Any IRQL,
/// nonpaged.
[[nodiscard]] constexpr u32 distance(serial from, serial to) noexcept { return to.n - from.n; }

/// Whether `a` was given before `b`, for serials less than 2^31 apart (AMB-18). Any IRQL, nonpaged.
[[nodiscard]] constexpr bool before(serial a, serial b) noexcept { return static_cast<i32>(a.n - b.n) < 0; }

/// The number of a preempt request: hardware echoes it when it has stopped, so that a stale answer to an older request
/// is told from the answer to this one.
struct generation {
    u32 n;
    friend constexpr bool operator==(generation, generation) = default;
};

}  // namespace wddmcore::preemption
