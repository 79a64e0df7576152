// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: `base` must be a multiple of 4096 bytes

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .base = at(0x80'0000'0800), .size = at_start }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
