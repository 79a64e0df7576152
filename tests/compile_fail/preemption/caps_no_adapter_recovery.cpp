// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `recovery` must hold reset_from_timeout and restart_from_timeout

#ifdef BAD
#    define gpu_claim claims.recovery = wddmcore::recovery_functions::reset_from_timeout
#endif
#include "caps_good_gpu.hpp"
