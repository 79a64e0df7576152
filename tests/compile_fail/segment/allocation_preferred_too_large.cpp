// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: a preferred segment has an id of at most 31 (PREF-04)

#ifdef BAD
#    define allocation_change texture.preferred = segment::prefer(segment_id{32})
#endif
#include "good_allocation.hpp"

static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile>());
