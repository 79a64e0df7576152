// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "rows.hpp"

/// DXGKQAITYPE_QUERYSEGMENTCOUNT and QUERYSEGMENT5: form 5, WDDM 3.2.
///
/// It has no count, no stride, no commit limit and no paging-buffer segment: the array is as long as QUERYSEGMENTCOUNT
/// said, which nobody can check here, and whole descriptors are written; a limit of an aperture is said by
/// ApertureSegmentCommitLimit of DRIVERCAPS alone (AMB-55). AMB-11: no page describes it; its names and layout are all
/// there is.
///
/// All functions here: PASSIVE_LEVEL as DxgkDdiQueryAdapterInfo, pageable, touch no OS state.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// Answers the count for form 5. As in form 4, an AGP row is not counted, because nothing tells about its aperture
/// (SEG-11).
///
/// A row that is not placed yet counts too: the kinds of the segments were fixed when the adapter was added (SEG-02).
///
/// @param output  DXGK_QUERYSEGMENTCOUNTOUT; its reserved members are left alone
/// @return answered; refused: inconsistent
template <members::query_segment_count_out Output>
[[nodiscard]] constexpr query_answer answer_query_segment_count(view const& table, Output& output) noexcept {
    // The query came with WDDM 3.2; the rules for it have not changed since WDDM 2.0.
    if (!detail::is_reportable(table, wddm::v3_2)) {
        return query_refused(query_reason::inconsistent);
    }
    output.SegmentCount = static_cast<u16>(detail::reported_count(table, {}));
    return query_answered;
}

/// Answers form 5: every descriptor, or none.
///
/// @param subject  the table of the physical adapter that is asked for, and the driver's version
/// @param output   DXGK_QUERYSEGMENTOUT5, with as many elements as QUERYSEGMENTCOUNT reported
/// @return answered; refused: not_placed, form_cannot_express (banks), too_large, inconsistent, output_missing
template <members::query_segment_out5 Output>
[[nodiscard]] constexpr query_answer answer_query_segment5(query_subject const& subject, Output& output) noexcept {
    using descriptor = meta::bare<decltype(*output.SegmentDescriptors)>;
    constexpr detail::agp_range no_agp{};
    query_reason const against = detail::judge_rows<descriptor>(subject.table, subject.version, no_agp);
    if (against != query_reason::none) {
        return query_refused(against);
    }
    u32 const count = detail::reported_count(subject.table, no_agp);
    if (output.SegmentDescriptors == nullptr && count != 0) {
        return query_refused(query_reason::output_missing);
    }
    for (u32 i = 0; i < count; ++i) {
        output.SegmentDescriptors[i] =
            detail::make_descriptor<descriptor>(subject.table.reported.data[i], subject.version, no_agp);
    }
    return query_answered;
}

}  // namespace wddmcore::segment
