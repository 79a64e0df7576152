// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `native_gpu_fence` must be `claim::at_run_time`

#ifdef BAD
#    define gpu_claim claims.native_gpu_fence = claim::yes
#endif
#include "caps_good_gpu.hpp"
