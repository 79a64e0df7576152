// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: an aperture cannot have the flag PopulatedFromSystemMemory

#ifdef BAD
#    define table_change table.rows[0].flags = {0x41}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
