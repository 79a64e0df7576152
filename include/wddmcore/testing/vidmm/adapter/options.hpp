// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "description.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The system that an adapter starts on. Sizes are bytes unless the name says otherwise.
struct vidmm_adapter_options {
    std::uint64_t seed = 1;               ///< everything random follows from it
    std::uint32_t physical_adapters = 1;  ///< of the link, 1 to 64
    /// End of the memory that is installed; without remapping the device must reach all of it (IOM-06).
    std::uint64_t memory_end = std::uint64_t{16} << 30;
    std::vector<vidmm_memory_range> system_memory{};  ///< what the system manages; empty: unknown (IOM-19)
    bool remaps = false;                              ///< there is an IOMMU that gives devices logical addresses
    bool agp_aperture = false;        ///< there is an AGP aperture (SEG-11), as there was on Vista's machines
    std::uint32_t stride_slack = 24;  ///< junk between descriptors of form 4 (SEG-03), a multiple of 8
    bool form5 = false;               ///< ask QUERYSEGMENTCOUNT and QUERYSEGMENT5, WDDM 3.2
    /// What each physical adapter's hardware reaches, as its maker knows; empty: nothing to compare with (IOM-03).
    std::vector<std::uint64_t> highest_visible_of{};
    /// The system is older than the driver: DRIVERCAPS is asked with the structure of this version.
    std::optional<wddm> older_system{};
    std::uint32_t exclusive_windows = 2;  ///< pairs of begin and end in `exclusive_access`
};

}  // namespace wddmcore::testing
