// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: start and size of an invalid range must be multiples of the segment's page

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = at_start, .invalid = span_of(odd_range) }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
