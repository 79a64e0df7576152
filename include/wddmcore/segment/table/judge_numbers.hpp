// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "judge_parts.hpp"

/// Checks the numbers of segments. What depends on a number that is not placed yet is checked when it is.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment::detail {

/// Whether a row takes addresses of its own.
[[nodiscard]] constexpr bool occupies(entry const& row) noexcept { return has_place(row) && row.size.n != 0; }

/// Checks size and base of a row (SEG-08, SEG-09, SEG-43).
[[nodiscard]] constexpr broken_rule judge_size(entry const& row, u32 position, bool wide_sizes) noexcept {
    u64 const page = segment_page(row).n;
    if (is_placed(row.size)) {
        if (row.size.n == 0) {
            return {rule::size_missing, position, 0};
        }
        // A hidden range is not managed in pages.
        if (row.kind != kind::hidden && !is_multiple(row.size.n, page_bytes)) {
            return {rule::page_multiple, position, row.size.n};
        }
        if (row.kind != kind::hidden && !is_multiple(row.size.n, page)) {
            return {rule::size_64k, position, row.size.n};
        }
        if (!wide_sizes && row.kind != kind::hidden && row.size.n > ~u32{0}) {
            return {rule::size_above_size_t, position, row.size.n};
        }
    }
    // Page-table entries count pages from the base.
    if (row.kind != kind::hidden && is_placed(row.base) && !is_multiple(row.base.n, page_bytes)) {
        return {rule::base_page, position, row.base.n};
    }
    if (page != page_bytes && is_placed(row.base) && !is_multiple(row.base.n, page)) {
        return {rule::base_64k, position, row.base.n};
    }
    if (occupies(row) && wraps(row.base.n, row.size.n)) {
        return {rule::end_wraps, position, row.base.n};
    }
    return no_rule_broken;
}

/// Checks a commit limit (SEG-23, SEG-43).
[[nodiscard]] constexpr broken_rule judge_commit_limit(entry const& row, u32 position, bool wide_sizes) noexcept {
    u64 const limit = row.commit_limit.n;
    // For an aperture, 0 stands for its size.
    if (!is_placed(row.commit_limit) || (limit == 0 && is_aperture(row))) {
        return no_rule_broken;
    }
    if (!wide_sizes && limit > ~u32{0}) {
        return {rule::size_above_size_t, position, limit};
    }
    if (!is_placed(row.size) || row.kind == kind::agp_aperture) {
        return no_rule_broken;
    }
    if (row.kind != kind::aperture && limit != row.size.n) {
        return {rule::commit_limit_of_memory, position, limit};
    }
    return limit <= row.size.n ? no_rule_broken : broken_rule{rule::commit_limit_above, position, limit};
}

/// Checks the parts of one row.
[[nodiscard]] constexpr broken_rule judge_row_parts(entry const& row, u32 position) noexcept {
    broken_rule found = judge_system_memory_end(row, position);
    if (found == no_rule_broken) {
        found = judge_cpu_reach(row, position);
    }
    if (found == no_rule_broken) {
        found = judge_last_bank(row, position);
    }
    if (found == no_rule_broken) {
        found = judge_vpr(row, position);
    }
    if (found == no_rule_broken) {
        found = judge_frame_buffer(row, position);
    }
    if (found == no_rule_broken) {
        found = judge_invalid_ranges(row, position);
    }
    if (found == no_rule_broken && !is_slab(row.slab)) {
        return {rule::slab_size, position, row.slab.n};
    }
    return found;
}

/// Checks the numbers of one row. An AGP aperture has no size of its own (SEG-12).
[[nodiscard]] constexpr broken_rule judge_row_numbers(entry const& row, u32 position, bool wide_sizes) noexcept {
    broken_rule const of_size = row.kind == kind::agp_aperture ? no_rule_broken : judge_size(row, position, wide_sizes);
    if (of_size != no_rule_broken || row.kind == kind::hidden) {
        return of_size;
    }
    broken_rule const of_limit = judge_commit_limit(row, position, wide_sizes);
    return of_limit != no_rule_broken ? of_limit : judge_row_parts(row, position);
}

/// The row at an index that counts the reported rows first, then the hidden ones.
[[nodiscard]] constexpr entry const& row_at(view const& v, usize index) noexcept {
    return index < v.reported.count ? v.reported[index] : v.hidden[index - v.reported.count];
}

/// The position that a finding names: the id of a reported row, 0 for a hidden one.
[[nodiscard]] constexpr u32 position_of(view const& v, usize index) noexcept {
    return index < v.reported.count ? static_cast<u32>(index) + 1 : 0;
}

/// Checks that no two rows share an address (SEG-07).
[[nodiscard]] constexpr broken_rule judge_overlap(view const& v) noexcept {
    usize const count = v.reported.count + v.hidden.count;
    for (usize a = 0; a < count; ++a) {
        entry const& one = row_at(v, a);
        for (usize b = a + 1; b < count; ++b) {
            entry const& other = row_at(v, b);
            if (occupies(one) && occupies(other) &&
                ranges_overlap(one.base.n, one.size.n, other.base.n, other.size.n)) {
                return {rule::overlap, position_of(v, a), greater(one.base.n, other.base.n)};
            }
        }
    }
    return no_rule_broken;
}

/// The first rule that a number breaks (SEG-07 to SEG-09, SEG-14, SEG-17, SEG-21, SEG-23, SEG-25, SEG-31, SEG-32,
/// SEG-43).
///
/// @param v           any table
/// @param wide_sizes  whether SIZE_T has 64 bits
/// @return no_rule_broken, or the rule, the position of the segment and the wrong number
[[nodiscard]] constexpr broken_rule judge_numbers(view const& v, bool wide_sizes) noexcept {
    for (usize index = 0; index < v.reported.count + v.hidden.count; ++index) {
        broken_rule const of_row = judge_row_numbers(row_at(v, index), position_of(v, index), wide_sizes);
        if (of_row != no_rule_broken) {
            return of_row;
        }
    }
    return judge_overlap(v);
}

}  // namespace wddmcore::segment::detail
