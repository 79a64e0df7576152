// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "rows.hpp"

/// DXGKQAITYPE_QUERYSEGMENT and QUERYSEGMENT3: forms 1 and 3, for drivers below WDDM 2.0.
///
/// All functions here: PASSIVE_LEVEL as DxgkDdiQueryAdapterInfo, pageable, touch no OS state. Source pages:
/// ns-d3dkmddi-_dxgk_querysegmentin.md, ns-d3dkmddi-_dxgk_querysegmentout.md, ns-d3dkmddi-_dxgk_querysegmentout3.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

namespace detail {

/// The AGP aperture that the system reports.
template <members::query_segment_in Input>
[[nodiscard]] constexpr agp_range agp_of(Input const& input) noexcept {
    return {static_cast<u64>(input.AgpApertureBase.QuadPart), {static_cast<u64>(input.AgpApertureSize.QuadPart)}};
}

}  // namespace detail

/// Answers form 1 or 3, depending on the type of the output's descriptors.
///
/// The first call, with a NULL array, writes the count and nothing else. The second writes everything or nothing
/// (SEG-01). A table that the form cannot express is refused in both, because the count would promise an answer
/// (SEG-04).
///
/// @param subject  the table of the adapter, the driver's version, the sizes of paging buffers
/// @param input    DXGK_QUERYSEGMENTIN; an AGP row is left out if the size in it is 0 (SEG-11)
/// @param output   DXGK_QUERYSEGMENTOUT or DXGK_QUERYSEGMENTOUT3; in the second call its array has NbSegment elements
/// @return answered; refused: not_placed, form_cannot_express, too_large, inconsistent, count_changed (SEG-02)
template <members::query_segment_in Input, members::query_segment_out Output>
[[nodiscard]] constexpr query_answer answer_query_segment(query_subject const& subject, Input const& input,
                                                          Output& output) noexcept {
    using descriptor = meta::bare<decltype(*output.pSegmentDescriptor)>;
    detail::agp_range const agp = detail::agp_of(input);
    query_reason const against = detail::judge_rows<descriptor>(subject.table, subject.version, agp);
    if (against != query_reason::none) {
        return query_refused(against);
    }
    u32 const count = detail::reported_count(subject.table, agp);
    if (output.pSegmentDescriptor == nullptr) {
        output.NbSegment = count;
        return query_answered;
    }
    if (output.NbSegment != count) {
        return query_refused(query_reason::count_changed);
    }
    for (u32 i = 0; i < count; ++i) {
        output.pSegmentDescriptor[i] =
            detail::make_descriptor<descriptor>(subject.table.reported.data[i], subject.version, agp);
    }
    detail::fill_paging_buffer(subject, output);
    return query_answered;
}

}  // namespace wddmcore::segment
