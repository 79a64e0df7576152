// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a hidden range is placed by nobody

#ifdef BAD
#    define more_rows \
        , segment::hidden { .base = at_start, .size = 1 * mib }
#else
#    define more_rows \
        , segment::hidden { .base = at(0), .size = 1 * mib }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
