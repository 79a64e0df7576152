// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: `isolation_required` must be no more than `isolation`

#ifdef BAD
#    define iommu_claims .isolation_required = yes
#endif
#include "good_iommu.hpp"

static_assert(wddmcore::check_iommu<good_iommu::caps, good_iommu::iommu>());
