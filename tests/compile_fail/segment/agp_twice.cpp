// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: there can be only one AGP aperture

#define profile_members .version = wddm::v1_3
#define more_rows \
    , segment::agp_aperture { .id = {3} }
#ifdef BAD
#    define memory_row \
        segment::agp_aperture { .id = vram }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
