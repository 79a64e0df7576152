// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a hidden range is not reported: it has no flags

#define more_rows \
    , segment::hidden { at(0), 4 * mib }
#ifdef BAD
#    define table_change table.rows[2].flags = {4}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
