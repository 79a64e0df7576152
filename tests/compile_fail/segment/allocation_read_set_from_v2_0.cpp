// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: from WDDM 2.0 on only the write set counts

#ifdef BAD
#    define allocation_change texture.supported_read = segment::set_of(gart)
#else
#    define allocation_change texture.supported_read = texture.supported
#endif
#define earlier_change texture.supported_read = segment::set_of(gart)
#include "good_allocation.hpp"

static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile>());
static_assert(
    wddmcore::check_allocation<good_gpu::earlier_texture, good_gpu::earlier_segments, good_gpu::earlier_profile>());
