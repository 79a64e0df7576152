// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Signals a monitored fence from the command stream (operation 16).
///
/// The value becomes visible after everything that the stream did before it (OP16-01), and the hardware then raises its
/// monitored-fence interrupt, so that waiters on the CPU are looked at again (OP16-03).
///
/// For hardware authors: `static constexpr bytes fence_bytes`, the width of one atomic store: 8, or 4 for an adapter
/// that reports No64BitAtomics; the value then comes as its low 32 bits, which is all that the system compares
/// (OP16-02). `static constexpr dwords fence_dwords`, 1 to 256, the exact length of `void encode_fence(u32* at, address
/// place, u64 value) const`.
template <class Hw>
concept fence_writer = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address place, u64 value) {
    requires meta::is_constant_of<bytes, Hw::fence_bytes>;
    requires meta::is_constant_of<dwords, Hw::fence_dwords>;
    { hw.encode_fence(at, place, value) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw
