// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `level_count` must be 2 to 6 (GVA-01)

#ifdef BAD
#    define tables_change tables.level_count = 1
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
