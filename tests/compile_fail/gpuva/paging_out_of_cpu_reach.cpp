// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: the paging process's tables are always initialised by the CPU

#ifdef BAD
#    define placement_change placement.levels[0].paging_process = {{2}, table_memory::out_of_cpu_reach}
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_placement<good_gpu::tables, good_gpu::placement, placement_modes>());
