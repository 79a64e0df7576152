// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `optimized_native_fence_signaled_interrupt` needs `native_gpu_fence`

#ifdef BAD
#    define gpu_claim claims.optimized_native_fence_signaled_interrupt = claim::at_run_time
#endif
#include "caps_good_gpu.hpp"
