// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `virtual_address_bits` leaves no bit for the root

#ifdef BAD
#    define two_levels_change tables.virtual_address_bits = 22
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::two_levels>());
