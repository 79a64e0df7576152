// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: an invalid range has no byte

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = at_start, .invalid = span_of(empty_range) }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
