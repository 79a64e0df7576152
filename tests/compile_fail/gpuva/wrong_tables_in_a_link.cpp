// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `entry_bytes` of a level must be 4, 8 or 16 (GVA-04)

// Of any adapter of the link, the first one too.
#ifdef BAD
#    define tables_change tables.levels[1].entry_bytes = 32
#endif
#include "good_tables.hpp"

inline constexpr page_table_geometry link_second{.level_count = 4, .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}}};

static_assert(wddmcore::gpuva::check_linked_page_tables<good_gpu::tables, link_second>());
