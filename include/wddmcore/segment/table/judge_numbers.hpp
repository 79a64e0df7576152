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
    // A hidden range is not managed in pages.
    bool const in_pages = row.kind != kind::hidden;
    rule_check check{position};
    if (is_placed(row.size)) {
        check.when(row.size.n == 0, rule::size_missing, 0);
        check.when(in_pages && !is_multiple(row.size.n, page_bytes), rule::page_multiple, row.size.n);
        check.when(in_pages && !is_multiple(row.size.n, page), rule::size_64k, row.size.n);
        check.when(in_pages && !wide_sizes && row.size.n > ~u32{0}, rule::size_above_size_t, row.size.n);
    }
    if (is_placed(row.base)) {
        // Page-table entries count pages from the base.
        check.when(in_pages && !is_multiple(row.base.n, page_bytes), rule::base_page, row.base.n);
        check.when(page != page_bytes && !is_multiple(row.base.n, page), rule::base_64k, row.base.n);
    }
    check.when(occupies(row) && wraps(row.base.n, row.size.n), rule::end_wraps, row.base.n);
    return check.found;
}

/// Checks a commit limit (SEG-23, SEG-43).
[[nodiscard]] constexpr broken_rule judge_commit_limit(entry const& row, u32 position, bool wide_sizes) noexcept {
    if (!is_placed(row.commit_limit)) {
        return no_rule_broken;
    }
    // For an aperture, 0 stands for its size, and is never above it.
    u64 const limit = row.commit_limit.n;
    rule_check check{position};
    check.when(!wide_sizes && limit > ~u32{0}, rule::size_above_size_t, limit);
    if (is_placed(row.size) && row.kind != kind::agp_aperture) {
        check.when(row.kind != kind::aperture && limit != row.size.n, rule::commit_limit_of_memory, limit);
        check.when(limit > row.size.n, rule::commit_limit_above, limit);
    }
    return check.found;
}

/// Checks the parts of one row.
[[nodiscard]] constexpr broken_rule judge_row_parts(entry const& row, u32 position) noexcept {
    rule_check check{position};
    check.add(judge_system_memory_end(row, position));
    check.add(judge_cpu_reach(row, position));
    check.add(judge_last_bank(row, position));
    check.add(judge_vpr(row, position));
    check.add(judge_frame_buffer(row, position));
    check.add(judge_invalid_ranges(row, position));
    check.when(!is_slab(row.slab), rule::slab_size, row.slab.n);
    return check.found;
}

/// Checks the numbers of one row. An AGP aperture has no size of its own (SEG-12).
[[nodiscard]] constexpr broken_rule judge_row_numbers(entry const& row, u32 position, bool wide_sizes) noexcept {
    rule_check check{};
    if (row.kind != kind::agp_aperture) {
        check.add(judge_size(row, position, wide_sizes));
    }
    if (row.kind != kind::hidden) {
        check.add(judge_commit_limit(row, position, wide_sizes));
        check.add(judge_row_parts(row, position));
    }
    return check.found;
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
    rule_check check{};
    for (usize a = 0; a < count; ++a) {
        entry const& one = row_at(v, a);
        check.place = position_of(v, a);
        for (usize b = a + 1; b < count; ++b) {
            entry const& other = row_at(v, b);
            check.when(occupies(one) && occupies(other) &&
                           ranges_overlap(one.base.n, one.size.n, other.base.n, other.size.n),
                       rule::overlap, greater(one.base.n, other.base.n));
        }
    }
    return check.found;
}

/// The first rule that a number breaks (SEG-07 to SEG-09, SEG-14, SEG-17, SEG-21, SEG-23, SEG-25, SEG-31, SEG-32,
/// SEG-43).
///
/// @param v           any table
/// @param wide_sizes  whether SIZE_T has 64 bits
/// @return no_rule_broken, or the rule, the position of the segment and the wrong number
[[nodiscard]] constexpr broken_rule judge_numbers(view const& v, bool wide_sizes) noexcept {
    rule_check check{};
    for (usize index = 0; index < v.reported.count + v.hidden.count; ++index) {
        check.add(judge_row_numbers(row_at(v, index), position_of(v, index), wide_sizes));
    }
    check.add(judge_overlap(v));
    return check.found;
}

}  // namespace wddmcore::segment::detail
