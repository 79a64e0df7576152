// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "intel_xe_virtual.hpp"

#include <wddmcore/iommu.hpp>
#include <wddmcore/segment.hpp>

/// The memory of a discrete adapter with Intel Xe, as its driver describes it: an aperture that commits half of what it
/// maps, local memory in 64-KiB pages inside a BAR that covers it, and the firmware's part of that memory, which is not
/// reported. Bases and sizes are examples.
namespace wddmcore::examples::intel {

struct xe_memory {
    static constexpr segment_id window{1}, local{2};
    static constexpr capabilities claims{.version = wddm::v3_1,
                                         .addresses = paging_addresses::gpu_virtual,
                                         .aperture = aperture_forms::adl,
                                         .gpu_mmu = claim::yes,
                                         .page_tables = update_modes::gpu_virtual,
                                         .highest_visible_address = reach};
    static constexpr wddmcore::iommu::capabilities iommu{.isolation = claim::yes};

    static constexpr segment::hidden firmware{segment::at(0), 256 * mib, "firmware"};
    static constexpr auto layout = segment::table_of(
        window, firmware,
        segment::aperture{.id = window, .base = segment::at(0x70'0000'0000), .size = 4 * gib, .commit_limit = 2 * gib},
        segment::cpu_visible_memory{
            .id = local, .base = segment::at(0x1000'0000), .size = segment::at_start, .pages_64k = true});
    static constexpr auto table_segments = gpuva::every_level_in(local, local);

    segment::table<3> segments = layout;
};

}  // namespace wddmcore::examples::intel
