// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// What one copy command does when its source and destination overlap.
enum class overlap : u32 {
    safe,  ///< the result is as if the source had been read first
    /// Undefined: the library orders chunks and keeps them no longer than the distance (OP08-07). A command must have
    /// read its source before the next one writes.
    by_direction,
};

/// Copies bytes between two addresses of the address space.
///
/// For library users: lengths are split so that no command exceeds copy_max, rounded down to whole pages (law 7).
/// For hardware authors: `static constexpr bytes copy_max`, at least copy_alignment; `static constexpr bytes
/// copy_alignment`, a divisor of 4096 that source, destination and length are multiples of; `static constexpr overlap
/// copy_overlap`;
/// `static constexpr dwords copy_dwords`, 1 to 256, the exact length of
/// `void encode_copy(u32* at, address destination, address source, bytes size) const`.
template <class Hw>
concept copy_engine = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, bytes size) {
    typename meta::constant<Hw::copy_max>;
    requires meta::same_as<meta::bare<decltype(Hw::copy_max)>, bytes>;
    typename meta::constant<Hw::copy_alignment>;
    requires meta::same_as<meta::bare<decltype(Hw::copy_alignment)>, bytes>;
    typename meta::constant<Hw::copy_overlap>;
    requires meta::same_as<meta::bare<decltype(Hw::copy_overlap)>, overlap>;
    typename meta::constant<Hw::copy_dwords>;
    requires meta::same_as<meta::bare<decltype(Hw::copy_dwords)>, dwords>;
    { hw.encode_copy(at, a, a, size) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw
