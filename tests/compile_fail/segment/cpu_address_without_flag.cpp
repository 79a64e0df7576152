// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a CPU address is for memory with CpuVisible

#ifdef BAD
#    define table_change table.rows[0].cpu = {0x1000}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
