// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: a resizable root starts with more `index_bits` than an address has left

#ifdef BAD
#    define two_levels_change tables.levels[1].index_bits = 11
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::two_levels>());
