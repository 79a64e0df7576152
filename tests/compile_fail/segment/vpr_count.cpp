// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a VPR range needs a `count`

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = 1 * gib, .vpr = {.size = 1 * mib, .alignment = 4096} }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
