// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: system memory is segment 0, and segment 0 is system memory (GVA-06)

#ifdef BAD
#    define placement_change placement.levels[0].tables.segment = {5}
#endif
#include "good_tables.hpp"

static_assert(wddmcore::gpuva::check_placement<good_gpu::tables, good_gpu::placement, placement_modes>());
