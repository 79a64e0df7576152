// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: GPUMMU caps: `system_memory_large_pages` needs `large_pages` (GVA-16)

#ifdef BAD
#    define caps_claims .system_memory_large_pages = true
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_gpu_mmu_caps<good_gpu::tables, good_gpu::caps, caps_version>());
