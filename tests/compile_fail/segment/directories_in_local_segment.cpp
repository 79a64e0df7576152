// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: with update_modes::cpu_virtual the tables above the leaf must lie in system memory

#ifdef BAD
#    define page_table_segment vram
#else
#    define page_table_segment segment_id{0}
#endif
#include "good_segments.hpp"

static_assert(check_page_table_segments<good_gpu::segments, good_gpu::tables, good_gpu::table_segments,
                                        update_modes::cpu_virtual>());
