// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "irql.hpp"
#include "verdict.hpp"

/// The callbacks that drivers of isolated adapters used before there were physical memory objects.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source pages: iommu-dma-remapping.md, nc-d3dkmddi-dxgkcb_mapmdltoiommu.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// DxgkCb... from WDDM 2.4. An MDL that is mapped must live until it is unmapped (IOM-16).
enum class earlier_callback : u32 {
    allocate_pages_for_mdl,
    free_pages_from_mdl,
    allocate_contiguous_memory,
    free_contiguous_memory,
    map_mdl_to_iommu,
    unmap_mdl_from_iommu,
};

/// Whether an earlier memory callback may be called (IOM-13, IOM-14).
///
/// @param remapping  whether the system remaps this adapter's logical addresses, which makes all six unavailable
/// @param level      the IRQL of the call
/// @return allowed, irql_too_high, or needs_memory_objects
[[nodiscard]] constexpr verdict judge(earlier_callback, bool remapping, irql level) noexcept {
    if (!may_call_memory_callbacks(level)) {
        return verdict::irql_too_high;
    }
    return remapping ? verdict::needs_memory_objects : verdict::allowed;
}

}  // namespace wddmcore::iommu
