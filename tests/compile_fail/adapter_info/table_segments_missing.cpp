// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `gpu_mmu` may be claimed, so write `static constexpr wddmcore::gpuva::page_table_segments

#ifdef BAD
#    define adapter_changes claims_page_tables
#    define gpu_more has_geometry has_mmu_caps
#endif
#include "good_adapter.hpp"
