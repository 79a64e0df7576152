// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../segment/query/memory_state.hpp"
#include "../segment/query/segment.hpp"
#include "../segment/query/segment4.hpp"
#include "../segment/query/segment5.hpp"
#include "check.hpp"
#include "memory.hpp"

/// The segment queries of an adapter: each finds its structures, its physical adapter and its table, and hands them on.
///
/// All functions here: PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo, pageable, touch no OS state.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

/// What an answer about a physical adapter's segments is made from.
template <class Hw>
[[nodiscard]] constexpr segment::query_subject subject_of(Hw const& hw, u32 index) noexcept {
    return {segments_of(hw, index),
            chosen_of(hw).version,
            {paging_buffer_size_of<Hw>(), paging_private_data_size_of<Hw>()}};
}

/// QUERYSEGMENT and QUERYSEGMENT3. They know no links: the table is that of physical adapter 0.
///
/// @return what segment::answer_query_segment returns; refused: input_missing, input_size, output_missing, output_size;
///         not_mine: not_in_header
template <class Input, class Output, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_segments(Hw const& hw, Args const& args) noexcept {
    return with_input<Input, Output>(args, [&](auto const& input, auto& output) {
        return segment::answer_query_segment(subject_of(hw, 0), input, output);
    });
}

/// QUERYSEGMENT4.
///
/// @return what segment::answer_query_segment4 returns; refused: input_missing, input_size, output_missing,
///         output_size, no_such_adapter; not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_segments4(Hw const& hw, Args const& args) noexcept {
    using input = typename Binding::querysegmentin4;
    using descriptor = typename Binding::segmentdescriptor4;
    if constexpr (!present<descriptor>) {
        return query_not_mine(query_reason::not_in_header);
    } else {
        return for_adapter<input, typename Binding::querysegmentout4>(
            args, adapters_of(hw), [&](u32 index, auto& output) {
                return segment::answer_query_segment4<descriptor>(subject_of(hw, index), output);
            });
    }
}

/// QUERYSEGMENTCOUNT.
///
/// @return what segment::answer_query_segment_count returns; refused: input_missing, input_size, output_missing,
///         output_size, no_such_adapter; not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_segment_count(Hw const& hw, Args const& args) noexcept {
    using input = typename Binding::querysegmentcountin;
    return for_adapter<input, typename Binding::querysegmentcountout>(
        args, adapters_of(hw),
        [&](u32 index, auto& output) { return segment::answer_query_segment_count(segments_of(hw, index), output); });
}

/// QUERYSEGMENT5.
///
/// @return what segment::answer_query_segment5 returns; refused: input_missing, input_size, output_missing,
///         output_size, no_such_adapter; not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_segments5(Hw const& hw, Args const& args) noexcept {
    using input = typename Binding::querysegmentin5;
    return for_adapter<input, typename Binding::querysegmentout5>(args, adapters_of(hw), [&](u32 index, auto& output) {
        return segment::answer_query_segment5(subject_of(hw, index), output);
    });
}

/// SEGMENTMEMORYSTATE and UEFIFRAMEBUFFERRANGES.
///
/// @return what segment::answer_segment_memory_state returns; refused: input_missing, input_size (neither pointer holds
///         the structure), no_such_adapter; not_mine: not_in_header
template <segment::memory_ranges Which, class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_memory_state(Hw const& hw, Args const& args) noexcept {
    using state_type = typename Binding::querysegmentmemorystate;
    if constexpr (!present<state_type>) {
        return query_not_mine(query_reason::not_in_header);
    } else if constexpr (Which == segment::memory_ranges::uefi_frame_buffer &&
                         !members::segment_memory_state_uefi<state_type>) {
        return query_not_mine(query_reason::not_in_header);
    } else {
        // AMB-43: the structure is filled where it lies.
        bool const is_output = judge_output(args, sizeof(state_type)) == query_reason::none;
        query_reason const against = is_output ? query_reason::none : judge_input<state_type>(args);
        if (against != query_reason::none) {
            return query_refused(against);
        }
        state_type& state = *casts::structure_at<state_type>(is_output ? args.pOutputData : args.pInputData);
        u32 const index = state.PhysicalAdapterIndex;
        return index < adapters_of(hw) ? segment::answer_segment_memory_state<Which>(segments_of(hw, index), state)
                                       : query_refused(query_reason::no_such_adapter);
    }
}

/// QUERYPAGINGBUFFERINFO: what forms 1, 3 and 4 say beside the segments (SEG-41). AMB-11: known by its layout only.
///
/// @return answered; refused: input_missing, input_size, output_missing, output_size, no_such_adapter;
///         not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_paging_buffer_info(Hw const& hw, Args const& args) noexcept {
    using input = typename Binding::querypagingbufferinfoin;
    return for_adapter<input, typename Binding::querypagingbufferinfoout>(args, adapters_of(hw), [](u32, auto& output) {
        output.PagingBufferSize = static_cast<u32>(paging_buffer_size_of<Hw>().n);
        output.PagingBufferPrivateDataSize = static_cast<u32>(paging_private_data_size_of<Hw>().n);
        return query_answered;
    });
}

}  // namespace wddmcore::adapter_info::detail
