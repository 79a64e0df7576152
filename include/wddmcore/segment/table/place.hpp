// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/units.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// An address as the CPU puts it on the bus, such as that of a BAR.
struct cpu_physical_address {
    u64 n = 0;
    friend constexpr bool operator==(cpu_physical_address, cpu_physical_address) = default;
    friend constexpr cpu_physical_address operator+(cpu_physical_address a, bytes b) noexcept { return {a.n + b.n}; }
};

/// How numbers of segments are written. All functions: any IRQL, touch no OS state, safe in non-paged code.
namespace segment {

/// The address of a segment in the GPU's address space, as a driver writes it: `.base = at(0x80'0000'0000)`.
///
/// @param address  bytes, any
/// @return the address with its unit
[[nodiscard]] constexpr segment_address at(u64 address) noexcept { return {address}; }

/// Stands for a number that only StartDevice knows. No size or address can have this value, because nothing ends past
/// it.
inline constexpr u64 not_placed_yet = ~u64{0};

/// How a constant table writes such a number: `.size = at_start`. It converts to every unit that can wait.
struct at_start_type {
    /// @return the number that stands for one that is not known yet
    constexpr operator bytes() const noexcept { return {not_placed_yet}; }
    /// @return the number that stands for one that is not known yet
    constexpr operator segment_address() const noexcept { return {not_placed_yet}; }
    /// @return the number that stands for one that is not known yet
    constexpr operator segment_offset() const noexcept { return {not_placed_yet}; }
    /// @return the number that stands for one that is not known yet
    constexpr operator cpu_physical_address() const noexcept { return {not_placed_yet}; }
};
inline constexpr at_start_type at_start{};  ///< not known before StartDevice

/// Whether a number has been placed.
///
/// @return false for at_start
template <class Unit>
[[nodiscard]] constexpr bool is_placed(Unit unit) noexcept {
    return unit.n != not_placed_yet;
}

static_assert(!is_placed(static_cast<bytes>(at_start)) && is_placed(bytes{0}));

}  // namespace segment
}  // namespace wddmcore
