// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: `isolation` needs a `version` of WDDM 2.4 or later

#ifdef BAD
#    define iommu_version wddmcore::wddm::v2_3
#endif
#include "good_iommu.hpp"

static_assert(wddmcore::check_iommu<good_iommu::caps, good_iommu::iommu>());
