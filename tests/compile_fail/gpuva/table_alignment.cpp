// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: `alignment` must be 0 or a power of two of at least 4096 bytes

#ifdef BAD
#    define placement_change placement.levels[3].alignment = {12288}
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_placement<good_gpu::tables, good_gpu::placement, placement_modes>());
