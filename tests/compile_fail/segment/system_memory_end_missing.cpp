// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: partial preservation during hibernate needs `system_memory_end`

#ifdef BAD
#    define table_change table.rows[1].flags = {0x284}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
