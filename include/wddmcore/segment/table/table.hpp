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
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

template <usize Rows>
struct placed_table;

/// A table with this many rows, hidden ones included.
template <usize Rows>
struct table {
    entry rows[Rows == 0 ? 1 : Rows]{};  ///< the reported ones in the order of their ids, then the hidden ones
    usize reported = 0;
    segment_id paging_buffer{0};  ///< 0 or an aperture (SEG-40)

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

    /// A copy with the numbers of one segment placed; on an error, an unchanged copy.
    ///
    /// For constants and for hosts: the copy is on the caller's stack and takes at least 170 bytes for each row. A
    /// driver uses `place`.
    ///
    /// @param id     the segment
    /// @param found  its numbers
    /// @return the copy, or the table as it was with the error that `place` returns
    [[nodiscard]] constexpr placed_table<Rows> placed(segment_id id, numbers const& found) const noexcept {
        placed_table<Rows> result{*this, no_rule_broken};
        result.error = result.value.place(id, found);
        return result;
    }
    /// A copy with base and size placed, for an aperture or for memory that the CPU does not see.
    ///
    /// @return as the first form: the copy, or the error of `place`
    [[nodiscard]] constexpr placed_table<Rows> placed(segment_id id, stated<segment_address> base,
                                                      stated<bytes> size) const noexcept {
        return placed(id, {.base = base, .size = size});
    }
    /// A copy with base, size and CPU address placed, for memory inside a BAR.
    ///
    /// @return as the first form; cpu_address_without_flag for a segment that the CPU does not see (SEG-17)
    [[nodiscard]] constexpr placed_table<Rows> placed(segment_id id, stated<segment_address> base, stated<bytes> size,
                                                      cpu_physical_address cpu) const noexcept {
        return placed(id, {.base = base, .size = size, .cpu = cpu});
    }
    /// A copy with base, size and host aperture placed, for memory behind a CPU host aperture.
    ///
    /// @return as the first form; host_aperture_without_flag for a segment that has none (SEG-17)
    [[nodiscard]] constexpr placed_table<Rows> placed(segment_id id, stated<segment_address> base, stated<bytes> size,
                                                      cpu_host_aperture host_aperture) const noexcept {
        return placed(id, {.base = base, .size = size, .host_aperture = host_aperture});
    }
};

/// A table after placing, or the rule that forbids it.
template <usize Rows>
struct placed_table {
    table<Rows> value{};
    broken_rule error{};

    /// Whether the numbers were placed.
    ///
    /// @return false if `value` is the table as it was before
    [[nodiscard]] constexpr bool ok() const noexcept { return error == no_rule_broken; }
    /// The table; only when ok(), which a checked build asserts.
    ///
    /// @return the table with the numbers in it
    [[nodiscard]] constexpr table<Rows> const& get() const noexcept {
        promise(ok());
        return value;
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
