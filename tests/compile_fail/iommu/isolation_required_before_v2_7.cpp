// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: `isolation_required` needs a `version` of WDDM 2.7 or later

#ifdef BAD
#    define iommu_version wddmcore::wddm::v2_6
#endif
#include "good_iommu.hpp"

static_assert(wddmcore::check_iommu<good_iommu::caps, good_iommu::iommu>());
