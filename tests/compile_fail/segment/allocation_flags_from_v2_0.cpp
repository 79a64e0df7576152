// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: from WDDM 2.0 on `flags_wddm2` is filled, and `flags` stays empty (PREF-10)

#ifdef BAD
#    define allocation_change texture.flags = texture.flags.with(segment::allocation_flag::swizzled)
#endif
#include "good_allocation.hpp"

static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile>());
