// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Releases what the hardware keeps per placement when content is thrown away (operation 2; optional: nothing to do).
///
/// For hardware authors: `static constexpr dwords discard_dwords`, 1 to 256, the exact length of
/// `void encode_discard(u32* at, address place, void* allocation) const`; the handle may be NULL (PGB-21).
template <class Hw>
concept content_discarder = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, void* allocation) {
    requires meta::is_constant_of<dwords, Hw::discard_dwords>;
    { hw.encode_discard(at, a, allocation) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw
