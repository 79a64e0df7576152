// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: `banks` needs the flag UseBanking

#ifdef BAD
#    define table_change table.rows[1].banks = span_of(bank_ends)
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
