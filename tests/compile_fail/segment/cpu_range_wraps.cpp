// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: what the CPU sees of a segment ends above the 64 bits of an address

#ifdef BAD
#    define memory_row \
        segment::cpu_visible_memory { .id = vram, .size = 1 * gib, .cpu = {0xFFFF'FFFF'F000'0000} }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
