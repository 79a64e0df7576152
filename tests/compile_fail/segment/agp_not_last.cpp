// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: an AGP aperture must be the last of its table

#define profile_members .version = wddm::v1_3
#define memory_row \
    segment::agp_aperture { .id = vram }
#ifdef BAD
#    define more_rows \
        , segment::memory { .id = {3}, .size = 1 * gib }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
