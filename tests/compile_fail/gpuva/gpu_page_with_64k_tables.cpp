// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: with tables of 64-KiB entries the other leaf tables have 4-KiB entries

#ifdef BAD
#    define tables_change tables.gpu_page = {16384}, tables.leaf = leaf_tables::both
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
