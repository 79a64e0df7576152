// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: a compute-only driver has no `no_dma_patching`

#define gpu_kind wddmcore::adapter_kind::compute_only
#ifdef BAD
#    define gpu_claim claims.no_dma_patching = claim::yes
#endif
#include "caps_good_gpu.hpp"
