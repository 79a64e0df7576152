// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: a preferred segment must be in `supported` (PREF-02)

#ifdef BAD
#    define allocation_change texture.preferred = segment::prefer(vram, segment_id{3})
#endif
#include "good_allocation.hpp"

static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile>());
