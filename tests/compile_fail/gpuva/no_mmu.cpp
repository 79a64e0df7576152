// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: addressing: `virtual_addressing` needs `gpu_mmu` or `io_mmu` in the caps of the driver (GVA-35)

#ifdef BAD
#    define driver_claims .virtual_addressing = true
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_addressing<good_gpu::driver, good_gpu::adapters>());
