// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: hardware type: `caps` is missing or not public

// The size is asked for before anything else makes the check.
#ifdef BAD
#    define gpu_caps
#endif
#include "../hw/good_gpu.hpp"

inline constexpr wddmcore::bytes smallest = wddmcore::smallest_paging_buffer<good_gpu>;
