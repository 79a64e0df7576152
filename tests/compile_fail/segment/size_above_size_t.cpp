// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a size above 4 GiB does not fit the SIZE_T of a 32-bit system

#define profile_members .wide_sizes = false
#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = 4 * gib }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
