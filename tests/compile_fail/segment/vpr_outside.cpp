// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: the VPR range leaves its segment

#ifdef BAD
#    define memory_row                                                                                            \
        segment::memory {                                                                                         \
            .id = vram, .size = 1 * mib, .vpr = {.start = {4096}, .size = 1 * mib, .alignment = 4096, .count = 1} \
        }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
