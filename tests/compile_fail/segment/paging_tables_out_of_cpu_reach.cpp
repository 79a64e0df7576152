// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: the paging process's tables are always initialised by the CPU

#ifdef BAD
#    define memory_row \
        segment::memory { .id = vram, .size = at_start }
#endif
#include "good_segments.hpp"

static_assert(check_page_table_segments<good_gpu::segments, good_gpu::tables, good_gpu::table_segments,
                                        update_modes::gpu_physical>());
