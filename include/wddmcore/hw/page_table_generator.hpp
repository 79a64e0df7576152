// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// Entries that one command makes: entry i is add + start + i * step.
struct entry_run {
    u64 add;    ///< what all entries share: their attributes and the segment's base
    u64 start;  ///< the address field of the first, without the base
    u64 step;   ///< from one to the next; 0 for entries that are all alike
    u32 count;  ///< entries, 1 to generate_max
};

namespace hw {

/// Makes a run of leaf entries from one command: consecutive pages, or the same entry again and again. Optional.
///
/// For hardware authors: `static constexpr u32 generate_max`, the most entries of one command, at least 1;
/// `static constexpr u32 generate_entry_bytes`, 4 or 8: for which tables it works; `static constexpr dwords
/// generate_dwords`, 1 to 256, the exact length of `void encode_generate(u32* at, address destination, entry_run
/// const&) const`.
template <class Hw>
concept page_table_generator =
    addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, entry_run const& run) {
        requires meta::is_constant_of<u32, Hw::generate_max>;
        requires meta::is_constant_of<u32, Hw::generate_entry_bytes>;
        requires meta::is_constant_of<dwords, Hw::generate_dwords>;
        { hw.encode_generate(at, a, run) } -> meta::same_as<void>;
    };

}  // namespace hw
}  // namespace wddmcore
