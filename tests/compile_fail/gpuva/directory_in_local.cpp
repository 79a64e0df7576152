// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: with update_modes::cpu_virtual the tables above the leaf must lie in system memory

#define placement_modes wddmcore::update_modes::cpu_virtual
#ifdef BAD
#    define placement_change placement.levels[1].tables = {{2}, table_memory::cpu_visible}
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_placement<good_gpu::tables, good_gpu::placement, placement_modes>());
