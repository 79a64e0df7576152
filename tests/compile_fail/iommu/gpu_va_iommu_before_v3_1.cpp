// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: `gpu_va_iommu_required` and `gpu_va_iommu_global_required` need a `version` of WDDM 3.1

#ifdef BAD
#    define iommu_version wddmcore::wddm::v3_0
#    define iommu_claims .gpu_va_iommu_required = yes
#endif
#include "good_iommu.hpp"

static_assert(wddmcore::check_iommu<good_iommu::caps, good_iommu::iommu>());
