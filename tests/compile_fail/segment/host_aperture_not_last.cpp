// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: the segment behind a CPU host aperture must be the last one reported

#define more_rows \
    , segment::memory { .id = {3}, .size = 1 * gib }
#ifdef BAD
#    define memory_row \
        segment::memory_behind_host_aperture { .id = vram, .base = at(0x80'0000'0000), .size = at_start }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
