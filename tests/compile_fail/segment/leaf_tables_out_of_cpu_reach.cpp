// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: with update_modes::cpu_virtual the leaf tables must be in reach of the CPU

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = at_start }
#endif
#include "good_segments.hpp"

struct leaf_in_memory {
    static constexpr gpuva::page_table_segments segments{.levels = {{.segment = vram}}};
};
static_assert(check_page_table_segments<good_gpu::segments, good_gpu::tables, leaf_in_memory::segments,
                                        update_modes::cpu_virtual>());
