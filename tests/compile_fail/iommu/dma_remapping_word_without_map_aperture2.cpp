// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: IOMMU: `dma_remapping` needs `aperture` = aperture_forms::adl

#ifdef BAD
#    define iommu_words {.iommu_caps = 0x1F, .vidmm_caps = 0x2800, .physical_adapter_flags = 0xC0}
#endif
#include "good_iommu.hpp"

static_assert(wddmcore::check_iommu_words<good_iommu::words, wddmcore::wddm::v3_2>());
