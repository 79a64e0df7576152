// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../members.hpp"

/// The lengths of a context's allocation list (SPL-18).
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.0.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

inline constexpr u32 gdi_allocation_list_entries = 256;  ///< DXGK_ALLOCATION_LIST_SIZE_GDICONTEXT

/// Whether DXGK_CONTEXTINFO may be returned for a context: one for GDI has exactly 256 entries.
///
/// A context without patching gets 16 entries, whatever it asks for. Source pages: ns-d3dkmddi-_dxgk_contextinfo.md,
/// residency-overview.md.
///
/// @param info         AllocationListSize is read, in entries
/// @param gdi_context  GdiContext of DXGK_CREATECONTEXTFLAGS
/// @return false: a GDI context with another number of entries
template <members::context_info Info>
[[nodiscard]] constexpr bool allocation_list_size_is_legal(Info const& info, bool gdi_context) noexcept {
    return !gdi_context || info.AllocationListSize == gdi_allocation_list_entries;
}

/// Whether a use of an allocation belongs in the allocation list.
///
/// Source page: residency-overview.md.
///
/// @param patches     the context names memory by physical addresses
/// @param is_primary  the allocation is a primary
/// @param is_written  the commands write to it
/// @return true: always with patching; without it for a primary that is written, so that the system can order it
///         against flips
[[nodiscard]] constexpr bool belongs_in_allocation_list(bool patches, bool is_primary, bool is_written) noexcept {
    return patches || (is_primary && is_written);
}
static_assert(belongs_in_allocation_list(true, false, false) && !belongs_in_allocation_list(false, true, false));

}  // namespace wddmcore::preemption
