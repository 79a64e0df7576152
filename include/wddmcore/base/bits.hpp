// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "checked.hpp"

/// Bit fields of command packets and page-table entries, as pure functions: a value is complete in a register before it
/// is stored (law 4).
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// A word with its lowest bits set.
///
/// @param width  how many bits; 0 to the width of T, and more counts as that
/// @return the mask
template <meta::unsigned_integer T>
[[nodiscard]] constexpr T low_mask(u32 width) noexcept {
    constexpr u32 whole = sizeof(T) * 8;
    return width >= whole ? static_cast<T>(~T{0}) : static_cast<T>((u64{1} << width) - 1);
}
static_assert(low_mask<u32>(12) == 0xFFFu && low_mask<u64>(64) == ~u64{0} && low_mask<u16>(0) == 0);

namespace detail {

/// The width of bits [Last:First]. Impossible bits give one error here; in a class they would give several.
template <meta::unsigned_integer T, u32 Last, u32 First>
[[nodiscard]] consteval u32 bit_field_width() noexcept {
    static_assert(First <= Last, "a bit field is written [last:first], the higher bit first");
    static_assert(Last < sizeof(T) * 8, "the last bit of a bit field lies outside its word");
    return Last - First + 1;
}

}  // namespace detail

/// Bits [Last:First] of a word of type T, written as in hardware manuals. A field that cannot be is one compile error.
template <meta::unsigned_integer T, u32 Last, u32 First = Last>
struct bit_field {
    static constexpr u32 width = detail::bit_field_width<T, Last, First>();        ///< bits, 1 to the type's
    static constexpr T largest = low_mask<T>(width);                               ///< the largest value that fits
    static constexpr T mask = static_cast<T>(static_cast<u64>(largest) << First);  ///< its bits in the word

    /// A value at the field's place.
    ///
    /// @param value  0 to `largest`; higher bits are cut off
    /// @return the value shifted, every other bit 0
    [[nodiscard]] static constexpr T place(T value) noexcept {
        return static_cast<T>((static_cast<u64>(value) & largest) << First);
    }

    /// @return the field's value in a word, 0 to `largest`
    [[nodiscard]] static constexpr T of(T word) noexcept {
        return static_cast<T>((static_cast<u64>(word) >> First) & largest);
    }

    /// @return the word with the field set to a value, cut off as by `place`, and every other bit kept
    [[nodiscard]] static constexpr T set(T word, T value) noexcept {
        return static_cast<T>((word & static_cast<T>(~mask)) | place(value));
    }
};
static_assert(bit_field<u32, 15, 8>::place(0x5u) == 0x500u);
static_assert(bit_field<u32, 15, 8>::of(0x1234u) == 0x12u);
static_assert(bit_field<u32, 15, 8>::set(0x1234u, 0xFFu) == 0xFF34u);
static_assert(bit_field<u64, 63, 0>::mask == ~u64{0});

/// @param value  any
/// @return the low dword of a 64-bit value: packets hold addresses as two dwords
[[nodiscard]] constexpr u32 low_dword(u64 value) noexcept { return static_cast<u32>(value); }
static_assert(low_dword(0x1'2345'6789) == 0x2345'6789u);

/// @return the high dword of a 64-bit value
[[nodiscard]] constexpr u32 high_dword(u64 value) noexcept { return static_cast<u32>(value >> 32); }
static_assert(high_dword(0x1'2345'6789) == 1u);

/// @param first   the low one
/// @param second  the high one
/// @return two dwords as the 64-bit value that stores both in order on a little-endian machine (`put64`)
[[nodiscard]] constexpr u64 dword_pair(u32 first, u32 second) noexcept {
    return static_cast<u64>(second) << 32 | first;
}
static_assert(dword_pair(1u, 2u) == 0x2'0000'0001);

}  // namespace wddmcore
