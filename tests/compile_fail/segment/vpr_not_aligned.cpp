// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: start and size of the VPR range must be multiples of its `alignment`

#ifdef BAD
#    define memory_row                                                                                          \
        segment::memory {                                                                                       \
            .id = vram, .size = at_start, .vpr = {.start = {5}, .size = 1 * mib, .alignment = 4096, .count = 1} \
        }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
