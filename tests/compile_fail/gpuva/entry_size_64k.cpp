// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `entry_bytes_64k` must be 4, 8 or 16, or 0 (GVA-09)

#ifdef BAD
#    define tables_change tables.entry_bytes_64k = 24, tables.leaf = leaf_tables::both
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
