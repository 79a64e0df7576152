// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The library's own number of a submission: what hardware writes when it has finished one.
///
/// It rises by one with each submission of an engine. A packet that comes back gets a new one, so a late write of
/// hardware never names a packet that has still to run. The system's fence ids cannot do that: paging packets come
/// back with their old ones (PRE-16).
struct serial {
    u32 n;
    friend constexpr bool operator==(serial, serial) = default;
};

/// The serial of a later submission. Any IRQL, nonpaged.
///
/// @param submissions  how many later; below 2^31 where before() is asked about the two
/// @return the serial, modulo 2^32
[[nodiscard]] constexpr serial operator+(serial s, u32 submissions) noexcept { return {s.n + submissions}; }

/// How many submissions lie from `from` to `to`. Any IRQL, nonpaged.
///
/// @return submissions modulo 2^32, so it is right across the wrap (AMB-18)
[[nodiscard]] constexpr u32 distance(serial from, serial to) noexcept { return to.n - from.n; }

/// Whether one serial was given before another. Any IRQL, nonpaged.
///
/// @return true: `a` is the older one, for serials less than 2^31 apart (AMB-18)
[[nodiscard]] constexpr bool before(serial a, serial b) noexcept { return static_cast<i32>(a.n - b.n) < 0; }

/// The number of a preempt request. Hardware echoes it when it has stopped, which tells the answer to this request
/// from a stale one to an older request.
struct generation {
    u32 n;
    friend constexpr bool operator==(generation, generation) = default;
};

}  // namespace wddmcore::preemption
