// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: the paging-buffer segment must be 0 or the id of an aperture

#ifdef BAD
#    define paging_segment vram
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
