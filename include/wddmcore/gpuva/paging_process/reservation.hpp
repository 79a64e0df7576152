// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../range.hpp"

/// What a driver may reserve of a process's address space with DxgkCbReserveGpuVirtualAddressRange.
///
/// PASSIVE_LEVEL, pageable, touches no OS state. DDI: WDDM 2.0. Source pages:
/// nc-d3dkmddi-dxgkcb_reservegpuvirtualaddressrange.md, ns-d3dkmddi-_dxgkargcb_reservegpuvirtualaddressrange.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// Address space that a driver wants.
struct reservation {
    bytes size;
    bytes alignment;
    bool anywhere;             ///< the system chooses the address
    gpu_virtual_address base;  ///< with `anywhere` false
};

/// Judges a reservation before it is asked for. All numbers are in units of what one entry of the root covers; entry 0
/// of the root is always invalid, so that the first address to have is that of entry 1 (GVA-30, GVA-31).
///
/// The pages say "a single page table entry" of sizes and "root page table" of the first one; the root's entry is taken
/// for both, which satisfies every reading.
///
/// @param g                       page tables that `judge` accepts
/// @param wanted                  what is to be reserved
/// @param inside_create_process   whether the driver is in its DxgkDdiCreateProcess
/// @return errc::none; errc::inconsistent outside of that call; errc::misaligned for a size of 0, or a size, alignment
///         or base that is no multiple of the unit, or an alignment that is no power of two; errc::out_of_range when it
///         begins below entry 1 or cannot end inside the address space
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
    // The first address that is above entry 0 and aligned.
    u64 const lowest = wanted.anywhere ? wanted.alignment.n : wanted.base.n;
    u64 const space = pages_in_space(g);
    bool const inside = lowest >= unit && fits<u64>(lowest >> page_shift_lg2, wanted.size.n >> page_shift_lg2, space);
    return inside ? errc::none : errc::out_of_range;
}

}  // namespace wddmcore::gpuva
