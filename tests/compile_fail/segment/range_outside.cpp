// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a memory range leaves its segment

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = 4 * kib, .uefi_frame_buffer = span_of(odd_range) }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
