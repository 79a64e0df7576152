// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: with 64-KiB pages `base` must be a multiple of 64 KiB

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .base = at(0x1000), .size = at_start, .pages_64k = true }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
