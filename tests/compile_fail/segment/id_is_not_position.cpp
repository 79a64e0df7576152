// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: the `id` of a segment must be its position in the table

#ifdef BAD
#    define memory_row \
        segment::memory { .id = {3}, .size = at_start }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
