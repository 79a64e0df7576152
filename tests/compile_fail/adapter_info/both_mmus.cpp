// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: addressing: `gpu_mmu` and `io_mmu` at once need

#ifdef BAD
#    define adapter_changes claims_page_tables, made.io_mmu = claim::yes
#    define gpu_more has_geometry has_mmu_caps has_table_segments
#endif
#include "good_adapter.hpp"
