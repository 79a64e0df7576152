// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/capabilities.hpp"

/// What a driver claims about the IOMMU: one member for each fact, from which all structures that report it are filled.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source pages: ns-d3dkmddi-dxgk_iommu_caps.md, ns-d3dkmddi-_dxgk_vidmmcaps.md,
/// ns-d3dkmddi-_dxgk_physicaladapterflags.md, iommu-dma-remapping.md, iommu-based-gpu-isolation.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// The claims. A hardware type has `static constexpr wddmcore::iommu::capabilities iommu{...};`.
///
/// Support of MAP_APERTURE_SEGMENT2 is not repeated here: it follows from `aperture` of wddmcore::capabilities.
struct capabilities {
    claim isolation = claim::no;           ///< IommuIsolationSupported and IoMmuSecureModeSupported (IOM-04); WDDM 2.4
    claim isolation_required = claim::no;  ///< IommuIsolationRequired and IoMmuSecureModeRequired (IOM-04); WDDM 2.7
    claim dma_remapping = claim::no;       ///< DmaRemappingSupported (IOM-01); WDDM 2.9
    claim gpu_va_iommu_required = claim::no;         ///< GpuVaIommuRequired, in both structures (IOM-22); WDDM 3.1
    claim gpu_va_iommu_global_required = claim::no;  ///< GpuVaIommuGlobalRequired, in both (IOM-22); WDDM 3.1
};

/// @return the claim about MapAperture2Supported that follows from the aperture forms
[[nodiscard]] constexpr claim map_aperture2(aperture_forms forms) noexcept {
    if (!contains(forms, aperture_forms::adl)) {
        return claim::no;
    }
    return forms == aperture_forms::adl ? claim::yes : claim::at_run_time;
}

/// Whether the GpuVaIoMmu or the GpuVaIoMmuGlobal model may be used, the two with which an allocation can be notified
/// before the IOMMU unmaps it (NTF-11).
///
/// @param caps  what AddDevice chose, or the constant
/// @return true if either claim is `yes`, or left open in a constant
[[nodiscard]] constexpr bool has_gpu_va_iommu(capabilities const& caps) noexcept {
    return may_be_yes(caps.gpu_va_iommu_required) || may_be_yes(caps.gpu_va_iommu_global_required);
}

/// @return whether nothing is left open for AddDevice. Answers are made only from such claims, because the system asks
///         for the IOMMU caps before the device starts (IOM-02).
[[nodiscard]] constexpr bool is_decided(capabilities const& caps) noexcept {
    return caps.isolation != claim::at_run_time && caps.isolation_required != claim::at_run_time &&
           caps.dma_remapping != claim::at_run_time && caps.gpu_va_iommu_required != claim::at_run_time &&
           caps.gpu_va_iommu_global_required != claim::at_run_time;
}

/// @return whether the claims chosen at AddDevice stay within those that the source code declares
[[nodiscard]] constexpr bool narrows(capabilities const& chosen, capabilities const& most) noexcept {
    return contains_all(most.isolation, chosen.isolation) &&
           contains_all(most.isolation_required, chosen.isolation_required) &&
           contains_all(most.dma_remapping, chosen.dma_remapping) &&
           contains_all(most.gpu_va_iommu_required, chosen.gpu_va_iommu_required) &&
           contains_all(most.gpu_va_iommu_global_required, chosen.gpu_va_iommu_global_required);
}

static_assert(map_aperture2(aperture_forms::either) == claim::at_run_time);

}  // namespace wddmcore::iommu
