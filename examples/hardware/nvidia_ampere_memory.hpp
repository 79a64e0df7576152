// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "nvidia_ampere_virtual.hpp"

#include <wddmcore/iommu.hpp>
#include <wddmcore/segment.hpp>

/// The memory of an adapter with NVIDIA Ampere, as its driver describes it: an aperture, and video memory in 64-KiB
/// pages inside a BAR that covers it. Whether the system remaps, and so which operation maps the aperture, is chosen at
/// AddDevice. Bases and sizes are examples.
namespace wddmcore::examples::nvidia {

struct ampere_memory {
    static constexpr segment_id sysmem{1}, framebuffer{2};
    static constexpr capabilities claims{.version = wddm::v3_2,
                                         .addresses = paging_addresses::gpu_virtual,
                                         .aperture = aperture_forms::either,
                                         .gpu_mmu = claim::yes,
                                         .page_tables = update_modes::gpu_virtual | update_modes::gpu_physical,
                                         .highest_visible_address = reach};
    static constexpr wddmcore::iommu::capabilities iommu{.dma_remapping = claim::at_run_time};

    static constexpr auto layout = segment::table_of(
        sysmem, segment::aperture{.id = sysmem, .base = segment::at(0x80'0000'0000), .size = 4 * gib, .coherent = true},
        segment::cpu_visible_memory{.id = framebuffer,
                                    .base = segment::at(0),
                                    .size = segment::at_start,
                                    .pages_64k = true,
                                    .application_target = true});
    static constexpr auto table_segments = gpuva::every_level_in(framebuffer, framebuffer);

    segment::table<2> segments = layout;
    capabilities chosen = claims;
    wddmcore::iommu::capabilities chosen_iommu = iommu;
};

}  // namespace wddmcore::examples::nvidia
