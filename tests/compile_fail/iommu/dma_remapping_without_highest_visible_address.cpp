// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: `dma_remapping` needs a `highest_visible_address` in the caps of the driver (IOM-01)

#ifdef BAD
#    define iommu_reach .highest_visible_address = ~wddmcore::u64{0}
#endif
#include "good_iommu.hpp"

static_assert(wddmcore::check_iommu<good_iommu::caps, good_iommu::iommu>());
