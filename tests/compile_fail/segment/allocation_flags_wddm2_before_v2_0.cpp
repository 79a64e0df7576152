// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: below WDDM 2.0 `flags` is filled; `flags_wddm2` and `flags2` stay empty (PREF-10)

#ifdef BAD
#    define earlier_change texture.flags_wddm2 = texture.flags_wddm2.with(segment::allocation_flag_wddm2::overlay)
#endif
#include "good_allocation.hpp"

static_assert(
    wddmcore::check_allocation<good_gpu::earlier_texture, good_gpu::earlier_segments, good_gpu::earlier_profile>());
