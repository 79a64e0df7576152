// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/units.hpp"

/// The segments that an allocation prefers, first choice first: D3DDDI_SEGMENTPREFERENCE.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source page: ns-d3dukmdt-_d3dddi_segmentpreference.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

inline constexpr u32 preference_slots = 5;       ///< SegmentId0 to SegmentId4
inline constexpr u32 largest_preferred_id = 31;  ///< SegmentId0 to SegmentId4 have 5 bits (PREF-04)

/// One choice. Id 0 means none: the slot is skipped.
struct preferred_segment {
    segment_id id{0};
    bool from_end = false;  ///< Direction: from the end of the segment downwards
    friend constexpr bool operator==(preferred_segment, preferred_segment) = default;
};

/// Five choices, highest priority first (PREF-04).
struct preference {
    preferred_segment slots[preference_slots]{};  ///< the most wanted first
    friend constexpr bool operator==(preference const&, preference const&) = default;
};

/// A choice at the end of a segment: `prefer(vram, from_end(gart))`.
///
/// @return the choice, with Direction set
[[nodiscard]] constexpr preferred_segment from_end(segment_id id) noexcept { return {id, true}; }

namespace detail {

/// A choice as a slot.
[[nodiscard]] constexpr preferred_segment slot_of(segment_id id) noexcept { return {id, false}; }
[[nodiscard]] constexpr preferred_segment slot_of(preferred_segment one) noexcept { return one; }

/// Tells, as one compile error, that there are too many choices.
template <usize Count>
consteval void fits_preference() {
    static_assert(Count <= preference_slots,
                  "allocation: a preference has five slots: `prefer` takes at most five segments (PREF-04)");
}

}  // namespace detail

/// A preference of up to five segments, first choice first (PREF-04).
///
/// @param choices  ids, or `from_end(id)`; a sixth is one compile error
/// @return the preference; slots that are not given are empty
template <class... Choices>
[[nodiscard]] constexpr preference prefer(Choices... choices) noexcept {
    detail::fits_preference<sizeof...(Choices)>();
    preferred_segment const wanted[] = {detail::slot_of(choices)..., preferred_segment{}};
    preference made{};
    for (usize slot = 0; slot < lesser<usize>(sizeof...(Choices), preference_slots); ++slot) {
        made.slots[slot] = wanted[slot];
    }
    return made;
}

/// The `Value` of D3DDDI_SEGMENTPREFERENCE: five slots of {5 bits id, 1 bit direction}, reserved bits 0 (PREF-04).
///
/// @param p  whose ids `judge_allocation` accepts; higher bits of an id are cut off
/// @return the word
[[nodiscard]] constexpr u32 value_of(preference const& p) noexcept {
    constexpr u32 slot_bits = 6;
    constexpr u32 direction_bit = 5;
    u32 value = 0;
    for (u32 slot = 0; slot < preference_slots; ++slot) {
        u32 const one = (p.slots[slot].id.n & largest_preferred_id) | u32{p.slots[slot].from_end} << direction_bit;
        value |= one << (slot * slot_bits);
    }
    return value;
}

static_assert(value_of(prefer(segment_id{2}, from_end(segment_id{1}))) == (2u | (1u | 32u) << 6));

}  // namespace wddmcore::segment
