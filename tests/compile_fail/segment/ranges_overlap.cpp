// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: two invalid ranges share a byte

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = at_start, .invalid = span_of(ranges_with_a_shared_page) }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
