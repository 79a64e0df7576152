// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "rows.hpp"

/// DXGKQAITYPE_SEGMENTMEMORYSTATE and UEFIFRAMEBUFFERRANGES: the ranges of a segment, which its descriptor only counts.
///
/// AMB-43: no page says whether DXGK_QUERYSEGMENTMEMORYSTATE is input or output. It is taken from pOutputData if that
/// is large enough, otherwise from pInputData.
///
/// All functions here: PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo, pageable, touch no OS state. DDI: WDDM 2.0; ranges
/// of the UEFI frame buffer from WDDM 2.2. Source pages: ns-d3dkmddi-_dxgk_querysegmentmemorystate.md,
/// ns-d3dkmddi-_dxgk_memoryrange.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// Which ranges of a segment are asked for.
enum class memory_ranges : u32 { invalid, uefi_frame_buffer };

namespace detail {

/// The count that the system was told for this kind of range.
template <memory_ranges Which, members::segment_memory_state State>
[[nodiscard]] constexpr u32 asked_ranges(State const& state) noexcept {
    if constexpr (Which == memory_ranges::uefi_frame_buffer && members::segment_memory_state_uefi<State>) {
        return state.NumUEFIFrameBufferRanges;
    } else {
        return state.NumInvalidMemoryRanges;
    }
}

}  // namespace detail

/// Answers with all ranges of one kind, or with nothing.
///
/// @tparam Which  holes in the memory, or what the firmware's frame buffer occupies
/// @param table   of the physical adapter that `state` names
/// @param state   DXGK_QUERYSEGMENTMEMORYSTATE: its count is that of the segment's descriptor
/// @return answered; refused: no_such_segment (none of that id, or an aperture), not_placed, inconsistent (a range
///         leaves the segment; a hole is not whole pages, is empty or overlaps another, SEG-31), count_changed,
///         output_missing
template <memory_ranges Which, members::segment_memory_state State>
[[nodiscard]] constexpr query_answer answer_segment_memory_state(view const& table, State& state) noexcept {
    constexpr bool of_memory = Which == memory_ranges::invalid;
    entry const* const row = find(table, {state.DriverSegmentId});
    if (row == nullptr || is_aperture(*row)) {
        return query_refused(query_reason::no_such_segment);
    }
    if (!is_placed(*row)) {
        return query_refused(query_reason::not_placed);
    }
    broken_rule const broken = of_memory ? detail::judge_invalid_ranges(*row, 0) : detail::judge_frame_buffer(*row, 0);
    if (broken != no_rule_broken) {
        return query_refused(query_reason::inconsistent);
    }
    span<memory_range const> const ranges = of_memory ? row->invalid : row->uefi_frame_buffer;
    if (detail::asked_ranges<Which>(state) != ranges.count) {
        return query_refused(query_reason::count_changed);
    }
    if (ranges.count != 0 && state.pMemoryRanges == nullptr) {
        return query_refused(query_reason::output_missing);
    }
    for (usize i = 0; i < ranges.count; ++i) {
        state.pMemoryRanges[i].SegmentOffset = ranges.data[i].start.n;
        state.pMemoryRanges[i].SizeInBytes = ranges.data[i].size.n;
    }
    return query_answered;
}

}  // namespace wddmcore::segment
