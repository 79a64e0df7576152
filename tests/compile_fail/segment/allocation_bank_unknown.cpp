// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: a hinted bank is none of the segment in the first slot of `preferred` (PREF-05)

#ifdef BAD
#    define earlier_change texture.hinted_bank.slots[0].id = 4
#endif
#include "good_allocation.hpp"

static_assert(
    wddmcore::check_allocation<good_gpu::earlier_texture, good_gpu::earlier_segments, good_gpu::earlier_profile>());
