// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: addressing: the caps of the driver claim an MMU that no physical adapter has (GVA-35)

#ifdef BAD
#    define adapter_claims
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_addressing<good_gpu::driver, good_gpu::adapters>());
