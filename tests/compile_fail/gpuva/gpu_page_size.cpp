// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: page tables: `gpu_page` must be 4096 bytes * 2^n, at most 64 KiB (GVA-05)

#ifdef BAD
#    define tables_change tables.gpu_page = {12288}
#endif
#include "good_tables.hpp"

static_assert(wddmcore::check_page_tables<good_gpu::tables>());
