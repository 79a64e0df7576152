// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: the isolation bits of DXGK_IOMMU_CAPS must equal the two secure-mode bits of DXGK_VIDMMCAPS

#ifdef BAD
#    define iommu_words {.iommu_caps = 0x1F, .vidmm_caps = 0x4800, .physical_adapter_flags = 0xC0}
#endif
#include "good_iommu.hpp"

static_assert(wddmcore::check_iommu_words<good_iommu::words, wddmcore::wddm::v3_2>());
