// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `support_per_engine_tdr` needs all of recovery_functions::per_engine

#ifdef BAD
#    define gpu_claim claims.support_per_engine_tdr = claim::at_run_time
#endif
#include "caps_good_gpu.hpp"
