// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: GPUMMU caps: page tables need a `version` of WDDM 2.0 or later (GVA-35)

#ifdef BAD
#    define caps_version wddmcore::wddm::v1_3
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_gpu_mmu_caps<good_gpu::tables, good_gpu::caps, caps_version>());
