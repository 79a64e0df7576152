// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "verdict.hpp"

/// When the memory callbacks may be called: at which IRQL, and which of them.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source pages: iommu-dma-remapping.md, nc-d3dkmddi-dxgkcb_mapmdltoiommu.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// A KIRQL, as KeGetCurrentIrql returns it. The caller passes it, because nothing below the edge asks the kernel for
/// it.
struct irql {
    u8 n = 0;
    friend constexpr bool operator==(irql, irql) = default;
};

inline constexpr irql passive_level{0};   ///< PASSIVE_LEVEL
inline constexpr irql apc_level{1};       ///< APC_LEVEL
inline constexpr irql dispatch_level{2};  ///< DISPATCH_LEVEL

/// Whether the memory callbacks may be called at a level. From WDDM 3.2 a call at DISPATCH_LEVEL or above bugchecks.
///
/// @return true at APC_LEVEL and below (IOM-14)
[[nodiscard]] constexpr bool may_call_memory_callbacks(irql level) noexcept { return level.n <= apc_level.n; }
static_assert(may_call_memory_callbacks(apc_level) && !may_call_memory_callbacks(dispatch_level));

/// DxgkCb... from WDDM 2.4, which drivers of isolated adapters used before there were physical memory objects. An MDL
/// that is mapped must live until it is unmapped (IOM-16).
enum class earlier_callback : u32 {
    allocate_pages_for_mdl,
    free_pages_from_mdl,
    allocate_contiguous_memory,
    free_contiguous_memory,
    map_mdl_to_iommu,
    unmap_mdl_from_iommu,
};

/// Whether an earlier memory callback may be called. DDI: WDDM 2.4.
///
/// @param remapping  whether the system remaps this adapter's logical addresses, which makes all six unavailable
/// @param level      the IRQL of the call
/// @return allowed; irql_too_high above APC_LEVEL (IOM-14); needs_memory_objects with remapping (IOM-13)
[[nodiscard]] constexpr verdict judge(earlier_callback, bool remapping, irql level) noexcept {
    if (!may_call_memory_callbacks(level)) {
        return verdict::irql_too_high;
    }
    return remapping ? verdict::needs_memory_objects : verdict::allowed;
}

}  // namespace wddmcore::iommu
