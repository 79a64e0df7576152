// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Fills memory with a repeated 32-bit pattern.
///
/// For library users: the pattern repeats little-endian from the first byte (AMB-09), and keeps its phase over splits
/// because every split lies at a page (OP09-02).
/// For hardware authors: `static constexpr bytes fill_max`, at least fill_alignment; `static constexpr bytes
/// fill_alignment`, a divisor of 4096 that address and length are multiples of, and itself a multiple of the pattern's
/// width; `static constexpr bytes fill_pattern_bytes`, 4, or 1 for an engine that repeats one byte (a pattern of four
/// different bytes then reaches the fault hook); `static constexpr dwords fill_dwords`, 1 to 256, the exact length of
/// `void encode_fill(u32* at, address destination, bytes size, u32 pattern) const`.
template <class Hw>
concept fill_engine =
    addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, bytes size, u32 pattern) {
        typename meta::constant<Hw::fill_max>;
        requires meta::same_as<meta::bare<decltype(Hw::fill_max)>, bytes>;
        typename meta::constant<Hw::fill_alignment>;
        requires meta::same_as<meta::bare<decltype(Hw::fill_alignment)>, bytes>;
        typename meta::constant<Hw::fill_pattern_bytes>;
        requires meta::same_as<meta::bare<decltype(Hw::fill_pattern_bytes)>, bytes>;
        typename meta::constant<Hw::fill_dwords>;
        requires meta::same_as<meta::bare<decltype(Hw::fill_dwords)>, dwords>;
        { hw.encode_fill(at, a, size, pattern) } -> meta::same_as<void>;
    };

}  // namespace wddmcore::hw
