// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: two segments, or a segment and a hidden range, share an address

#ifdef BAD
#    define more_rows \
        , segment::hidden { at(0x7FFF'0000'0000), 4 * mib }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
