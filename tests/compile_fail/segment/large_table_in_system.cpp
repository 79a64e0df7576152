// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: a table in system memory has more than 4096 bytes

#ifdef BAD
#    define leaf_bits 10
#endif
#include "good_segments.hpp"

#ifndef leaf_bits
#    define leaf_bits 9
#endif
struct in_system_memory {
    static constexpr gpuva::page_table_geometry tables{.level_count = 3, .levels = {{leaf_bits, 8}, {9, 8}, {9, 8}}};
    static constexpr gpuva::page_table_segments segments{};
};
static_assert(check_page_table_segments<good_gpu::segments, in_system_memory::tables, in_system_memory::segments,
                                        update_modes::gpu_physical>());
