// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: linked adapters: page tables must agree on the width of an address

#ifdef BAD
#    define tables_change tables.levels[3].index_bits = 10
#endif
#include "good_tables.hpp"

inline constexpr page_table_geometry link_first{.level_count = 5, .levels = {{9, 8}, {8, 16}, {9, 8}, {9, 8}, {1, 8}}};

static_assert(wddmcore::gpuva::check_linked_page_tables<link_first, good_gpu::tables>());
