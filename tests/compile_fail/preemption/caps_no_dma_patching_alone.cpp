// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `no_dma_patching` needs `preemption_aware` and `multi_engine_aware`

#ifdef BAD
#    define gpu_claim claims.preemption_aware = claim::no
#endif
#include "caps_good_gpu.hpp"
