// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: the GpuVaIommu bits of DXGK_IOMMU_CAPS must equal those of DXGK_PHYSICALADAPTERFLAGS

#ifdef BAD
#    define iommu_words {.iommu_caps = 0x1F, .vidmm_caps = 0x6800, .physical_adapter_flags = 0x40}
#endif
#include "good_iommu.hpp"

static_assert(wddmcore::check_iommu_words<good_iommu::words, wddmcore::wddm::v3_2>());
