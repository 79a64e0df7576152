// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: addressing: a physical adapter claims an MMU that the caps of the driver do not (GVA-35)

#ifdef BAD
#    define adapter_claims .io_mmu = true
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_addressing<good_gpu::driver, good_gpu::adapters>());
