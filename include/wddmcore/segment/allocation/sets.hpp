// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../table/entry.hpp"
#include "segment_set.hpp"

/// Sets of a table's segments.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment::detail {

/// The set of the reported segments whose row is wanted: `judge(entry const&)`.
template <class Judge>
[[nodiscard]] constexpr segment_set segments_where(view const& table, Judge judge) noexcept {
    segment_set found{};
    for (entry const& one : table.reported) {
        found = judge(one) ? found.with(one.id) : found;
    }
    return found;
}

/// The set of all reported segments.
[[nodiscard]] constexpr segment_set all_segments(view const& table) noexcept {
    return segments_where(table, [](entry const&) { return true; });
}

/// The set of the apertures that are always there: without the AGP aperture, whose row may be left out (SEG-11).
[[nodiscard]] constexpr segment_set aperture_segments(view const& table) noexcept {
    return segments_where(table, [](entry const& one) { return one.kind == kind::aperture; });
}

/// The set of all apertures, the AGP aperture included: the segments without memory of their own.
[[nodiscard]] constexpr segment_set aperture_segments_with_agp(view const& table) noexcept {
    return segments_where(table, [](entry const& one) { return is_aperture(one); });
}

/// The set of all segments with a flag.
[[nodiscard]] constexpr segment_set segments_with(view const& table, flag wanted) noexcept {
    return segments_where(table, [wanted](entry const& one) { return one.flags.has(wanted); });
}

/// Whether two sets share a segment.
[[nodiscard]] constexpr bool intersects(segment_set a, segment_set b) noexcept { return (a.value & b.value) != 0; }

/// Whether every segment of one set is in another.
[[nodiscard]] constexpr bool is_within(segment_set a, segment_set b) noexcept { return (a.value & ~b.value) == 0; }

}  // namespace wddmcore::segment::detail
