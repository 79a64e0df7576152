// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/segment/allocation/judge.hpp>
#include <wddmcore/segment/table/table.hpp>

/// Segment tables and allocations with every rule kept, to be changed by a test.
namespace allocation_samples {

using namespace wddmcore;

inline constexpr segment_id gart{1};
inline constexpr segment_id vram{2};
inline constexpr segment_id dark{3};
inline constexpr segment_id behind{4};

/// An aperture, memory in a BAR with 64-KiB pages, memory out of the CPU's reach, memory behind a host aperture.
inline constexpr auto discrete = segment::table_of(
    gart, segment::aperture{.id = gart, .base = segment::at(0x7FFF'0000'0000), .size = 512 * mib},
    segment::cpu_visible_memory{.id = vram, .base = segment::at(0x80'0000'0000), .size = 4 * gib, .pages_64k = true},
    segment::memory{.id = dark, .base = segment::at(0x90'0000'0000), .size = segment::at_start},
    segment::memory_behind_host_aperture{.id = behind, .base = segment::at(0xA0'0000'0000), .size = 4 * gib});

/// A coherent aperture only.
inline constexpr auto integrated =
    segment::table_of(gart, segment::aperture{.id = gart, .base = segment::at(0), .size = 4 * gib, .coherent = true});

/// Before WDDM 2.0: an aperture, memory in banks of which the last end is left out, one with all ends, and a segment
/// whose rows have a pitch, beside an aperture of the same kind.
inline constexpr segment_id banks{2};
inline constexpr segment_id all_banks{3};
inline constexpr segment_id pitched{4};
inline constexpr segment_id pitched_aperture{5};
inline constexpr usize three_ends[] = {4 << 20, 8 << 20, 12 << 20};
inline constexpr usize four_ends[] = {4 << 20, 8 << 20, 12 << 20, 16 << 20};
inline constexpr auto earlier = segment::table_of(
    gart, segment::aperture{.id = gart, .base = segment::at(0), .size = 256 * mib},
    segment::banked_memory{
        .id = banks, .base = segment::at(0x8000'0000), .size = 16 * mib, .banks = {three_ends, 3}, .cpu_visible = true},
    segment::banked_memory{
        .id = all_banks, .base = segment::at(0x9000'0000), .size = 16 * mib, .banks = {four_ends, 4}},
    segment::memory{.id = pitched,
                    .base = segment::at(0xA000'0000),
                    .size = 16 * mib,
                    .flags = segment::flags{}.with(segment::flag::pitch_alignment)},
    segment::aperture{.id = pitched_aperture,
                      .base = segment::at(0xB000'0000),
                      .size = 16 * mib,
                      .flags = segment::flags{}.with(segment::flag::pitch_alignment)});

/// Whatever a newer adapter can claim.
inline constexpr segment::allocation_profile newest{.version = wddm::v3_2,
                                                    .map_aperture2 = true,
                                                    .allocation_notification = true,
                                                    .gpu_va_iommu = true,
                                                    .share_backing_store = true,
                                                    .wide_sizes = true};
inline constexpr segment::allocation_profile oldest{.version = wddm::win7, .wide_sizes = true};

/// A texture that breaks nothing in `discrete`, and one that breaks nothing in `earlier`.
inline constexpr segment::allocation texture{.size = 1 * mib,
                                             .alignment = 64 * kib,
                                             .supported = segment::set_of(gart, vram),
                                             .eviction = segment::set_of(gart),
                                             .preferred = segment::prefer(vram, gart)};
inline constexpr segment::allocation earlier_texture{.size = 1 * mib,
                                                     .supported = segment::set_of(gart, banks),
                                                     .eviction = segment::set_of(gart),
                                                     .preferred = segment::prefer(banks, gart)};

/// The verdict on `texture` after a change.
template <class Change>
constexpr segment::broken_allocation_rule judged(Change change, segment::allocation_profile const& of = newest) {
    segment::allocation one = texture;
    change(one);
    return segment::judge_allocation(one, discrete.all(), of);
}

/// The verdict on `earlier_texture` after a change.
template <class Change>
constexpr segment::broken_allocation_rule judged_earlier(Change change,
                                                         segment::allocation_profile const& of = oldest) {
    segment::allocation one = earlier_texture;
    change(one);
    return segment::judge_allocation(one, earlier.all(), of);
}

}  // namespace allocation_samples
