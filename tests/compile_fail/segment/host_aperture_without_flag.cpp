// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a host aperture needs SupportsCpuHostAperture

#ifdef BAD
#    define table_change table.rows[1].host_aperture.size_in_pages = 1
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
