// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Writes page-table entries by command: a head, then the entries' own dwords in the stream.
///
/// For library users: entries are whole, ascending, and their count is known before the head is written (law 4).
/// For hardware authors: `static constexpr dwords write_max`, the most dwords of entries in one command, a whole number
/// of the largest entries, at least one; `static constexpr dwords write_head_dwords`, 1 to 256, the exact length of
/// `void encode_write_head(u32* at, address destination, dwords entries) const`. The command stores the entries that
/// follow its head, in order, from `destination` on, which lies at a whole entry.
template <class Hw>
concept page_table_writer = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, dwords n) {
    requires meta::is_constant_of<dwords, Hw::write_max>;
    requires meta::is_constant_of<dwords, Hw::write_head_dwords>;
    { hw.encode_write_head(at, a, n) } -> meta::same_as<void>;
};

/// The same for hardware whose command goes on behind the entries, such as a launch that follows its data.
///
/// For hardware authors: `static constexpr dwords write_tail_dwords`, 1 to 256, the exact length of
/// `void encode_write_tail(u32* at, address destination, dwords entries) const`.
template <class Hw>
concept page_table_writer_with_tail =
    page_table_writer<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, dwords n) {
        requires meta::is_constant_of<dwords, Hw::write_tail_dwords>;
        { hw.encode_write_tail(at, a, n) } -> meta::same_as<void>;
    };

/// The dwords behind the entries of an inline write; none for most hardware.
template <class Hw>
[[nodiscard]] consteval dwords write_tail_of() noexcept {
    if constexpr (page_table_writer_with_tail<Hw>) {
        return Hw::write_tail_dwords;
    } else {
        return {0};
    }
}

}  // namespace wddmcore::hw
