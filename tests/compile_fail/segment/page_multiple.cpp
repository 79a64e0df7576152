// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: `size` must be a multiple of 4096 bytes

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = 8 * gib + bytes{5} }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
