// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: `gpu_mmu` may be claimed, so write `static constexpr wddmcore::gpuva::gpu_mmu_capabilities

#ifdef BAD
#    define adapter_changes claims_page_tables
#    define gpu_more has_geometry
#endif
#include "good_adapter.hpp"
