// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: a bank ends behind its segment

#define profile_members .version = wddm::v1_3
#ifdef BAD
#    define memory_row \
        segment::banked_memory { .id = vram, .size = 1 * mib, .banks = span_of(bank_ends) }
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());
