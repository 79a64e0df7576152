// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "cpu_virtual.hpp"

#include <wddmcore/iommu.hpp>
#include <wddmcore/segment.hpp>

/// The memory of an adapter with the reference processor, as its driver describes it: an aperture, and memory that the
/// CPU sees; page tables lie in system memory. Bases and sizes are examples.
namespace wddmcore::examples::cpu {

// The processor has a struct of its own that is called `segment`.
using wddmcore::segment::aperture, wddmcore::segment::at, wddmcore::segment::at_start;
using wddmcore::segment::cpu_visible_memory, wddmcore::segment::table, wddmcore::segment::table_of;

struct processor_memory {
    static constexpr segment_id window{1}, local{2};
    static constexpr capabilities claims{.version = wddm::v3_2,
                                         .addresses = paging_addresses::gpu_virtual,
                                         .aperture = aperture_forms::adl,
                                         .gpu_mmu = claim::yes,
                                         .page_tables = update_modes::gpu_virtual,
                                         .monitored_fence_signal = claim::yes,
                                         .allocation_notification = claim::yes,
                                         .highest_visible_address = (u64{1} << 52) - 1};
    static constexpr wddmcore::iommu::capabilities iommu{
        .isolation = claim::yes, .dma_remapping = claim::yes, .gpu_va_iommu_required = claim::yes};

    static constexpr auto layout = table_of(
        window, aperture{.id = window, .base = at(0x7F'0000'0000), .size = 16 * mib, .coherent = true},
        cpu_visible_memory{.id = local, .base = at(0x80'0000'0000), .size = at_start, .application_target = true});
    static constexpr gpuva::page_table_segments table_segments{};  // system memory, every level

    table<2> places = layout;
};

}  // namespace wddmcore::examples::cpu
