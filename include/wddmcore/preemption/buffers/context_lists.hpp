// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"
#include "../members.hpp"

/// The lengths of a context's allocation list (SPL-18).
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

inline constexpr u32 gdi_allocation_list_entries = 256;       ///< DXGK_ALLOCATION_LIST_SIZE_GDICONTEXT
inline constexpr u32 unpatched_allocation_list_entries = 16;  ///< what a context without patching gets

/// Whether DXGK_CONTEXTINFO may be returned for a context: one for GDI asks for exactly 256 entries.
///
/// Source page: ns-d3dkmddi-_dxgk_contextinfo.md.
///
/// @param gdi_context  GdiContext of DXGK_CREATECONTEXTFLAGS
template <members::context_info Info>
[[nodiscard]] constexpr bool allocation_list_size_is_legal(Info const& info, bool gdi_context) noexcept {
    return !gdi_context || info.AllocationListSize == gdi_allocation_list_entries;
}

/// The entries that a context's allocation lists have at the least: what DXGK_CONTEXTINFO asks for, or 16 without
/// patching, whatever it asks for.
///
/// Source page: residency-overview.md.
///
/// @param patches  the context names memory by physical addresses
template <members::context_info Info>
[[nodiscard]] constexpr u32 allocation_list_entries(Info const& info, bool patches) noexcept {
    return patches ? info.AllocationListSize : unpatched_allocation_list_entries;
}

/// Whether the use of an allocation stands in the allocation list: every one with patching, else only a primary that
/// is written, so that the system can order it against flips.
///
/// Source page: residency-overview.md.
[[nodiscard]] constexpr bool belongs_in_allocation_list(bool patches, bool is_primary, bool is_written) noexcept {
    return patches || (is_primary && is_written);
}
static_assert(belongs_in_allocation_list(true, false, false) && !belongs_in_allocation_list(false, true, false));

}  // namespace wddmcore::preemption
