// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/binding.hpp"
#include "../ddi/casts.hpp"
#include "../ddi/query_answer.hpp"

/// The memory of a query: its pointers and sizes are checked once, here, before anything is read or written.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

/// Checks pInputData and InputDataSize; more bytes than the structure has are left unread.
template <class Input, class Args>
[[nodiscard]] constexpr query_reason judge_input(Args const& args) noexcept {
    return args.pInputData == nullptr           ? query_reason::input_missing
           : args.InputDataSize < sizeof(Input) ? query_reason::input_size
                                                : query_reason::none;
}

/// Checks pOutputData and OutputDataSize; `needed` is what must fit.
template <class Args>
[[nodiscard]] constexpr query_reason judge_output(Args const& args, usize needed) noexcept {
    return args.pOutputData == nullptr    ? query_reason::output_missing
           : args.OutputDataSize < needed ? query_reason::output_size
                                          : query_reason::none;
}

/// How much of an output has to be there: a system older than the header gives less room than some structures have, of
/// which only the members that fit are written.
enum class room_for : u32 { all_of_it, part_of_it };

/// Answers a query that has no input: `answer(Output&)`.
template <class Output, room_for Needed = room_for::all_of_it, class Args, class Answer>
[[nodiscard]] constexpr query_answer with_output([[maybe_unused]] Args const& args, Answer answer) noexcept {
    if constexpr (!present<Output>) {
        return query_not_mine(query_reason::not_in_header);
    } else {
        query_reason const against = judge_output(args, Needed == room_for::all_of_it ? sizeof(Output) : 0);
        return against != query_reason::none ? query_refused(against)
                                             : answer(*casts::structure_at<Output>(args.pOutputData));
    }
}

/// Answers a query that has both: `answer(Input const&, Output&)`.
template <class Input, class Output, room_for Needed = room_for::all_of_it, class Args, class Answer>
[[nodiscard]] constexpr query_answer with_input([[maybe_unused]] Args const& args, Answer answer) noexcept {
    if constexpr (!present<Input> || !present<Output>) {
        return query_not_mine(query_reason::not_in_header);
    } else {
        return with_output<Output, Needed>(args, [&](Output& output) {
            query_reason const against = judge_input<Input>(args);
            return against != query_reason::none ? query_refused(against)
                                                 : answer(*casts::structure_at<Input const>(args.pInputData), output);
        });
    }
}

/// Answers a query whose input names a physical adapter: `answer(u32 adapter, Output&)`.
template <class Input, class Output, room_for Needed = room_for::all_of_it, class Args, class Answer>
[[nodiscard]] constexpr query_answer for_adapter(Args const& args, u32 adapters, Answer answer) noexcept {
    return with_input<Input, Output, Needed>(args, [&](auto const& input, auto& output) {
        u32 const index = input.PhysicalAdapterIndex;
        return index < adapters ? answer(index, output) : query_refused(query_reason::no_such_adapter);
    });
}

}  // namespace wddmcore::adapter_info::detail
