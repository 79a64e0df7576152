// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: two segments, or a segment and a hidden range, share an address

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .base = at(0x7FFF'1000'0000), .size = 1 * gib }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
