// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a VPR range and the flag VprSupported go together

#ifdef BAD
#    define table_change table.rows[1].flags = {0x1'0004}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
