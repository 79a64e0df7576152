// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: page tables lie in a segment that the table of segments does not have

#ifdef BAD
#    define page_table_segment segment_id{3}
#endif
#include "good_segments.hpp"

static_assert(check_page_table_segments<good_gpu::segments, good_gpu::tables, good_gpu::table_segments,
                                        update_modes::gpu_physical>());
