// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: an AGP aperture can have no flag but Agp

#define profile_members .version = wddm::v1_3
#define memory_row \
    segment::agp_aperture { .id = vram }
#ifdef BAD
#    define table_change table.rows[1].flags = {0x12}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
