// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: the commit limit of memory must be its size

#define memory_row \
    segment::memory { .id = vram, .size = 1 * gib }
#ifdef BAD
#    define table_change table.rows[1].commit_limit = 4 * kib
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
