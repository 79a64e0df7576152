// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "../base/span.hpp"

/// How far a device can reach, and whether that is enough for an adapter to start.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. Addresses are inclusive: the last byte that
/// can be reached (AMB-23). Source pages: ns-d3dkmddi-dxgk_physical_memory_caps.md, iommu-dma-remapping.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// The highest visible address that a link reports: the lowest among its physical adapters (IOM-03).
///
/// @param of_adapters  the last byte that each physical adapter reaches, inclusive
/// @return the smallest; errc::missing when there is no adapter
[[nodiscard]] constexpr result<u64> highest_visible_address(span<u64 const> of_adapters) noexcept {
    if (of_adapters.empty()) {
        return refused<u64>(errc::missing);
    }
    u64 least = ~u64{0};
    for (u64 const address : of_adapters) {
        least = lesser(least, address);
    }
    return good(least);
}

/// The machine in which an adapter is installed.
struct machine {
    u64 highest_installed_address = 0;  ///< the last byte of installed memory, inclusive
    bool remaps = false;  ///< IOMMU, firmware and system support remapping, and the INF allows it (IOM-20)
};

/// Whether an adapter starts in a machine: without remapping it must reach all installed memory (IOM-06).
///
/// @param highest_visible_address  the last byte that it reaches, inclusive; equality is enough (AMB-23)
/// @param dma_remapping            whether the driver claims DmaRemappingSupported
/// @return false when the system would refuse to start it
[[nodiscard]] constexpr bool starts(u64 highest_visible_address, bool dma_remapping, machine const& in) noexcept {
    return (dma_remapping && in.remaps) || highest_visible_address >= in.highest_installed_address;
}

}  // namespace wddmcore::iommu
