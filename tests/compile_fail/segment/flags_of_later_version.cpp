// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a flag came with a later version than `version`

#define profile_members .version = wddm::v2_8
#ifdef BAD
#    define table_change table.rows[1].flags = {0x20'0004}
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
