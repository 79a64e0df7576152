// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: with update_modes::cpu_virtual the leaf tables must be in reach of the CPU

#define placement_modes wddmcore::update_modes::cpu_virtual
#ifdef BAD
#    define placement_change placement.levels[0].tables = {{2}, table_memory::out_of_cpu_reach}
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_placement<good_gpu::tables, good_gpu::placement, placement_modes>());
