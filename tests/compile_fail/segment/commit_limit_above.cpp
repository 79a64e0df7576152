// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: `commit_limit` cannot be above `size`

#ifdef BAD
#    define aperture_row \
        segment::aperture { .id = window, .size = 1 * mib, .commit_limit = 2 * mib }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
