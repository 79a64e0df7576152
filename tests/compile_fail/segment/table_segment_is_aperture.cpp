// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: placement: page tables lie in an aperture, which holds no bits

#ifdef BAD
#    define page_table_segment window
#endif
#include "good_segments.hpp"

static_assert(check_page_table_segments<good_gpu::segments, good_gpu::tables, good_gpu::table_segments,
                                        update_modes::gpu_physical>());
