// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `entry_bytes` of a level must be 4, 8 or 16 (GVA-04)

#ifdef BAD
#    define tables_change tables.levels[1].entry_bytes = 32
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
