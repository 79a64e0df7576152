// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: addressing: `gpu_mmu` and `io_mmu` at once need `both_on_one_adapter`

#ifdef BAD
#    define driver_claims .virtual_addressing = true, .gpu_mmu = true, .io_mmu = true
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_addressing<good_gpu::driver, good_gpu::adapters>());
