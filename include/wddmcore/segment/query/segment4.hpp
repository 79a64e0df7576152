// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "rows.hpp"

/// DXGKQAITYPE_QUERYSEGMENT4: form 4, from WDDM 2.0. The system says how long the elements of its array are.
///
/// All functions here: PASSIVE_LEVEL as DxgkDdiQueryAdapterInfo, pageable, touch no OS state. Source pages:
/// ns-d3dkmddi-_dxgk_querysegmentout4.md, ns-d3dkmddi-_dxgk_segmentdescriptor4.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

namespace detail {

/// The shortest element: everything before NumInvalidMemoryRanges, which is 56 bytes with 64-bit pointers.
template <members::descriptor_v2_0 Descriptor>
inline constexpr usize shortest_stride = __builtin_offsetof(Descriptor, NumInvalidMemoryRanges);

/// What an element must hold if nothing about the memory is to be cut off: everything up to NumVprSupported.
/// VprReserveSize and NumUEFIFrameBufferRanges came later; a system with shorter elements does not know them.
template <members::descriptor_v2_0 Descriptor>
inline constexpr usize whole_stride =
    __builtin_offsetof(Descriptor, NumVprSupported) + sizeof(Descriptor{}.NumVprSupported);

/// Whether elements of a given length can hold what the rows say.
///
/// @return none; stride: shorter than any descriptor; form_cannot_express: holes or protected memory would be cut off
template <members::descriptor_v2_0 Descriptor>
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

}  // namespace detail

/// Answers form 4.
///
/// The first call, with NbSegment 0, writes the count and looks at no other member (SEG-01). The second writes
/// everything or nothing. Elements have the system's stride: of each, as much is written as both lengths hold, and the
/// rest of the element is left alone (SEG-03). This form says nothing about an AGP aperture, so an AGP row is left out
/// (SEG-11).
///
/// @tparam Descriptor  DXGK_SEGMENTDESCRIPTOR4 of the included header, or a mirror
/// @param subject  the table of the physical adapter that is asked for, the driver's version, sizes of paging buffers
/// @param output   DXGK_QUERYSEGMENTOUT4; in the second call NbSegment elements of SegmentDescriptorStride bytes
/// @return answered; refused: not_placed, form_cannot_express, too_large, inconsistent, count_changed (SEG-02),
///         output_missing (an array that is NULL), stride
template <members::descriptor_v2_0 Descriptor, members::query_segment_out4 Output>
[[nodiscard]] constexpr query_answer answer_query_segment4(query_subject const& subject, Output& output) noexcept {
    constexpr detail::agp_range no_agp{};
    query_reason const against = detail::judge_rows<Descriptor>(subject.table, subject.version, no_agp);
    if (against != query_reason::none) {
        return query_refused(against);
    }
    u32 const count = detail::reported_count(subject.table, no_agp);
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
    query_reason const cut_off = detail::judge_stride<Descriptor>(subject.table, count, stride);
    if (cut_off != query_reason::none) {
        return query_refused(cut_off);
    }
    for (u32 i = 0; i < count; ++i) {
        casts::store_descriptor(
            output.pSegmentDescriptor, i, stride,
            detail::make_descriptor<Descriptor>(subject.table.reported.data[i], subject.version, no_agp));
    }
    detail::fill_paging_buffer(subject, output);
    return query_answered;
}

}  // namespace wddmcore::segment
