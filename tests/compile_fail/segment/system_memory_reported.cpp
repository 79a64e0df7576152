// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: `id` 0 is system memory

#ifdef BAD
#    define memory_row \
        segment::memory { .size = at_start }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
