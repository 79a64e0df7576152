// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a segment ends above the 64 bits of an address

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .base = at(~u64{0xFFF}), .size = 8 * kib }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
