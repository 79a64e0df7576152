// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `preemption_aware` needs `multi_engine_aware`: the system stops a driver

#ifdef BAD
#    define gpu_claim claims.multi_engine_aware = claim::at_run_time
#endif
#include "caps_good_gpu.hpp"
