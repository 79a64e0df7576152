// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

/// What engines, packets and requests are called: by the system, by the library and by the hardware.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Where a packet runs: the pair that keys every fence and every machine (PRE-27). Both count from zero.
struct engine_id {
    u32 node;    ///< NodeOrdinal: the schedulable part of one physical adapter (LDA-01)
    u32 engine;  ///< EngineOrdinal: the physical adapter in the link; 0 outside a link (LDA-04)
    friend constexpr bool operator==(engine_id, engine_id) = default;
};

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
