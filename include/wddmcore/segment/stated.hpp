// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table/place.hpp"

/// A number as a driver states it in a description of its segments and allocations: with its unit, or not at all.
///
/// Units are aggregates (law 6), and an aggregate takes a raw integer through elided braces: `.size = 512 << 20` would
/// be bytes, and `{.base = {size}, .size = {base}}` would compile. A member of this type takes its own unit or
/// `at_start`, and answers everything else with one sentence. It is read as its unit.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

namespace detail {

/// A number without a unit.
template <class Found>
concept raw_number = requires(Found found) { found * 1u; } && !requires(Found found) { found.n; };

/// Says that a number has no unit, or another one, as one compile error.
template <bool IsRaw>
consteval void needs_unit() {
    static_assert(
        !IsRaw,
        "segments: a raw number says no unit: write a size as `512 * mib` or `bytes{n}`, an address as `at(n)`, "
        "an offset as `segment_offset{n}`");
    static_assert(IsRaw,
                  "segments: this number has another unit: a base is an address (`at(n)`), a size is `bytes`; are two "
                  "of them exchanged?");
}

/// What a refused number would have been: one error is enough.
template <class Found>
[[nodiscard]] constexpr u64 number_in(Found found) noexcept {
    if constexpr (raw_number<Found>) {
        return static_cast<u64>(found);
    } else if constexpr (requires { found.n; }) {
        return found.n;
    } else {
        return 0;
    }
}

}  // namespace detail

/// A unit that only its own kind and `at_start` convert to; everything else is one compile error.
///
/// @tparam Unit  bytes, segment_address or segment_offset
template <class Unit>
struct stated : Unit {
    /// @param number  with its own unit
    constexpr stated(Unit number) noexcept : Unit(number) {}
    /// @param unknown  at_start: StartDevice places it
    constexpr stated(at_start_type unknown) noexcept : Unit(unknown.operator Unit()) {}
    /// @param found  a raw number, or another unit: one compile error
    template <class Found>
    constexpr stated(Found found) noexcept : Unit{detail::number_in(found)} {
        detail::needs_unit<detail::raw_number<Found>>();
    }
};

static_assert(stated<bytes>(at_start).n == not_placed_yet && stated<bytes>(4 * kib) == bytes{4096});

}  // namespace wddmcore::segment
