// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: from WDDM 2.0 exactly one aperture must be reported

#define paging_segment segment_id{0}
#ifdef BAD
#    define aperture_row \
        segment::memory { .id = window, .size = 1 * gib }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
