// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "driver_caps.hpp"

/// DXGKQAITYPE_PHYSICALADAPTERCAPS: the members and bits that the library owns, among those of the driver.
///
/// Set, to 0 as well as to 1: NumExecutionNodes, PagingNodeIndex, and of Flags bits 0 (IoMmuSupported), 1
/// (GpuMmuSupported), 6 (GpuVaIommuRequired) and 7 (GpuVaIommuGlobalRequired). Every other byte stays as it was:
/// DxgkPhysicalAdapterHandle, VPRPagingNode, VirtualCopyNodeIndex and the other flags are the driver's.
///
/// All functions here: PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo, pageable, touch no OS state. DDI: WDDM 2.0.
/// Source pages: ns-d3dkmddi-_dxgk_physicaladaptercaps.md, ns-d3dkmddi-_dxgk_physicaladapterflags.md.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

inline constexpr u32 owned_physical_adapter_flags = 0x3u | iommu::owned_physical_adapter_flags;

/// The owned bits of Flags. MemoryManagementCaps and the IOMMU caps say the same (GVA-35, IOM-22).
[[nodiscard]] constexpr u32 physical_adapter_flags_of(capabilities const& chosen,
                                                      iommu::capabilities const& iommu) noexcept {
    return (has_io_mmu(chosen) ? 1u : 0u) | (has_gpu_mmu(chosen) ? 2u : 0u) |
           iommu::flag_words_of(chosen, iommu).physical_adapter_flags;
}

/// Sets what the library owns of DXGK_PHYSICALADAPTERCAPS; it is the same for every physical adapter of a link
/// (LDA-02, LDA-08).
///
/// @param hw           a hardware type that check_adapter accepts
/// @param output_size  OutputDataSize, bytes; only members that lie inside are touched
/// @param caps         DXGK_PHYSICALADAPTERCAPS of the included header, or a mirror
/// @return partly
template <class Hw, members::physical_adapter_caps Caps>
[[nodiscard]] constexpr query_answer fill_physical_adapter_caps(Hw const& hw, u32 output_size, Caps& caps) noexcept {
    if (lies_inside(__builtin_offsetof(Caps, NumExecutionNodes), sizeof caps.NumExecutionNodes, output_size)) {
        caps.NumExecutionNodes = static_cast<u16>(hw::engines_of(hw).count);
    }
    if (lies_inside(__builtin_offsetof(Caps, PagingNodeIndex), sizeof caps.PagingNodeIndex, output_size)) {
        caps.PagingNodeIndex = static_cast<u16>(scheduling_of(hw).paging_node);
    }
    if (lies_inside(__builtin_offsetof(Caps, Flags), sizeof caps.Flags, output_size)) {
        u32 const before = caps.Flags.Value;
        caps.Flags.Value =
            iommu::merged(before, owned_physical_adapter_flags, physical_adapter_flags_of(chosen_of(hw), iommu_of(hw)));
    }
    return query_partly;
}

}  // namespace wddmcore::adapter_info::detail
