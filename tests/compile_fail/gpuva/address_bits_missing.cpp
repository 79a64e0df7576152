// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: two levels have a resizable root, so `virtual_address_bits` must say how wide

#ifdef BAD
#    define two_levels_change tables.virtual_address_bits = 0
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::two_levels>());
