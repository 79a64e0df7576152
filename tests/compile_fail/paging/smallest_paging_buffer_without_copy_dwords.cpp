// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: copy_engine: `copy_dwords` is missing or not public

// The size is asked for before anything else makes the check.
#ifdef BAD
#    define gpu_copy_dwords
#endif
#include "../hw/good_gpu.hpp"

inline constexpr wddmcore::bytes smallest = wddmcore::smallest_paging_buffer<good_gpu>;
