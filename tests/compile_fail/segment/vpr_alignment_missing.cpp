// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a VPR range needs an `alignment`

#ifdef BAD
#    define memory_row                                              \
        segment::memory {                                           \
            .id = vram, .size = at_start, .vpr = {.size = 1 * mib } \
        }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
