// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table/table.hpp"

/// A picture of a segment table: what lies where in the GPU's address space, including holes and hidden ranges.
///
/// The picture is data, which the caller turns into text or a drawing. A table that `judge` refuses has a picture too.
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// What a block of the picture is.
enum class block_kind : u32 {
    reported,  ///< a segment
    hidden,    ///< a range that is not reported
    hole,      ///< nothing, between two segments or ranges
};

/// A block of the picture.
struct block {
    block_kind what = block_kind::hole;
    segment_address first{0};
    bytes size{0};
    entry const* row = nullptr;  ///< the row of a segment or hidden range, in the table itself

    /// The last address.
    ///
    /// @return inclusive, because a block may end at 2^64
    [[nodiscard]] constexpr u64 last() const noexcept { return first.n + (size.n - 1); }
};

/// How much of a table is in its picture.
struct layout_counts {
    usize blocks = 0;        ///< how many are written
    usize left_out = 0;      ///< rows without a place: not placed yet, or an AGP aperture (SEG-12)
    usize without_room = 0;  ///< blocks that did not fit the storage
};

namespace detail {

/// Whether row `a` is drawn before row `b`: by address, then by index.
[[nodiscard]] constexpr bool is_below(view const& v, usize a, usize b) noexcept {
    u64 const first_a = row_at(v, a).base.n;
    u64 const first_b = row_at(v, b).base.n;
    return first_a < first_b || (first_a == first_b && a < b);
}

/// The row to be drawn after `previous`, or the number of rows when there is none; the number of rows as `previous`
/// gives the first.
[[nodiscard]] constexpr usize row_above(view const& v, usize previous) noexcept {
    usize const count = v.reported.count + v.hidden.count;
    usize next = count;
    for (usize index = 0; index < count; ++index) {
        bool const above = previous == count || is_below(v, previous, index);
        if (occupies(row_at(v, index)) && above && (next == count || is_below(v, index, next))) {
            next = index;
        }
    }
    return next;
}

}  // namespace detail

/// Draws a table into the caller's storage, from the lowest address up.
///
/// @param v    any table
/// @param out  room for the blocks; 2 * rows - 1 is always enough
/// @return how many blocks were written, how many rows were left out, and how many blocks did not fit
[[nodiscard]] constexpr layout_counts draw_layout(view const& v, span<block> out) noexcept {
    usize const count = v.reported.count + v.hidden.count;
    layout_counts counts{};
    auto const put = [&](block one) {
        if (counts.blocks == out.count) {
            ++counts.without_room;
        } else {
            out[counts.blocks++] = one;
        }
    };
    bool any = false;
    u64 last = 0;
    usize drawn = 0;
    for (usize index = detail::row_above(v, count); index != count; index = detail::row_above(v, index), ++drawn) {
        entry const& row = detail::row_at(v, index);
        if (any && row.base.n > last && row.base.n - last > 1) {
            put({block_kind::hole, {last + 1}, {row.base.n - last - 1}, nullptr});
        }
        block const one{index < v.reported.count ? block_kind::reported : block_kind::hidden, row.base, row.size, &row};
        put(one);
        // Nothing lies above a row that wraps, which `judge` refuses.
        u64 const end = detail::wraps(row.base.n, row.size.n) ? ~u64{0} : one.last();
        last = greater(last, end);
        any = true;
    }
    counts.left_out = count - drawn;
    return counts;
}

/// A picture with room for every block of a table with this many rows.
template <usize Rows>
struct picture {
    block blocks[Rows == 0 ? 1 : 2 * Rows]{};  ///< ascending by address
    layout_counts counts{};

    /// The blocks of the picture.
    ///
    /// @return from the lowest address up; points into this object
    [[nodiscard]] constexpr span<block const> all() const& noexcept { return {blocks, counts.blocks}; }
    span<block const> all() const&& = delete;
};

/// The picture of a table. The table must outlive it, because the blocks point to its rows.
///
/// @return the picture, with room for every block
template <usize Rows>
[[nodiscard]] constexpr picture<Rows> layout(table<Rows> const& of) noexcept {
    picture<Rows> drawn{};
    drawn.counts = draw_layout(of.all(), span_of(drawn.blocks));
    return drawn;
}
template <usize Rows>
picture<Rows> layout(table<Rows> const&& of) = delete;

}  // namespace wddmcore::segment
