// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: the `reserve` of the VPR range is larger than the range

#define memory_row \
    segment::memory { .id = vram, .size = at_start, .vpr = {.size = 4 * kib, .alignment = 4096, .count = 1} }
#ifdef BAD
#    define table_change table.rows[1].vpr.reserve = 4097
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
