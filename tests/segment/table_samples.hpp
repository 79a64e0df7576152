// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/segment/table/table.hpp>

/// Segments with every rule kept, and changed copies of them, for the tests of tables and their judge.
namespace table_samples {

using namespace wddmcore;
using segment::at;
using segment::at_start;
using segment::broken_rule;
using segment::flag;
using segment::flags;
using segment::no_rule_broken;
using segment::profile;
using segment::rule;
using segment::table_of;

inline constexpr segment_id window{1};
inline constexpr segment_id vram{2};

inline constexpr segment::aperture aperture{
    .id = window, .base = at(0x7FFF'0000'0000), .size = 512 * mib, .coherent = true, .name = "window"};
inline constexpr segment::cpu_visible_memory visible{
    .id = vram, .base = at(0x80'0000'0000), .size = 16 * gib, .cpu = {0x40'0000'0000}, .application_target = true};
inline constexpr segment::memory_behind_host_aperture behind{.id = vram,
                                                             .base = at(0x80'0000'0000),
                                                             .size = 16 * gib,
                                                             .host_aperture = {{0xE000'0000}, 65536},
                                                             .pages_64k = true};
inline constexpr segment::memory invisible{.id = vram, .base = at(0x80'0000'0000), .size = 16 * gib};

/// Below WDDM 2.0 there may be more apertures than one, AGP and banks.
inline constexpr profile before_v2_0{.version = wddm::v1_3, .wide_sizes = true};
inline constexpr profile newest{.version = wddm::v3_2, .wide_sizes = true};

/// A row with something changed: `changed(visible, [](entry& row) { ... })`.
template <class Builder, class Change>
[[nodiscard]] constexpr segment::entry changed(Builder const& builder, Change change) {
    segment::entry row = segment::row_of(builder);
    change(row);
    return row;
}

/// A row with flags more.
template <class Builder>
[[nodiscard]] constexpr segment::entry with_flags(Builder const& builder, u32 value) {
    return changed(builder, [value](segment::entry& row) { row.flags.value |= value; });
}

[[nodiscard]] constexpr u32 bit(flag one) { return static_cast<u32>(one); }

template <usize Rows>
[[nodiscard]] constexpr broken_rule judged(segment::table<Rows> const& table, profile const& of = newest) {
    return segment::judge(table.all(), of);
}

/// The verdict on one memory row, behind the aperture.
template <class Row>
[[nodiscard]] constexpr broken_rule judged_second(Row const& row, profile const& of = newest) {
    return judged(table_of(window, aperture, row), of);
}

}  // namespace table_samples
