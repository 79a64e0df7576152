// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: a table in system memory has more than 4096 bytes

// Leaf tables of 2^11 entries of 8 bytes are 16 KiB.
#define adapter_changes claims_page_tables
#define gpu_base examples::cpu::virtual_processor<claims()>
#ifdef BAD
#    define leaf_bits 11
#else
#    define leaf_bits 9
#endif
#define gpu_more                                                                                                 \
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 4,                                    \
                                                            .levels = {{leaf_bits, 8}, {9, 8}, {9, 8}, {9, 8}}}; \
    has_mmu_caps has_table_segments
#include <hardware/cpu_virtual.hpp>

#include "good_adapter.hpp"
