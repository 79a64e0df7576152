// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: the flag UseBanking needs `banks`

#define profile_members .version = wddm::v1_3
#ifdef BAD
#    define memory_row \
        segment::banked_memory { .id = vram, .size = at_start }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
