// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: `supported` and `eviction` name reported segments only

#ifdef BAD
#    define allocation_change texture.supported = texture.supported.with({3})
#endif
#include "good_allocation.hpp"

static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile>());
