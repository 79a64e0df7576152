// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: the CPU address of memory, and of a host aperture, must be a multiple of 4096 bytes

#ifdef BAD
#    define memory_row \
        segment::cpu_visible_memory { .id = vram, .size = at_start, .cpu = {0xE000'0010} }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
