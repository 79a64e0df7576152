// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: a hinted bank has an id of at most 127 (PREF-05)

#ifdef BAD
#    define earlier_change texture.hinted_bank.slots[1].id = 128
#endif
#include "good_allocation.hpp"

static_assert(
    wddmcore::check_allocation<good_gpu::earlier_texture, good_gpu::earlier_segments, good_gpu::earlier_profile>());
