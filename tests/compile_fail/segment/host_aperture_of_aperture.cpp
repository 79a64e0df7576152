// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: an aperture holds no bits: no CPU host aperture can show them

#ifdef BAD
#    define table_change table.rows[0].flags = {0x2001}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
