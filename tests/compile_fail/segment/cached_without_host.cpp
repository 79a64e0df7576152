// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: SupportsCachedCpuHostAperture needs SupportsCpuHostAperture

#ifdef BAD
#    define table_change table.rows[1].flags = {0x4004}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
