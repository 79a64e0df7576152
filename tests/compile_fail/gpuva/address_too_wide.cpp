// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: 12 and the index bits of all levels are more than the 64 bits of an address (GVA-03)

#ifdef BAD
#    define tables_change tables.levels[3].index_bits = 26
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
