// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: `hinted_bank` must be empty from WDDM 2.0 on

#ifdef BAD
#    define allocation_change texture.hinted_bank.slots[0].id = 1
#endif
#include "good_allocation.hpp"

static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile>());
