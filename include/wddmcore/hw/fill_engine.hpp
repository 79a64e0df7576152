// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// A fill command that always has the same length.
///
/// For hardware authors: `static constexpr dwords fill_dwords`, 1 to 256.
template <class Hw>
concept fill_of_one_length = requires { requires meta::is_constant_of<dwords, Hw::fill_dwords>; };

/// A fill command whose length depends on what is filled, with what, or where.
///
/// For library users: exactly the length of each command is reserved; smallest_paging_buffer counts with the most. An
/// engine of one length pays nothing for this.
/// For hardware authors: `static constexpr dwords fill_dwords_most`, 1 to 256, and
/// `dwords fill_dwords_of(address destination, bytes size, u32 pattern) const`, the exact length of what encode_fill
/// writes for the same arguments: 1 to fill_dwords_most, and the same whenever it is asked.
template <class Hw>
concept fill_of_many_lengths =
    addressed<Hw> && requires(Hw const& hw, typename Hw::address destination, bytes size, u32 pattern) {
        requires meta::is_constant_of<dwords, Hw::fill_dwords_most>;
        { hw.fill_dwords_of(destination, size, pattern) } -> meta::same_as<dwords>;
    };

/// Fills memory with a repeated 32-bit pattern.
///
/// For library users: the pattern repeats little-endian from the first byte (AMB-09), and keeps its phase over splits
/// because every split lies at a page (OP09-02).
/// For hardware authors: `static constexpr bytes fill_max`, at least fill_alignment; `static constexpr bytes
/// fill_alignment`, a divisor of 4096 that address and length are multiples of, and itself a multiple of the pattern's
/// width; `static constexpr bytes fill_pattern_bytes`, 4, or 1 for an engine that repeats one byte (a pattern of four
/// different bytes then reaches the fault hook); `void encode_fill(u32* at, address destination, bytes size, u32 pattern)
/// const`; and its exact length, either `static constexpr dwords fill_dwords`, 1 to 256, or that of
/// fill_of_many_lengths.
template <class Hw>
concept fill_engine = addressed<Hw> && (fill_of_one_length<Hw> || fill_of_many_lengths<Hw>) &&
                      requires(Hw const& hw, u32* at, typename Hw::address a, bytes size, u32 pattern) {
                          typename meta::constant<Hw::fill_max>;
                          requires meta::same_as<meta::bare<decltype(Hw::fill_max)>, bytes>;
                          typename meta::constant<Hw::fill_alignment>;
                          requires meta::same_as<meta::bare<decltype(Hw::fill_alignment)>, bytes>;
                          typename meta::constant<Hw::fill_pattern_bytes>;
                          requires meta::same_as<meta::bare<decltype(Hw::fill_pattern_bytes)>, bytes>;
                          { hw.encode_fill(at, a, size, pattern) } -> meta::same_as<void>;
                      };

/// The most dwords of a fill command.
template <class Hw>
[[nodiscard]] consteval dwords longest_fill() noexcept {
    if constexpr (fill_of_one_length<Hw>) {
        return Hw::fill_dwords;
    } else {
        return Hw::fill_dwords_most;
    }
}

/// The exact dwords of a fill command.
///
/// Any IRQL that the hardware type's own function allows; touches no OS state.
template <class Hw, class Address>
[[nodiscard]] WDDMCORE_INLINE constexpr dwords fill_length(Hw const& hw, Address destination, bytes size,
                                                           u32 pattern) noexcept {
    if constexpr (fill_of_one_length<Hw>) {
        static_cast<void>(hw);
        static_cast<void>(destination);
        static_cast<void>(size);
        static_cast<void>(pattern);
        return Hw::fill_dwords;
    } else {
        return hw.fill_dwords_of(destination, size, pattern);
    }
}

}  // namespace wddmcore::hw
