// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `live_migration` needs `dirty_bit_tracking`

#ifdef BAD
#    define gpu_claim claims.live_migration = claim::at_run_time
#endif
#include "caps_good_gpu.hpp"
