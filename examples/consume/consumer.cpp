// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What each consumer of this folder builds and runs: a segment table, checked by the compiler and placed at run time.

#include <wddmcore/wddmcore.hpp>

using namespace wddmcore;
using segment::at, segment::at_start;

namespace {

struct my_memory {
    static constexpr segment_id gart{1}, vram{2};
    static constexpr auto layout = segment::table_of(
        gart, segment::aperture{.id = gart, .base = at(0x7FFF'0000'0000), .size = 512 * mib, .coherent = true},
        segment::cpu_visible_memory{.id = vram, .base = at(0x80'0000'0000), .size = at_start});
    static_assert(check_segments<layout, segment::profile{}>());
    segment::table<2> segments = layout;
};

}  // namespace

int main() {
    my_memory memory;
    bool const placed =
        memory.segments.place(memory.vram, {.size = 8 * gib, .cpu = {0xE000'0000}}).what == segment::rule::none;
    bool const refused = memory.segments.place(memory.vram, {.size = 4 * gib}).what != segment::rule::none;
    return placed && refused ? 0 : 1;
}
