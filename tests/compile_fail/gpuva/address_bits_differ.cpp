// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `virtual_address_bits` must be 12 and the index bits of all levels

#ifdef BAD
#    define tables_change tables.virtual_address_bits = 40
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
