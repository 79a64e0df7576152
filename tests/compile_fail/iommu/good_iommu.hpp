// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/iommu/judge.hpp>

// Claims about the IOMMU with every rule kept; a case defines one of these before it includes this file.
#ifndef iommu_version
#    define iommu_version wddmcore::wddm::v3_2
#endif
#ifndef iommu_aperture
#    define iommu_aperture wddmcore::aperture_forms::adl
#endif
#ifndef iommu_reach
#    define iommu_reach .highest_visible_address = 0xFFF'FFFF'FFFF
#endif
#ifndef iommu_claims
#    define iommu_claims .isolation = yes, .isolation_required = yes, .dma_remapping = yes
#endif

struct good_iommu {
    static constexpr wddmcore::claim yes = wddmcore::claim::yes;
    static constexpr wddmcore::claim at_run_time = wddmcore::claim::at_run_time;
    static constexpr wddmcore::capabilities caps{.version = iommu_version, .aperture = iommu_aperture, iommu_reach};
    static constexpr wddmcore::iommu::capabilities iommu{iommu_claims};
};
