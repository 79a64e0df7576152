// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: GPUMMU caps: `system_memory_64k_pages` needs leaf tables of 64-KiB entries (GVA-15)

#ifdef BAD
#    define caps_claims .system_memory_64k_pages = true
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_gpu_mmu_caps<good_gpu::tables, good_gpu::caps, caps_version>());
