// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: an AGP aperture can be reported below WDDM 2.0 only

#define memory_row \
    segment::agp_aperture { .id = vram }
#ifdef BAD
#    define profile_members .version = wddm::v2_0
#else
#    define profile_members .version = wddm::v1_3
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
