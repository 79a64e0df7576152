// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a CPU host aperture has no page

#ifdef BAD
#    define memory_row \
        segment::memory_behind_host_aperture { .id = vram, .size = at_start, .host_aperture = {{0xE000'0000}, 0} }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
