// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: NotifyEviction and NotifyIoMmuUnmap need `allocation_notification` in the caps

#ifdef BAD
#    define allocation_change texture.flags2.value = 1u << 4
#endif
#include "good_allocation.hpp"

static_assert(wddmcore::check_allocation<good_gpu::texture, good_gpu::segments, good_gpu::profile>());
