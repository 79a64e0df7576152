// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/address_space.hpp"
#include "table.hpp"

/// Lets a hardware type keep the promise `hw::segment_map` by means of its segment table.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// Where a segment lies according to its table.
///
/// @return base and size in bytes; a size of 0 for an id that is not reported or not placed yet, and for an AGP
///         aperture, whose place only the system knows (SEG-12)
[[nodiscard]] constexpr segment_place place_of(view const& v, segment_id id) noexcept {
    entry const* const row = find(v, id);
    if (row == nullptr || !has_place(*row)) {
        return {{0}, {0}};
    }
    return {row->base, row->size};
}

/// Whether an id names an aperture of the table.
///
/// @return false for memory, and for an id that is not reported
[[nodiscard]] constexpr bool is_aperture(view const& v, segment_id id) noexcept {
    entry const* const row = find(v, id);
    return row != nullptr && is_aperture(*row);
}

/// A base class for hardware types whose table is placed or chosen at StartDevice:
/// `struct my_gpu : segment::mapped<2>`.
template <usize Rows>
struct mapped {
    table<Rows> segments{};  ///< with the numbers that StartDevice placed

    /// Where a segment is now.
    ///
    /// @return base and size in bytes; a size of 0 for what `place_of` does not know
    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept { return place_of(segments.all(), id); }
    /// Whether a segment is an aperture.
    ///
    /// @return false for memory, and for an id that is not reported
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept {
        return segment::is_aperture(segments.all(), id);
    }
};

/// A base class for hardware types whose table is a constant with nothing left to place.
template <auto const& Table>
struct mapped_by {
    /// Where a segment is.
    ///
    /// @return base and size in bytes; a size of 0 for what `place_of` does not know
    [[nodiscard]] static constexpr segment_place place(segment_id id) noexcept { return place_of(Table.all(), id); }
    /// Whether a segment is an aperture.
    ///
    /// @return false for memory, and for an id that is not reported
    [[nodiscard]] static constexpr bool is_aperture(segment_id id) noexcept {
        return segment::is_aperture(Table.all(), id);
    }
};

}  // namespace wddmcore::segment
