// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hardware_type/kestrel.hpp"

namespace guide {

using segment::at, segment::at_start;

// region: table
/// The memory of an adapter with a Kestrel K2.
struct my_adapter : kestrel {
    static constexpr auto layout = segment::table_of(
        gart, segment::aperture{.id = gart, .base = at(gart_base.n), .size = gart_size, .coherent = true},
        segment::cpu_visible_memory{.id = vram, .base = at(vram_base.n), .size = at_start});
    static_assert(check_segments<layout, segment::profile_of(caps)>());
    segment::table<2> segments = layout;
    // end: table

    // region: engines
    static constexpr preemption_engine engines[] = {
        {.graphics = {graphics_preemption_granularity::dma_buffer_boundary}, .acknowledges_when_idle = true},
        {.other = {other_preemption_granularity::dma_buffer_boundary}, .acknowledges_when_idle = true}};
    static constexpr scheduling_capabilities scheduling{
        .multi_engine_aware = claim::yes, .preemption_aware = claim::yes, .paging_node = 1};
    // end: engines
};

}  // namespace guide
