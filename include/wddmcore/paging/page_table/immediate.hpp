// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../ddi/casts.hpp"
#include "lines.hpp"

/// Page-table entries stored by the CPU, at once: CPU-virtual mode.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Looks at every element once.
[[nodiscard]] WDDMCORE_INLINE constexpr entry_summary summary_of(auto const* e, u32 count) noexcept {
    entry_summary sum{0, 0};
    for (u32 left = count / 8; left != 0; --left) {
        sum.flags |=
            e[0].Flags | e[1].Flags | e[2].Flags | e[3].Flags | e[4].Flags | e[5].Flags | e[6].Flags | e[7].Flags;
        sum.page |= e[0].PageAddress | e[1].PageAddress | e[2].PageAddress | e[3].PageAddress | e[4].PageAddress |
                    e[5].PageAddress | e[6].PageAddress | e[7].PageAddress;
        e += 8;
    }
    for (u32 k = 0; k != count % 8; ++k) {
        sum.flags |= e[k].Flags;
        sum.page |= e[k].PageAddress;
    }
    return sum;
}

/// Judges the slots [slot, count) before any of them is stored: all at once by what they have in all, and one by one
/// when that leaves a suspicion.
template <class Hw, class Pte>
[[nodiscard]] constexpr finding judge_before_stores(Hw const& hw, entry_source<Pte> const& from, u32 slot) noexcept {
    if (is_for_lines<Hw>(from)) {
        suspicion const open = suspicion_about(hw, summary_of(from.entries + slot, from.slots.count - slot));
        if (!remains(hw, open, from.entries, slot, from.slots.count - slot)) {
            return nothing_wrong;
        }
    }
    return judge_slots(hw, from, slot, from.slots.count);
}

/// Stores one entry: one store per word; of 16 bytes the word with the valid bit last when the entry becomes valid,
/// first when it becomes invalid, so that the GPU never sees half of a valid one (OP11-11, law 4).
///
/// An entry of 16 bytes that is valid before and after, but different, can be seen half old and half new: hardware for
/// which that matters sets PageTableUpdateRequireAddressSpaceIdle (GVA-25). So can one of 8 bytes on a 32-bit
/// processor.
/// @param words  of the slot; 8-byte entries and larger
template <class Hw>
constexpr void store_entry(Hw& hw, u64* words, page_table_entry entry, u32 entry_bytes, bool valid) noexcept {
    if (entry_bytes == 8) {
        hw.store_entry_word(words, entry.low);
        return;
    }
    constexpr u32 valid_word = hw::any_entry_limits<Hw>().valid_word;
    u64 const value[2] = {entry.low, entry.high};
    u32 const first = valid ? 1 - valid_word : valid_word;
    hw.store_entry_word(words + first, value[first]);
    hw.store_entry_word(words + (1 - first), value[1 - first]);
}

/// Stores the slots [slot, count), which were judged.
///
/// @param table  the first entry of the table
template <class Hw, class Pte, class Pointer>
constexpr void store_slots(Hw& hw, Pointer table, entry_source<Pte> const& from, u32 slot) noexcept {
    u32 const size = from.table.entry_bytes;
    if constexpr (has_lines<Hw>()) {
        if (is_for_lines<Hw>(from)) {
            store_sink<Hw> const to{hw, casts::table_words<u64>(table) + from.slots.first + slot};
            static_cast<void>(put_lines(hw, to, from.entries + slot, from.slots.count - slot, from.protection,
                                        line_state{false, suspicion::none}));
            return;
        }
    }
    for (u32 k = slot; k != from.slots.count; ++k) {
        page_table_entry const entry = encode_slot(hw, from, k);
        if (size == 4) {
            hw.store_entry_word(casts::table_words<u32>(table) + from.slots.first + k, low_dword(entry.low));
        } else {
            store_entry(hw, casts::table_words<u64>(table) + u64{from.slots.first + k} * (size / 8), entry, size,
                        becomes_valid(from, k));
        }
    }
}

}  // namespace wddmcore::paging::detail
