// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: DXGK_ALLOCATIONINFO has no `Flags2` on 32-bit systems: neither NotifyEviction nor any other flag

#define allocation_change texture.flags2.value = 1u << 1
#include "good_allocation.hpp"

#ifdef BAD
constexpr wddmcore::usize pointer_bytes = 4;
#else
constexpr wddmcore::usize pointer_bytes = 8;
#endif
static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile, pointer_bytes>());
