// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: at most 30 can be reported from WDDM 2.0, 31 below

#ifdef BAD
#    define segment_count 31
#else
#    define segment_count 30
#endif
#include "good_segments.hpp"

constexpr auto many_segments() {
    segment::table<segment_count> table{};
    table.reported = segment_count;
    table.rows[0] = segment::row_of(aperture_row);
    for (u32 index = 1; index < segment_count; ++index) {
        table.rows[index] = segment::row_of(segment::memory{.id = {index + 1}, .base = at_start, .size = at_start});
    }
    return table;
}
constexpr auto many = many_segments();

static_assert(check_segments<many, good_gpu::profile>());
