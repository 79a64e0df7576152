// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: `slab` must be 0, or a power of two from 4 KiB to 128 MiB

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = 1 * gib, .slab = 256 * mib }
#else
#    define memory_row \
        segment::memory { .id = vram, .size = 1 * gib, .slab = 128 * mib }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
