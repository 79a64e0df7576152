// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: GPUMMU caps: `large_pages` needs `large_pages` of level 1 in the geometry (GVA-16)

#define caps_claims .large_pages = true
#ifdef BAD
#    define tables_change tables.levels[1].large_pages = false
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_gpu_mmu_caps<good_gpu::tables, good_gpu::caps, caps_version>());
