// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

/// At which IRQL the memory callbacks may be called. Those from WDDM 2.4 on, such as DxgkCbAllocatePagesForMdl, are not
/// available where the system remaps logical addresses: there a driver has physical memory objects (IOM-13). An MDL
/// that is mapped must live until it is unmapped (IOM-16).
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

}  // namespace wddmcore::iommu
