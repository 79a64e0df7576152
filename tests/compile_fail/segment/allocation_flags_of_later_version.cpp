// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: a flag is reserved in the declared version (PREF-10)

#ifdef BAD
#    define earlier_change texture.flags.value = 1u << 15
#endif
#include "good_allocation.hpp"

static_assert(
    wddmcore::check_allocation<good_gpu::earlier_texture, good_gpu::earlier_segments, good_gpu::earlier_profile>());
