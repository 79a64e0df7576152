// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/units.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// The grain of the command stream and what fills it up.
///
/// For library users: each operation pads its own commands to a multiple of `unit_dwords`; the room is rounded down to
/// it first, so padding always fits (PGB-03).
/// For hardware authors: `static constexpr dwords unit_dwords`, 1 to 64, not necessarily a power of two;
/// `void encode_padding(u32* at, dwords n) const` writes exactly n dwords that do nothing, n below unit_dwords,
/// by put32 (base/stores.hpp) as everything: a loop of plain stores of zeros becomes a memset, which breaks law 4.
template <class Hw>
concept command_stream = requires(Hw const& hw, u32* at, dwords n) {
    typename meta::constant<Hw::unit_dwords>;
    requires meta::same_as<meta::bare<decltype(Hw::unit_dwords)>, dwords>;
    { hw.encode_padding(at, n) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw
