// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"

/// Serials: what hardware writes as its fence. One per submission, never reused, wrapping after 2^32 (AMB-18).
///
/// Width-generic, so that the 16-bit instance is proven exhaustively. Everything here is pure: any IRQL, touches no OS
/// state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// How many steps lead from one serial to another, going up and through the wrap.
template <meta::unsigned_integer T>
[[nodiscard]] constexpr T distance(T from, T to) noexcept {
    return static_cast<T>(to - from);
}
static_assert(distance<u32>(0xFFFF'FFFEu, 1u) == 3u);

/// Whether a serial lies in [first, first + count); exact for every count, the wrap included.
template <meta::unsigned_integer T>
[[nodiscard]] constexpr bool within(T first, T count, T serial) noexcept {
    return distance(first, serial) < count;
}
static_assert(within<u32>(0xFFFF'FFFFu, 2u, 0u) && !within<u32>(0xFFFF'FFFFu, 2u, 1u) && !within<u32>(5u, 0u, 5u));

/// Whether `a` was given out before `b`, as long as fewer than half of all serials lie between them.
template <meta::unsigned_integer T>
[[nodiscard]] constexpr bool before(T a, T b) noexcept {
    constexpr T half = static_cast<T>(T{1} << (sizeof(T) * 8 - 1));
    return a != b && distance(a, b) < half;
}
static_assert(before<u32>(0xFFFF'FFFFu, 0u) && !before<u32>(0u, 0xFFFF'FFFFu) && !before<u32>(7u, 7u));

/// A half-open range of serials that may pass through the wrap.
struct serial_range {
    u32 first;
    u32 count;

    [[nodiscard]] constexpr bool empty() const noexcept { return count == 0; }
    [[nodiscard]] constexpr bool contains(u32 serial) const noexcept { return within(first, count, serial); }

    friend constexpr bool operator==(serial_range const&, serial_range const&) = default;
};

}  // namespace wddmcore::preemption
