// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: `size` is 0: write a size, or at_start

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
