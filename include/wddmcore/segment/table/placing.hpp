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

/// Fills in a number that is still missing; a different number that is already there stays, which is a breach (SEG-02).
template <class Unit>
constexpr void put_number(rule_check& check, Unit& place, typename meta::type_is<Unit>::type found) noexcept {
    check.when(is_placed(found) && is_placed(place) && place != found, rule::placed_otherwise, place.n);
    place = is_placed(place) ? place : found;
}

/// Fills in the addresses through which the CPU reaches a segment (SEG-17).
constexpr void put_cpu_reach(rule_check& check, entry& row, numbers const& found) noexcept {
    check.when(is_placed(found.cpu) && row.kind != kind::cpu_visible_memory, rule::cpu_address_without_flag,
               found.cpu.n);
    put_number(check, row.cpu, found.cpu);
    if (!is_placed(found.host_aperture.base)) {
        return;
    }
    u32 const pages_there = row.host_aperture.size_in_pages;
    u32 const pages_found = found.host_aperture.size_in_pages;
    check.when(row.kind != kind::memory_behind_host_aperture, rule::host_aperture_without_flag, pages_found);
    check.when(pages_there != 0 && pages_there != pages_found, rule::placed_otherwise, row.host_aperture.base.n);
    put_number(check, row.host_aperture.base, found.host_aperture.base);
    row.host_aperture.size_in_pages = pages_found;
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
    rule_check check{row.id.n};
    put_number(check, row.base, found.base);
    put_number(check, row.size, found.size);
    put_number(check, row.commit_limit, limit_is_size ? row.size : bytes{found.commit_limit});
    put_number(check, row.system_memory_end, found.system_memory_end);
    put_number(check, row.vpr.start, found.vpr_start);
    put_number(check, row.vpr.size, found.vpr_size);
    row.invalid = found.invalid.empty() ? row.invalid : found.invalid;
    row.uefi_frame_buffer = found.uefi_frame_buffer.empty() ? row.uefi_frame_buffer : found.uefi_frame_buffer;
    put_cpu_reach(check, row, found);
    return check.found;
}

}  // namespace detail

}  // namespace wddmcore::segment
