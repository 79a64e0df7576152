// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/result.hpp"
#include "allocation.hpp"
#include "sets.hpp"

/// What follows from the set of segments in which an allocation may lie.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// The alignment of an allocation: what it asks for, rounded up to 64 KiB if one of its segments has 64-KiB pages
/// (PREF-07).
///
/// AMB-41: one page says that the system rounds, another that the driver must. The driver does.
///
/// @param table      the reported segments
/// @param supported  where the allocation may be
/// @param wanted     bytes; 0: no requirement
/// @return the alignment for `allocation::alignment`; errc::overflow when it does not fit 32 bits
[[nodiscard]] constexpr result<bytes> alignment_for(view const& table, segment_set supported, bytes wanted) noexcept {
    constexpr u64 large_page = u64{64} << 10;
    bool const large = intersects(supported, segments_with(table, flag::use_64kb_pages));
    checked<u64> const rounded = round_up(large && wanted.n == 0 ? large_page : wanted.n, large ? large_page : 1);
    if (!rounded.ok || rounded.value > ~u32{0}) {
        return refused<bytes>(errc::overflow);
    }
    return good(bytes{rounded.value});
}

/// How many banks a segment has, as its row says (SEG-24).
///
/// @return 0 for a segment without banks, and for one that is not reported
[[nodiscard]] constexpr u32 bank_count(view const& table, segment_id id) noexcept {
    for (entry const& one : table.reported) {
        if (one.id == id) {
            return bank_count(one);
        }
    }
    return 0;
}

/// The part of a segment in which an overlay or capture allocation may be pinned: by default the last 20 percent, given
/// here in bytes from the segment's end (PREF-21).
[[nodiscard]] constexpr bytes pinned_share(bytes segment_size) noexcept { return {segment_size.n / 5}; }

/// The limit for other allocations that use the same aperture for eviction: the other 80 percent (PREF-21).
[[nodiscard]] constexpr bytes eviction_share(bytes aperture_size) noexcept {
    return aperture_size - pinned_share(aperture_size);
}
static_assert(pinned_share({1000}) == bytes{200} && eviction_share({1001}) == bytes{801});

/// Whether only a part of an allocation may be resident: from WDDM 3.2, unless DisablePartialResidency is set
/// (PREF-22).
[[nodiscard]] constexpr bool may_be_partly_resident(allocation_flags2 flags2, wddm version) noexcept {
    return version >= wddm::v3_2 && !flags2.has(allocation_flag2::disable_partial_residency);
}

/// Whether an allocation may lie in several segments at once: from WDDM 3.2, unless RestrictedToSingleSegment is set
/// (PREF-22).
[[nodiscard]] constexpr bool may_span_segments(allocation_flags2 flags2, wddm version) noexcept {
    return version >= wddm::v3_2 && !flags2.has(allocation_flag2::restricted_to_single_segment);
}

}  // namespace wddmcore::segment
