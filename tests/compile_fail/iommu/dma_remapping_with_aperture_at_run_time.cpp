// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: `dma_remapping` needs `aperture` = aperture_forms::adl

#ifdef BAD
#    define iommu_aperture wddmcore::aperture_forms::either
#endif
#include "good_iommu.hpp"

static_assert(wddmcore::check_iommu<good_iommu::caps, good_iommu::iommu>());
