// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: from WDDM 2.0 the aperture that holds paging buffers must be segment 1

#define aperture_row \
    segment::memory { .id = window, .size = 1 * gib }
#define memory_row \
    segment::aperture { .id = vram, .base = at(0x80'0000'0000), .size = 1 * gib }
#ifdef BAD
#    define paging_segment vram
#else
#    define paging_segment segment_id{0}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
