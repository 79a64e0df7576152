// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: the `kind` of a row says something else than its flags

#ifdef BAD
#    define table_change table.rows[1].kind = segment::kind::memory
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
