// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "judge_kinds.hpp"

/// Checks the numbers in the parts of a segment. What depends on a number that is not placed yet is checked when it is,
/// so the same functions serve for constants and for what StartDevice places.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment::detail {

/// Whether a range of bytes runs past 64 bits; its last byte may have the last address.
[[nodiscard]] constexpr bool wraps(u64 first, u64 size) noexcept { return size != 0 && first + (size - 1) < first; }
static_assert(!wraps(~u64{0}, 1) && wraps(~u64{0}, 2));

/// Checks the end of the memory that is preserved through hibernation (SEG-21).
[[nodiscard]] constexpr broken_rule judge_system_memory_end(entry const& row, u32 position) noexcept {
    bool const partially = row.flags.has(flag::partially_preserved_during_hibernate);
    if (partially == (row.system_memory_end.n != 0)) {
        return no_rule_broken;
    }
    return {partially ? rule::system_memory_end_missing : rule::system_memory_end_unwanted, position,
            row.system_memory_end.n};
}

/// Checks a range that the CPU sees: whole pages, inside 64 bits (SEG-14, SEG-17).
///
/// @param base  cpu_physical_address of its first byte, placed
/// @param size  bytes; 0 if not known yet
[[nodiscard]] constexpr broken_rule judge_cpu_range(u64 base, u64 size, u32 position) noexcept {
    rule_check check{position};
    check.when(!is_multiple(base, page_bytes), rule::cpu_page, base);
    check.when(wraps(base, size), rule::cpu_range_wraps, base);
    return check.found;
}

/// Checks a CPU host aperture (SEG-17), whose base and size are placed together.
[[nodiscard]] constexpr broken_rule judge_host_aperture(entry const& row, u32 position) noexcept {
    cpu_host_aperture const& seen = row.host_aperture;
    if (!is_placed(seen.base)) {
        return no_rule_broken;
    }
    return seen.size_in_pages == 0 ? broken_rule{rule::host_aperture_missing, position, seen.base.n}
                                   : judge_cpu_range(seen.base.n, seen.size_in_pages * segment_page(row).n, position);
}

/// Checks which of the two CPU addresses a segment has, and where it is (SEG-17).
[[nodiscard]] constexpr broken_rule judge_cpu_reach(entry const& row, u32 position) noexcept {
    if (!row.flags.has(flag::cpu_visible) && row.cpu.n != 0) {
        return {rule::cpu_address_without_flag, position, row.cpu.n};
    }
    if (row.flags.has(flag::supports_cpu_host_aperture)) {
        return judge_host_aperture(row, position);
    }
    if (row.host_aperture.size_in_pages != 0) {
        return {rule::host_aperture_without_flag, position, row.host_aperture.size_in_pages};
    }
    return is_placed(row.cpu) ? judge_cpu_range(row.cpu.n, is_placed(row.size) ? row.size.n : 0, position)
                              : no_rule_broken;
}

/// Checks where the last bank ends (SEG-25, PREF-05); `judge_banks` has checked that the ends rise.
[[nodiscard]] constexpr broken_rule judge_last_bank(entry const& row, u32 position) noexcept {
    if (row.banks.empty() || !is_placed(row.size)) {
        return no_rule_broken;
    }
    u64 const last = row.banks[row.banks.count - 1];
    if (last > row.size.n) {
        return {rule::bank_past_end, position, last};
    }
    u32 const count = bank_count(row);
    return count <= most_banks ? no_rule_broken : broken_rule{rule::too_many_banks, position, count};
}

/// Whether a part lies inside its segment, as far as the numbers are known.
[[nodiscard]] constexpr bool lies_inside(entry const& row, segment_offset start, bytes size) noexcept {
    u64 const end = is_placed(row.size) ? row.size.n : not_placed_yet;
    return !is_placed(start) || !is_placed(size) || fits(start.n, size.n, end);
}

/// Checks a VPR range and its flag (SEG-32).
[[nodiscard]] constexpr broken_rule judge_vpr(entry const& row, u32 position) noexcept {
    vpr const& v = row.vpr;
    bool const supported = row.flags.has(flag::vpr_supported);
    if (supported != (v.size.n != 0)) {
        return {rule::vpr_flag, position, v.size.n};
    }
    if (!supported) {
        return no_rule_broken;
    }
    if (v.alignment == 0) {
        return {rule::vpr_alignment_missing, position, 0};
    }
    rule_check check{position};
    check.when(is_placed(v.start) && !is_multiple<u64>(v.start.n, v.alignment), rule::vpr_not_aligned, v.start.n);
    check.when(is_placed(v.size) && !is_multiple<u64>(v.size.n, v.alignment), rule::vpr_not_aligned, v.size.n);
    check.when(!lies_inside(row, v.start, v.size), rule::vpr_outside, v.start.n);
    check.when(is_placed(v.size) && v.reserve > v.size.n, rule::vpr_reserve, v.reserve);
    check.when(v.count == 0, rule::vpr_count, 0);
    return check.found;
}

/// Checks invalid ranges on their own: whole pages of the segment, at least one, and no overlap (SEG-31).
[[nodiscard]] constexpr broken_rule judge_invalid_ranges(entry const& row, u32 position) noexcept {
    u64 const page = segment_page(row).n;
    rule_check check{position};
    for (usize index = 0; index < row.invalid.count; ++index) {
        memory_range const& one = row.invalid[index];
        check.when(!is_multiple(one.start.n, page), rule::range_not_aligned, one.start.n);
        check.when(!is_multiple(one.size.n, page), rule::range_not_aligned, one.size.n);
        check.when(one.size.n == 0, rule::range_empty, one.start.n);
        check.when(!lies_inside(row, one.start, one.size), rule::range_outside, one.start.n);
        for (memory_range const& other : row.invalid.first(index)) {
            bool const overlap = ranges_overlap(other.start.n, other.size.n, one.start.n, one.size.n);
            check.when(overlap, rule::ranges_overlap, one.start.n);
        }
    }
    return check.found;
}

/// Checks the ranges of the firmware's frame buffer (SEG-31). They end where its last line ends: the page wants only
/// invalid ranges to be aligned.
[[nodiscard]] constexpr broken_rule judge_frame_buffer(entry const& row, u32 position) noexcept {
    rule_check check{position};
    for (memory_range const& one : row.uefi_frame_buffer) {
        check.when(!lies_inside(row, one.start, one.size), rule::range_outside, one.start.n);
    }
    return check.found;
}

/// Whether DXGK_PAGESIZE can express a size: a power of two from 4 KiB to 128 MiB, or 0 for none (AMB-11).
[[nodiscard]] constexpr bool is_slab(bytes slab) noexcept {
    return slab.n == 0 || (is_power_of_two(slab.n) && slab.n >= page_bytes && slab <= 128 * mib);
}

}  // namespace wddmcore::segment::detail
