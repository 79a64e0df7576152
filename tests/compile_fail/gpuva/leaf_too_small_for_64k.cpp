// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: with tables of 64-KiB entries the leaf needs at least 4 `index_bits` (GVA-10)

#ifdef BAD
#    define tables_change tables.leaf = leaf_tables::either, tables.levels[0].index_bits = 3
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
