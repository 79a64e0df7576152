// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "builders.hpp"
#include "judge.hpp"
#include "placing.hpp"

/// A segment table: a constant, some of whose numbers may be placed at StartDevice.
///
///     static constexpr auto small_bar = segment::table_of(gart,
///         segment::aperture{.id = gart, .base = at(0x7FFF'0000'0000), .size = 512 * mib, .coherent = true},
///         segment::memory_behind_host_aperture{.id = vram, .base = at(0x80'0000'0000), .size = at_start});
///     static_assert(wddmcore::check_segments<small_bar, segment::profile_of(caps)>());
///     segment::table<2> segments = small_bar;
///
/// Two variants of a chip are two constants of the same type, so that one member can hold either.
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.0.
/// Source pages: ns-d3dkmddi-_dxgk_segmentdescriptor4.md, ns-d3dkmddi-_dxgk_segmentflags.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// A table with this many rows, hidden ones included.
template <usize Rows>
struct table {
    entry rows[Rows == 0 ? 1 : Rows]{};  ///< the reported ones in the order of their ids, then the hidden ones
    usize reported = 0;                  ///< how many rows have an id
    segment_id paging_buffer{0};         ///< 0 or an aperture (SEG-40)

    /// The table as queries and checks take it.
    ///
    /// @return a view that points into this object
    [[nodiscard]] constexpr view all() const& noexcept {
        return {{rows, reported}, {rows + reported, Rows - reported}, paging_buffer};
    }
    view all() const&& = delete;

    /// Places the numbers of one segment, or changes nothing.
    ///
    /// A number that is already there can only be repeated: segments do not change, and each StartDevice begins with
    /// the constant (SEG-02). SIZE_T has the width of this build (SEG-43). This is the function for drivers, because it
    /// works on the table in place.
    ///
    /// @param id     the segment
    /// @param found  its numbers
    /// @return no_rule_broken; no_such_segment; agp_is_placed (SEG-12); placed_otherwise; what `judge` finds wrong with
    ///         the numbers of any segment;
    ///         `text_of(what)` of says it in words
    [[nodiscard]] constexpr broken_rule place(segment_id id, numbers const& found) noexcept {
        if (find(all(), id) == nullptr) {
            return {rule::no_such_segment, 0, id.n};
        }
        entry const before = rows[id.n - 1];
        broken_rule broken = detail::place_numbers(rows[id.n - 1], found);
        if (broken == no_rule_broken) {
            broken = detail::judge_numbers(all(), sizeof(usize) == sizeof(u64));
        }
        if (broken != no_rule_broken) {
            rows[id.n - 1] = before;
        }
        return broken;
    }
};

/// A table made of rows in the order of their ids; hidden ranges may stand anywhere among them.
///
/// It checks nothing; `check_segments` does.
///
/// @param paging_buffer  the segment of paging buffers: an aperture, or 0 (SEG-40)
/// @param rows           builders, or rows that the driver wrote itself
/// @return the table
template <buildable... Rows>
[[nodiscard]] constexpr table<sizeof...(Rows)> table_of(segment_id paging_buffer, Rows const&... rows) noexcept {
    table<sizeof...(Rows)> made{};
    made.paging_buffer = paging_buffer;
    made.reported = (usize{0} + ... + usize{row_of(rows).kind != kind::hidden});
    usize next = 0;
    usize next_hidden = made.reported;
    ((made.rows[row_of(rows).kind == kind::hidden ? next_hidden++ : next++] = row_of(rows)), ...);
    return made;
}

}  // namespace wddmcore::segment

namespace wddmcore::inline WDDMCORE_ABI {

/// Checks a segment table at compile time: `static_assert(wddmcore::check_segments<my_gpu::segments, profile>());`.
///
/// A broken rule is one compile error: a sentence that says what to do, with the rule, the segment and the wrong number
/// in its template arguments. What depends on a number that is at_start is checked when that number is placed.
///
/// @tparam Table    a constant of static storage with `all()`
/// @tparam Profile  the driver, as far as the checks need it
/// @return true
template <auto const& Table, segment::profile Profile>
[[nodiscard]] consteval bool check_segments() {
    constexpr segment::broken_rule found = segment::judge(Table.all(), Profile);
    return segment::detail::sentence<found.what, found.place, found.value>();
}

}  // namespace wddmcore
