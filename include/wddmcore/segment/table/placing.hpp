// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../stated.hpp"
#include "entry.hpp"
#include "rules.hpp"

/// Numbers that only StartDevice knows, and how they get into a row.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// What StartDevice finds out about one segment. Members that are left out, or at_start, change nothing.
struct numbers {
    stated<segment_address> base = at_start;
    stated<bytes> size = at_start;
    stated<bytes> commit_limit =
        at_start;  ///< of an aperture; 0: the size; left out: the size if it is still unknown (SEG-23)
    cpu_physical_address cpu = at_start;                                    ///< with CpuVisible
    cpu_host_aperture host_aperture{.base = at_start, .size_in_pages = 0};  ///< behind a CPU host aperture
    stated<bytes> system_memory_end = at_start;
    stated<segment_offset> vpr_start = at_start;
    stated<bytes> vpr_size = at_start;
    span<memory_range const> invalid{nullptr, 0};  ///< empty: no change; the table keeps the pointer
    span<memory_range const> uefi_frame_buffer{nullptr, 0};
};

namespace detail {

/// Fills in a number that is still missing.
///
/// @return false when a different number is already there, which stays (SEG-02)
template <class Unit>
[[nodiscard]] constexpr bool put_number(Unit& place, typename meta::type_is<Unit>::type found) noexcept {
    if (!is_placed(found) || place == found) {
        return true;
    }
    if (is_placed(place)) {
        return false;
    }
    place = found;
    return true;
}

/// Fills in the addresses through which the CPU reaches a segment (SEG-17).
[[nodiscard]] constexpr broken_rule put_cpu_reach(entry& row, numbers const& found) noexcept {
    if (is_placed(found.cpu) && row.kind != kind::cpu_visible_memory) {
        return {rule::cpu_address_without_flag, row.id.n, found.cpu.n};
    }
    if (!put_number(row.cpu, found.cpu)) {
        return {rule::placed_otherwise, row.id.n, row.cpu.n};
    }
    if (!is_placed(found.host_aperture.base)) {
        return no_rule_broken;
    }
    if (row.kind != kind::memory_behind_host_aperture) {
        return {rule::host_aperture_without_flag, row.id.n, found.host_aperture.size_in_pages};
    }
    bool const other_size = row.host_aperture.size_in_pages != found.host_aperture.size_in_pages;
    if ((other_size && row.host_aperture.size_in_pages != 0) ||
        !put_number(row.host_aperture.base, found.host_aperture.base)) {
        return {rule::placed_otherwise, row.id.n, row.host_aperture.base.n};
    }
    row.host_aperture.size_in_pages = found.host_aperture.size_in_pages;
    return no_rule_broken;
}

/// Fills in the numbers of a segment's row. After an error the row may be partly changed.
///
/// @return no_rule_broken; agp_is_placed (SEG-12); placed_otherwise (SEG-02); an address of the wrong kind (SEG-17)
[[nodiscard]] constexpr broken_rule place_numbers(entry& row, numbers const& found) noexcept {
    if (row.kind == kind::agp_aperture) {
        return {rule::agp_is_placed, row.id.n, row.id.n};
    }
    bool const limit_follows = !is_placed(row.commit_limit) && !is_placed(found.commit_limit);
    // 0 stands for the size, as in the builders.
    bool const limit_is_size = limit_follows || found.commit_limit == bytes{0};
    if (!put_number(row.base, found.base)) {
        return {rule::placed_otherwise, row.id.n, row.base.n};
    }
    if (!put_number(row.size, found.size)) {
        return {rule::placed_otherwise, row.id.n, row.size.n};
    }
    if (!put_number(row.commit_limit, limit_is_size ? row.size : bytes{found.commit_limit})) {
        return {rule::placed_otherwise, row.id.n, row.commit_limit.n};
    }
    if (!put_number(row.system_memory_end, found.system_memory_end)) {
        return {rule::placed_otherwise, row.id.n, row.system_memory_end.n};
    }
    if (!put_number(row.vpr.start, found.vpr_start)) {
        return {rule::placed_otherwise, row.id.n, row.vpr.start.n};
    }
    if (!put_number(row.vpr.size, found.vpr_size)) {
        return {rule::placed_otherwise, row.id.n, row.vpr.size.n};
    }
    row.invalid = found.invalid.empty() ? row.invalid : found.invalid;
    row.uefi_frame_buffer = found.uefi_frame_buffer.empty() ? row.uefi_frame_buffer : found.uefi_frame_buffer;
    return put_cpu_reach(row, found);
}

}  // namespace detail

}  // namespace wddmcore::segment
