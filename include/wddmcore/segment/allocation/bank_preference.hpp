// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/units.hpp"

/// The banks that an allocation prefers in its first segment: DXGK_SEGMENTBANKPREFERENCE. Below WDDM 2.0.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source page: ns-d3dkmddi-_dxgk_segmentbankpreference.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

inline constexpr u32 bank_slots = 4;         ///< Bank0 to Bank3
inline constexpr u32 largest_bank_id = 127;  ///< Bank0 to Bank3 have 7 bits (PREF-05)

/// One choice. Bank 1 is the first bank of a segment; 0 means none.
struct preferred_bank {
    u32 id = 0;             ///< the bank, from 1; 0: none
    bool from_end = false;  ///< Direction: from the end of the bank downwards
    friend constexpr bool operator==(preferred_bank, preferred_bank) = default;
};

/// Four choices, highest priority first, among the banks of the segment in preference slot 0 (PREF-05).
struct bank_preference {
    preferred_bank slots[bank_slots]{};  ///< the most wanted first
    friend constexpr bool operator==(bank_preference const&, bank_preference const&) = default;
};

/// The `Value` of DXGK_SEGMENTBANKPREFERENCE: four slots of {7 bits id, 1 bit direction} (PREF-05).
///
/// @param p  whose ids `judge_allocation` accepts; higher bits of an id are cut off
/// @return the word
[[nodiscard]] constexpr u32 value_of(bank_preference const& p) noexcept {
    constexpr u32 slot_bits = 8;
    constexpr u32 direction_bit = 7;
    u32 value = 0;
    for (u32 slot = 0; slot < bank_slots; ++slot) {
        u32 const one = (p.slots[slot].id & largest_bank_id) | u32{p.slots[slot].from_end} << direction_bit;
        value |= one << (slot * slot_bits);
    }
    return value;
}

static_assert(value_of(bank_preference{{{3, true}, {1}}}) == 0x183);

}  // namespace wddmcore::segment
