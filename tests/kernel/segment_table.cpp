// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What a driver would have of a segment table: a constant, placed into the adapter at StartDevice, and judged there.

#include <wddmcore/gpuva/placement/by_segments.hpp>
#include <wddmcore/segment.hpp>

using namespace wddmcore;
using segment::at;
using segment::at_start;

namespace {

struct gpu : segment::mapped<3> {
    static constexpr segment_id window{1};
    static constexpr segment_id memory{2};
    static constexpr auto from_firmware =
        segment::table_of(window, segment::aperture{.id = window, .base = at(0x7FFF'0000'0000), .size = 512 * mib},
                          segment::cpu_visible_memory{.id = memory, .base = at(0x80'0000'0000), .size = at_start},
                          segment::hidden{.base = at(0), .size = 16 * mib, .name = "firmware"});
    static_assert(check_segments<from_firmware, segment::profile{.wide_sizes = true}>());
};

}  // namespace

extern "C" {

void start(gpu* adapter) { adapter->segments = gpu::from_firmware; }
bool place(gpu* adapter, u64 size, u64 bar) {
    segment::numbers const found{.size = bytes{size}, .cpu = {bar}};
    return adapter->segments.place(gpu::memory, found) == segment::no_rule_broken;
}
void judge(segment::view const* table, segment::profile const* of, segment::broken_rule* found) {
    *found = segment::judge(*table, *of);
}
void place_of(gpu const* adapter, segment_id id, segment_place* place) { *place = adapter->place(id); }
bool is_aperture(gpu const* adapter, segment_id id) { return adapter->is_aperture(id); }
void draw(gpu const* adapter, span<segment::block> const* out, segment::layout_counts* counts) {
    *counts = segment::draw_layout(adapter->segments.all(), *out);
}
void placement(gpu const* adapter, gpuva::page_table_geometry const* tables, gpuva::page_table_segments const* segments,
               gpuva::placement_verdict* found) {
    *found = gpuva::judge_placement(adapter->segments.all(), *tables, *segments, update_modes::gpu_physical);
}
}
