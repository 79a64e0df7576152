// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: `supported` is empty: it may be nowhere (PREF-01)

#ifdef BAD
#    define allocation_change texture.supported = {}
#endif
#include "good_allocation.hpp"

static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile>());
