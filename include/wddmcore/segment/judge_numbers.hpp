// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "judge_kinds.hpp"

/// The numbers of segments. What depends on one that is not placed yet is left for later.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// The page in which a segment is managed (SEG-09, SEG-31).
[[nodiscard]] constexpr bytes page_of(entry const& row) noexcept {
    return row.flags.has(flag::use_64kb_pages) ? 64 * kib : 4 * kib;
}

/// Whether a row has a place of its own: an AGP aperture has none, its base and size are ignored (SEG-12).
[[nodiscard]] constexpr bool occupies(entry const& row) noexcept {
    return row.kind != kind::agp_aperture && is_placed(row.base) && is_placed(row.size) && row.size.n != 0;
}

/// Whether a sum of 1 and more bytes leaves 64 bits; the last byte may have the last address.
[[nodiscard]] constexpr bool wraps(u64 first, u64 size) noexcept { return size != 0 && first + (size - 1) < first; }
static_assert(!wraps(~u64{0}, 1) && wraps(~u64{0}, 2));

/// Judges size and base of a row (SEG-08, SEG-09, SEG-43).
[[nodiscard]] constexpr broken_rule judge_size(entry const& row, u32 position, bool wide_sizes) noexcept {
    u64 const page = page_of(row).n;
    if (is_placed(row.size)) {
        if (row.size.n == 0) {
            return {rule::size_missing, position, 0};
        }
        // A hidden range is nobody's pages.
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
    if (page != page_bytes && is_placed(row.base) && !is_multiple(row.base.n, page)) {
        return {rule::base_64k, position, row.base.n};
    }
    return occupies(row) && wraps(row.base.n, row.size.n) ? broken_rule{rule::end_wraps, position, row.base.n}
                                                          : no_rule_broken;
}

/// Judges a commit limit (SEG-23, SEG-43).
[[nodiscard]] constexpr broken_rule judge_commit_limit(entry const& row, u32 position, bool wide_sizes) noexcept {
    u64 const limit = row.commit_limit.n;
    if (!is_placed(row.commit_limit)) {
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

/// Judges where the last bank ends (SEG-25, PREF-05); `judge_banks` saw that the ends rise.
[[nodiscard]] constexpr broken_rule judge_last_bank(entry const& row, u32 position) noexcept {
    if (row.banks.empty() || !is_placed(row.size)) {
        return no_rule_broken;
    }
    u64 const last = row.banks[row.banks.count - 1];
    if (last > row.size.n) {
        return {rule::bank_behind_end, position, last};
    }
    // The final end may be left out, because it is the segment's: then there is a bank more than ends.
    usize const count = row.banks.count + usize{last < row.size.n};
    return count <= most_banks ? no_rule_broken : broken_rule{rule::too_many_banks, position, count};
}

/// Whether a part lies inside its segment, as far as the numbers are known.
[[nodiscard]] constexpr bool lies_inside(entry const& row, segment_offset start, bytes size) noexcept {
    u64 const end = is_placed(row.size) ? row.size.n : not_placed_yet;
    return !is_placed(start) || !is_placed(size) || fits(start.n, size.n, end);
}

/// Judges the range of a VPR (SEG-32).
[[nodiscard]] constexpr broken_rule judge_vpr(entry const& row, u32 position) noexcept {
    vpr const& v = row.vpr;
    if (v.size.n == 0 || v.alignment == 0) {
        return no_rule_broken;
    }
    if (is_placed(v.start) && !is_multiple<u64>(v.start.n, v.alignment)) {
        return {rule::vpr_not_aligned, position, v.start.n};
    }
    if (is_placed(v.size) && !is_multiple<u64>(v.size.n, v.alignment)) {
        return {rule::vpr_not_aligned, position, v.size.n};
    }
    if (!lies_inside(row, v.start, v.size)) {
        return {rule::vpr_outside, position, v.start.n};
    }
    return is_placed(v.size) && v.reserve > v.size.n ? broken_rule{rule::vpr_reserve, position, v.reserve}
                                                     : no_rule_broken;
}

/// Judges the ranges that SEGMENTMEMORYSTATE tells (SEG-31). The page wants alignment of invalid ranges only.
[[nodiscard]] constexpr broken_rule judge_ranges(entry const& row, u32 position) noexcept {
    u64 const page = page_of(row).n;
    for (memory_range const& one : row.invalid) {
        if (!is_multiple(one.start.n, page)) {
            return {rule::range_not_aligned, position, one.start.n};
        }
        if (!is_multiple(one.size.n, page)) {
            return {rule::range_not_aligned, position, one.size.n};
        }
        if (!lies_inside(row, one.start, one.size)) {
            return {rule::range_outside, position, one.start.n};
        }
    }
    for (memory_range const& one : row.uefi_frame_buffer) {
        if (!lies_inside(row, one.start, one.size)) {
            return {rule::range_outside, position, one.start.n};
        }
    }
    return no_rule_broken;
}

/// Judges the numbers of one row.
[[nodiscard]] constexpr broken_rule judge_row_numbers(entry const& row, u32 position, bool wide_sizes) noexcept {
    if (row.kind == kind::agp_aperture) {
        return judge_commit_limit(row, position, wide_sizes);
    }
    broken_rule const of_size = judge_size(row, position, wide_sizes);
    if (of_size != no_rule_broken || row.kind == kind::hidden) {
        return of_size;
    }
    broken_rule const of_limit = judge_commit_limit(row, position, wide_sizes);
    if (of_limit != no_rule_broken) {
        return of_limit;
    }
    broken_rule const of_bank = judge_last_bank(row, position);
    if (of_bank != no_rule_broken) {
        return of_bank;
    }
    broken_rule const of_vpr = judge_vpr(row, position);
    return of_vpr != no_rule_broken ? of_vpr : judge_ranges(row, position);
}

/// The row at an index that goes over reported rows, then over hidden ones.
[[nodiscard]] constexpr entry const& row_at(view const& v, usize index) noexcept {
    return index < v.reported.count ? v.reported[index] : v.hidden[index - v.reported.count];
}

/// The position that a verdict names: from 1 for a reported row, 0 for a hidden one.
[[nodiscard]] constexpr u32 position_of(view const& v, usize index) noexcept {
    return index < v.reported.count ? static_cast<u32>(index) + 1 : 0;
}

/// Judges whether two rows share an address (SEG-07).
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

/// The first rule that a number breaks (SEG-07 to SEG-09, SEG-23, SEG-25, SEG-31, SEG-32, SEG-43).
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

}  // namespace wddmcore::segment
