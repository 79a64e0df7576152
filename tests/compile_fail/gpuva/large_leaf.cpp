// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `large_pages` of the leaf: a large page stands above the leaf (GVA-16)

#ifdef BAD
#    define tables_change tables.levels[0].large_pages = true
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
