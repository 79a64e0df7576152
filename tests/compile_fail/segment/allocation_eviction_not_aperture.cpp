// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: `eviction` may name aperture segments only (PREF-06)

#ifdef BAD
#    define allocation_change texture.eviction = segment::set_of(gart, vram)
#endif
#include "good_allocation.hpp"

static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile>());
