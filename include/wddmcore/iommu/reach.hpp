// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "../base/span.hpp"

/// How far devices reach, and whether that lets an adapter start.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. Addresses are inclusive: the last byte that
/// can be reached (AMB-23). Source pages: ns-d3dkmddi-dxgk_physical_memory_caps.md, iommu-dma-remapping.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// The highest visible address that a link reports: the smallest of its physical adapters' (IOM-03).
///
/// @param of_adapters  the last byte that each physical adapter reaches, inclusive
/// @return the smallest; errc::missing when there is no adapter
[[nodiscard]] constexpr result<u64> highest_visible_address(span<u64 const> of_adapters) noexcept {
    if (of_adapters.empty()) {
        return refused<u64>(errc::missing);
    }
    u64 least = of_adapters[0];
    for (u64 const address : of_adapters) {
        least = lesser(least, address);
    }
    return good(least);
}

/// What an adapter finds in the machine it is put into.
struct machine {
    u64 highest_installed_address = 0;  ///< the last byte of installed memory, inclusive
    bool remaps = false;  ///< an IOMMU, firmware and a system that remap, and an INF that allows it (IOM-20)
};

/// Whether an adapter starts on a machine: without remapping it must reach all installed memory (IOM-06).
///
/// @param highest_visible_address  the last byte it reaches, inclusive; equality starts (AMB-23)
/// @param dma_remapping            whether the driver claims DmaRemappingSupported
/// @return false when the system would fail to start it
[[nodiscard]] constexpr bool starts(u64 highest_visible_address, bool dma_remapping, machine const& in) noexcept {
    return (dma_remapping && in.remaps) || highest_visible_address >= in.highest_installed_address;
}

}  // namespace wddmcore::iommu
