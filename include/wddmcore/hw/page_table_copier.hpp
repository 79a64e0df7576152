// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Copies page-table entries from table to table when the command runs, not when it is built (OP14-02).
///
/// For library users: commands are in the order of the ranges, and each has to have stored its entries before the next
/// reads: a range may depend on an earlier one (OBS-11).
/// For hardware authors: `static constexpr bytes copy_entries_max`, a whole number of entries; `static constexpr dwords
/// copy_entries_dwords`, 1 to 256, the exact length of `void encode_copy_entries(u32* at, address destination, address
/// source, bytes size) const`, with whatever makes the entries visible to the next of these commands. Source and
/// destination of one command never overlap.
template <class Hw>
concept page_table_copier = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, bytes size) {
    requires meta::is_constant_of<bytes, Hw::copy_entries_max>;
    requires meta::is_constant_of<dwords, Hw::copy_entries_dwords>;
    { hw.encode_copy_entries(at, a, a, size) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw
