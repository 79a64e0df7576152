// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: `system_memory_end` is only for partial preservation during hibernate

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = 1 * gib, .system_memory_end = {0xFFF} }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
