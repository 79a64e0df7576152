// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `entry_bytes_64k` needs leaf_tables::either or leaf_tables::both (GVA-09)

#ifdef BAD
#    define tables_change tables.entry_bytes_64k = 8
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
