// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: allocation: a preference has five slots: `prefer` takes at most five segments (PREF-04)

#include <wddmcore/segment/allocation/preference.hpp>

using wddmcore::segment_id;

constexpr wddmcore::segment::preference wanted =
#ifdef BAD
    wddmcore::segment::prefer(segment_id{1}, segment_id{2}, segment_id{3}, segment_id{4}, segment_id{5}, segment_id{6});
#else
    wddmcore::segment::prefer(segment_id{1}, segment_id{2}, segment_id{3}, segment_id{4}, segment_id{5});
#endif
static_assert(wanted.slots[4].id == segment_id{5});
