// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_require.hpp"
#include "fuzz_tables.hpp"

#include <paging/stream.hpp>

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// What is left behind the last command is the padding that was asked for.
inline void read_padding(u32 const* words, u64 padding, u32 grain) {
    require(padding < grain, "PGB-03: what is behind the commands is padding up to the grain");
    for (u64 i = 0; i < padding; ++i) {
        require(words[i] == (padding_head | static_cast<u32>(padding) << 8 | static_cast<u32>(i)),
                "PGB-03: the padding that was asked for");
    }
}

/// Reads what one pass left behind: whole records, then padding that fills up the grain and no more (PGB-03, PGB-07).
///
/// @param each    called with every record
/// @param tables  called with the words of every page-table command and how many are left; returns the dwords behind
///                its head
template <class Each, class Tables>
void read_stream(u32 const* words, u64 count, u32 grain, Each&& each, Tables&& tables) {
    u64 at = 0;
    while (at < count && (words[at] & 0xFFFF'0000) == record_head) {
        u32 const kind = (words[at] >> 8) & 0xFF;
        u64 const length = words[at] & 0xFF;
        bool const of_tables = kind >= write_entries_kind;
        u64 const wanted = !of_tables                      ? record_length(kind)
                           : kind == write_entries_kind    ? 6
                           : kind == generate_entries_kind ? 12
                                                           : 11;
        require(length != 0 && length == wanted, "no record begins like this");
        require(length <= count - at, "a record is cut off");
        u64 behind = 0;
        if (of_tables) {
            behind = tables(kind, words + at, count - at - length);
        } else {
            each(decode_record(words + at));
        }
        at += length + behind;
    }
    require(count % grain == 0, "PGB-03: a pass is a multiple of the grain");
    read_padding(words + at, count - at, grain);
}

}  // namespace wddmcore::testing::fuzz
