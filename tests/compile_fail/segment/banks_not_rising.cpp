// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: `banks` holds the END of each bank

#define profile_members .version = wddm::v1_3
#ifdef BAD
#    define memory_row \
        segment::banked_memory { .id = vram, .size = at_start, .banks = span_of(falling_ends) }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
