// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: this number has another unit

#include <wddmcore/segment/allocation/allocation.hpp>
#include <wddmcore/segment/table/table.hpp>

using namespace wddmcore;
using segment::at;

#ifdef BAD
bool start(segment::table<2>& segments) {
    return segments.place({2}, {.base = 8 * gib, .size = at(0x80'0000'0000)}) == segment::no_rule_broken;
}
#else
bool start(segment::table<2>& segments) {
    return segments.place({2}, {.base = at(0x80'0000'0000), .size = 8 * gib}) == segment::no_rule_broken;
}
#endif
