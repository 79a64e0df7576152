// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: banks are for memory, not for apertures

#define profile_members .version = wddm::v1_3
#ifdef BAD
#    define table_change (table.rows[0].flags = {9}, table.rows[0].banks = span_of(bank_ends))
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
