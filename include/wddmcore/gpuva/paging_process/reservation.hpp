// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../range.hpp"

/// Which part of a process's address space a driver may reserve with DxgkCbReserveGpuVirtualAddressRange.
///
/// PASSIVE_LEVEL, pageable, touches no OS state. DDI: WDDM 2.0. Source pages:
/// nc-d3dkmddi-dxgkcb_reservegpuvirtualaddressrange.md, ns-d3dkmddi-_dxgkargcb_reservegpuvirtualaddressrange.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// Address space that a driver wants.
struct reservation {
    bytes size;
    bytes alignment;
    bool anywhere;             ///< the system chooses the address
    gpu_virtual_address base;  ///< used if `anywhere` is false
};

/// Checks a reservation before the driver asks for it. All numbers are multiples of what one entry of the root covers.
/// Entry 0 of the root is always invalid, so the first available address is that of entry 1 (GVA-30, GVA-31).
///
/// For sizes the pages speak of "a single page table entry", for the first entry of the "root page table". Here both
/// mean an entry of the root, which satisfies either reading.
///
/// @param g                       page tables that `judge` accepts
/// @param wanted                  the range to be reserved
/// @param inside_create_process   whether the driver is inside its DxgkDdiCreateProcess
/// @return errc::none; errc::inconsistent outside that call; errc::misaligned for a size of 0, for a size, alignment or
///         base that is not a multiple of the unit, and for an alignment that is not a power of two; errc::out_of_range
///         when the range begins below entry 1 or cannot end inside the address space
[[nodiscard]] constexpr errc judge_reservation(page_table_geometry const& g, reservation const& wanted,
                                               bool inside_create_process) noexcept {
    if (!inside_create_process) {
        return errc::inconsistent;
    }
    u64 const unit = entry_coverage(g, root_level(g)).n;
    if (wanted.size.n == 0 || !is_multiple(wanted.size.n, unit) || !is_power_of_two(wanted.alignment.n) ||
        wanted.alignment.n < unit) {
        return errc::misaligned;
    }
    if (!wanted.anywhere && !is_multiple(wanted.base.n, wanted.alignment.n)) {
        return errc::misaligned;
    }
    // The first aligned address past entry 0.
    u64 const lowest = wanted.anywhere ? wanted.alignment.n : wanted.base.n;
    u64 const space = pages_in_space(g);
    bool const inside = lowest >= unit && fits<u64>(lowest >> page_shift_lg2, wanted.size.n >> page_shift_lg2, space);
    return inside ? errc::none : errc::out_of_range;
}

}  // namespace wddmcore::gpuva
