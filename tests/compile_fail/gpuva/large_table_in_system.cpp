// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: a table in system memory has more than 4096 bytes

#ifdef BAD
#    define tables_change tables.levels[0].index_bits = 10
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_placement<good_gpu::tables, good_gpu::placement, placement_modes>());
