// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: a table in system memory has more than 4096 bytes

#define placement_change placement.levels[0].tables = {{2}, table_memory::cpu_visible}
#ifdef BAD
#    define tables_change tables.levels[0].index_bits = 11
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_placement<good_gpu::tables, good_gpu::placement, placement_modes>());
