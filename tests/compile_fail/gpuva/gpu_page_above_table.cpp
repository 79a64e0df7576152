// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `gpu_page` is larger than what a leaf table covers

#ifdef BAD
#    define tables_change tables.gpu_page = {65536}, tables.levels[0].index_bits = 3
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
