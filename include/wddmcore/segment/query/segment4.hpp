// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "rows.hpp"

/// DXGKQAITYPE_QUERYSEGMENT4: form 4, from WDDM 2.0. Its elements are as long as the system says.
///
/// All functions here: PASSIVE_LEVEL as DxgkDdiQueryAdapterInfo, pageable, touch no OS state. Source pages:
/// ns-d3dkmddi-_dxgk_querysegmentout4.md, ns-d3dkmddi-_dxgk_segmentdescriptor4.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// The shortest element: all before NumInvalidMemoryRanges, 56 bytes with 64-bit pointers.
template <members::descriptor_invalid_ranges Descriptor>
inline constexpr usize shortest_stride = __builtin_offsetof(Descriptor, NumInvalidMemoryRanges);

/// What an element must hold so that nothing about the memory is cut off: all up to NumVprSupported. VprReserveSize and
/// NumUEFIFrameBufferRanges came later; a system whose elements end before them does not know them.
template <members::descriptor_vpr Descriptor>
inline constexpr usize whole_stride =
    __builtin_offsetof(Descriptor, NumVprSupported) + sizeof(Descriptor{}.NumVprSupported);

/// Whether elements of a length hold what the rows say.
///
/// @return none; stride: shorter than any descriptor; form_cannot_express: holes or protected memory would be cut off
template <members::descriptor_vpr Descriptor>
[[nodiscard]] constexpr query_reason judge_stride(view const& table, u32 count, usize stride) noexcept {
    if (stride < shortest_stride<Descriptor>) {
        return query_reason::stride;
    }
    for (u32 i = 0; i < count && stride < whole_stride<Descriptor>; ++i) {
        entry const& e = table.reported.data[i];
        if (e.invalid.count != 0 || e.flags.has(flag::vpr_supported)) {
            return query_reason::form_cannot_express;
        }
    }
    return query_reason::none;
}

/// Answers form 4.
///
/// In the first call, with NbSegment 0, the count is written and no other member is looked at (SEG-01); in the second
/// everything, or nothing. Elements are written with the system's stride: as much of each as both lengths have, and
/// what lies behind stays as it is (SEG-03). No member of this form tells of an AGP aperture, so an AGP row is left out
/// (SEG-11).
///
/// @tparam Descriptor  DXGK_SEGMENTDESCRIPTOR4 of the included header, or a mirror
/// @param subject  the table of the physical adapter that is asked for, the driver's version, sizes of paging buffers
/// @param output   DXGK_QUERYSEGMENTOUT4; in the second call NbSegment elements of SegmentDescriptorStride bytes
/// @return answered; refused: not_placed, form_cannot_express, too_large, inconsistent, count_changed (SEG-02),
///         output_missing (an array that is NULL), stride
template <members::descriptor_vpr Descriptor, members::query_segment_out4 Output>
[[nodiscard]] constexpr query_answer answer_query_segment4(query_subject const& subject, Output& output) noexcept {
    constexpr agp_range no_agp{};
    query_reason const against = judge_rows<Descriptor>(subject.table, subject.version, no_agp);
    if (against != query_reason::none) {
        return query_refused(against);
    }
    u32 const count = reported_count(subject.table, no_agp);
    if (output.NbSegment == 0) {
        output.NbSegment = count;
        return query_answered;
    }
    if (output.NbSegment != count) {
        return query_refused(query_reason::count_changed);
    }
    if (output.pSegmentDescriptor == nullptr) {
        return query_refused(query_reason::output_missing);
    }
    usize const stride = output.SegmentDescriptorStride;
    query_reason const cut_off = judge_stride<Descriptor>(subject.table, count, stride);
    if (cut_off != query_reason::none) {
        return query_refused(cut_off);
    }
    for (u32 i = 0; i < count; ++i) {
        casts::store_descriptor(output.pSegmentDescriptor, i, stride,
                                make_descriptor<Descriptor>(subject.table.reported.data[i], subject.version, no_agp));
    }
    fill_paging_buffer(subject, output);
    return query_answered;
}

}  // namespace wddmcore::segment
