// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: a supported segment has 64-KiB pages: `alignment` must be a multiple of 64 KiB

#ifdef BAD
#    define allocation_change texture.alignment = 4 * kib
#endif
#include "good_allocation.hpp"

static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile>());
