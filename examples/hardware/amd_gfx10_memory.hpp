// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "amd_gfx10_virtual.hpp"

#include <wddmcore/iommu.hpp>
#include <wddmcore/segment.hpp>

/// The memory of an adapter with AMD gfx10, as its driver describes it: an aperture (the GART) and video memory. Either
/// the BAR covers all of video memory, or the CPU has a movable window, a CPU host aperture. There is a table for each
/// case, and StartDevice takes one. Bases and sizes are examples.
namespace wddmcore::examples::amd {

struct gfx10_memory {
    static constexpr segment_id gart{1}, vram{2};
    static constexpr capabilities claims{.version = wddm::v3_2,
                                         .addresses = paging_addresses::gpu_virtual,
                                         .aperture = aperture_forms::adl,
                                         .gpu_mmu = claim::yes,
                                         .page_tables = update_modes::gpu_virtual,
                                         .highest_visible_address = reach};
    static constexpr wddmcore::iommu::capabilities iommu{.dma_remapping = claim::yes};

    static constexpr segment::aperture window{
        .id = gart, .base = segment::at(0x7FFF'0000'0000), .size = 512 * mib, .coherent = true, .name = "GART"};
    static constexpr auto large_bar = segment::table_of(
        gart, window,
        segment::cpu_visible_memory{
            .id = vram, .base = segment::at(0x80'0000'0000), .size = segment::at_start, .application_target = true});
    static constexpr auto small_bar = segment::table_of(
        gart, window,
        segment::memory_behind_host_aperture{
            .id = vram, .base = segment::at(0x80'0000'0000), .size = segment::at_start, .application_target = true});
    static constexpr auto table_segments = gpuva::every_level_in(vram, vram);

    segment::table<2> segments = small_bar;
};

}  // namespace wddmcore::examples::amd
