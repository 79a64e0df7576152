// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `levels` holds more than `level_count`

#ifdef BAD
#    define tables_change tables.level_count = 3
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
