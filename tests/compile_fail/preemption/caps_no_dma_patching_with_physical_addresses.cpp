// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: scheduling: `no_dma_patching` opts out of the check of patched bindings, which only `virtual_addressing`

#define gpu_list {copies, copies}
#ifdef BAD
#    define gpu_claim claims.virtual_addressing = claim::no
#endif
#include "caps_good_gpu.hpp"
