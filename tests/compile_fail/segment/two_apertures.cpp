// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: from WDDM 2.0 exactly one aperture must be reported

#ifdef BAD
#    define memory_row \
        segment::aperture { .id = vram, .base = at(0), .size = at_start }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
