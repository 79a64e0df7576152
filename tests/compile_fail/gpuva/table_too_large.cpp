// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: a table has 4 GiB or more

#ifdef BAD
#    define tables_change tables.levels[0].index_bits = 29
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
