// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: `isolation_required` must be no more than `isolation`

#ifdef BAD
#    define iommu_words {.iommu_caps = 0x1E, .vidmm_caps = 0x6000, .physical_adapter_flags = 0xC0}
#endif
#include "good_iommu.hpp"

static_assert(wddmcore::check_iommu_words<good_iommu::words, wddmcore::wddm::v3_2>());
