// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `gpu_mmu` may be claimed, so write `static constexpr wddmcore::gpuva::page_table_geometry

#ifdef BAD
#    define adapter_changes claims_page_tables
#endif
#include "good_adapter.hpp"
