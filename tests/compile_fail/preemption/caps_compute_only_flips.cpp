// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: a compute-only driver has flip_caps::none

#define gpu_kind wddmcore::adapter_kind::compute_only
#ifdef BAD
#    define gpu_claim claims.flips = wddmcore::flip_caps::interval
#endif
#include "caps_good_gpu.hpp"
