// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Reads at a place, for the ordering that it brings; the first half of physical_accessor.
template <class Hw>
concept read_encoder = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a) {
    { hw.encode_read(at, a) } -> meta::same_as<void>;
};

/// Reads or writes one byte or a few at a place, for the ordering it brings (operations 3 and 4, WDDM 1.x).
///
/// For library users: what is read is dropped, what is written is arbitrary (OP03-01).
/// For hardware authors: `static constexpr dwords access_dwords`, 1 to 256, the exact length of both
/// `void encode_read(u32* at, address) const` and `void encode_write(u32* at, address) const`. A write changes 1 to 8
/// bytes from that very address and no neighbour before it (OP04-01); any byte address may come,
/// the last byte of a segment too: hardware that writes more than one byte there must not leave what it owns.
template <class Hw>
concept physical_accessor = read_encoder<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a) {
    typename meta::constant<Hw::access_dwords>;
    requires meta::same_as<meta::bare<decltype(Hw::access_dwords)>, dwords>;
    { hw.encode_write(at, a) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw
