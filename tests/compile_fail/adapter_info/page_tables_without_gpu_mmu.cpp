// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: adapter: the type has `page_tables`, and `caps` no `gpu_mmu`

#ifndef BAD
#    define adapter_changes claims_page_tables
#endif
#define gpu_base examples::cpu::virtual_processor<claims()>
#define gpu_more has_table_segments
#include <hardware/cpu_virtual.hpp>

#include "good_adapter.hpp"
