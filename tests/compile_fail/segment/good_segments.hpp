// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/gpuva/placement/by_segments.hpp>
#include <wddmcore/segment/table/table.hpp>

// A segment table with every rule kept; a case defines one of these before it includes this file.
#ifndef aperture_row
#    define aperture_row \
        segment::aperture { .id = window, .base = at(0x7FFF'0000'0000), .size = 512 * mib }
#endif
#ifndef memory_row
#    define memory_row \
        segment::cpu_visible_memory { .id = vram, .base = at(0x80'0000'0000), .size = at_start }
#endif
#ifndef more_rows
#    define more_rows
#endif
#ifndef paging_segment
#    define paging_segment window
#endif
#ifndef table_change
#    define table_change
#endif
#ifndef profile_members
#    define profile_members .version = wddm::v3_2
#endif
#ifndef page_table_segment
#    define page_table_segment vram
#endif
#ifndef leaf_entry_bytes
#    define leaf_entry_bytes 8
#endif

using namespace wddmcore;
using segment::at;
using segment::at_start;
using segment::flag;

inline constexpr segment_id window{1};
inline constexpr segment_id vram{2};
inline constexpr usize bank_ends[] = {0x10'0000, 0x20'0000};
inline constexpr usize falling_ends[] = {0x20'0000, 0x10'0000};
inline constexpr segment::memory_range empty_range[] = {{{0x1000}, bytes{0}}};
inline constexpr segment::memory_range ranges_with_a_shared_page[] = {{{0x1000}, 8 * kib}, {{0x2000}, 4 * kib}};
inline constexpr segment::memory_range odd_range[] = {{{0x1001}, 4 * kib}};

constexpr auto changed_table() {
    auto table = segment::table_of(paging_segment, aperture_row, memory_row more_rows);
    table_change;
    return table;
}

struct good_gpu {
    static constexpr auto segments = changed_table();
    static constexpr segment::profile profile{profile_members};
    static constexpr gpuva::page_table_geometry tables{.level_count = 3,
                                                       .levels = {{9, leaf_entry_bytes}, {9, 8}, {9, 8}}};
    static constexpr auto table_segments = gpuva::every_level_in(page_table_segment, page_table_segment);
};
