// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/result.hpp"
#include "sets.hpp"

/// DmaBufferSegmentSet of DXGK_CONTEXTINFO and of DXGK_DEVICEINFO: where DMA buffers live.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. Source pages:
/// specifying-segments-for-dma-buffers.md, ns-d3dkmddi-_dxgk_contextinfo.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// How a context addresses memory.
enum class context_addressing : u32 {
    physical,     ///< by segment addresses that are patched into its buffers
    gpu_virtual,  ///< through page tables
};

/// What a driver wants for the DMA buffers of a context with physical addresses.
enum class dma_buffer_memory : u32 {
    aperture,           ///< pages of system memory behind an aperture segment
    contiguous_system,  ///< contiguous locked system memory: the set 0
};

/// The DMA-buffer segment set of a context: apertures only, or 0 (SEG-39).
///
/// @param table   of any physical adapter of the link: apertures have the same ids in all of them
/// @param how     GPU virtual addresses need an aperture, whatever is wanted: 0 would crash the system (OBS-07)
/// @param wanted  the choice where both are legal
/// @return the set; missing: an aperture is needed or wanted, and the table has none (compute-only, AMB-04). An AGP
///         aperture does not count, because it may be absent
[[nodiscard]] constexpr result<u32> dma_buffer_segments(view const& table, context_addressing how,
                                                        dma_buffer_memory wanted) noexcept {
    if (how == context_addressing::physical && wanted == dma_buffer_memory::contiguous_system) {
        return good(0u);
    }
    segment_set const apertures = detail::aperture_segments(table);
    return apertures.value == 0 ? refused<u32>(errc::missing) : good(apertures.value);
}

}  // namespace wddmcore::segment
