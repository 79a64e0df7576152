// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `index_bits` of a level is 0

#ifdef BAD
#    define tables_change tables.levels[2].index_bits = 0
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
