// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: standby, hibernate and partial hibernate can be 000, 100, 110 or 101

#ifdef BAD
#    define table_change table.rows[1].flags = {0x104}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
