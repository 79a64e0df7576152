// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `paging_node` must be below the number of `engines`

#ifdef BAD
#    define gpu_claim claims.paging_node = 3
#endif
#include "caps_good_gpu.hpp"
