// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: CpuVisible and SupportsCpuHostAperture exclude each other

#ifdef BAD
#    define table_change table.rows[1].flags = {0x2004}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
