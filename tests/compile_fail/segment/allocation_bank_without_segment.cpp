// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: `hinted_bank` needs a segment in the first slot of `preferred`

#ifdef BAD
#    define earlier_change texture.preferred = {}
#endif
#include "good_allocation.hpp"

static_assert(
    wddmcore::check_allocation<good_gpu::earlier_texture, good_gpu::earlier_segments, good_gpu::earlier_profile>());
