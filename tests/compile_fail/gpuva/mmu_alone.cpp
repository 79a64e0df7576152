// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: addressing: `gpu_mmu` and `io_mmu` need `virtual_addressing` (GVA-35)

#ifdef BAD
#    define driver_claims .gpu_mmu = true
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_addressing<good_gpu::driver, good_gpu::adapters>());
