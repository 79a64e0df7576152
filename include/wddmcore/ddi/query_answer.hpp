// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/assert.hpp"
#include "ntstatus.hpp"

/// An answer to DxgkDdiQueryAdapterInfo and the reason for it.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// Who has answered a query.
enum class query_outcome : u32 {
    answered,  ///< everything that was asked for is written
    partly,    ///< the library's members are written; the driver wrote its own before the call, or does so now
    refused,   ///< nothing is written; `status` says what the driver returns
    not_mine,  ///< nothing is written; the driver's own switch answers or refuses
};

/// Why a query was refused, or passed on.
enum class query_reason : u32 {
    none,
    unknown_type,         ///< not_mine: a query that the library does not answer
    not_in_header,        ///< not_mine: the binding has no structure for it
    not_described,        ///< not_mine: the hardware type says nothing about it
    input_missing,        ///< pInputData is NULL
    input_size,           ///< InputDataSize is not that of the structure
    output_missing,       ///< pOutputData, or an array that it names, is NULL
    output_size,          ///< OutputDataSize has no room for the structure
    no_such_adapter,      ///< the physical adapter's index is not below the number of adapters
    no_such_segment,      ///< the segment's id names no reported segment, or one of the wrong kind
    no_such_level,        ///< the page tables have no such level
    count_changed,        ///< the number of elements in the array is not the one that was reported (SEG-02)
    stride,               ///< an element of the array is too short for the members that every descriptor has (SEG-03)
    form_cannot_express,  ///< this form of the query has no member for something that a segment is (SEG-04)
    too_large,            ///< a number does not fit its member (SEG-43)
    not_placed,           ///< a number is still `at_start`
    inconsistent,         ///< the table breaks a rule that its own check would have named
    not_claimed,          ///< the capabilities say no
    undecided,            ///< `chosen` leaves a choice open
    more_than_claimed,    ///< `chosen` claims what `caps` does not
    number_out_of_range,  ///< a number that is chosen_within a range lies outside of it: check_numbers says which
};

/// @return a reason in words; "" for query_reason::none, "?" for a number without a name.
[[nodiscard]] constexpr char const* text_of(query_reason what) noexcept {
    using enum query_reason;
    switch (what) {
        case none: return "";
        case unknown_type: return "a query that the library does not answer";
        case not_in_header: return "the included header has no structure for this query";
        case not_described: return "the hardware type says nothing about it";
        case input_missing: return "pInputData is NULL";
        case input_size: return "InputDataSize is not that of the structure";
        case output_missing: return "pOutputData, or an array that it names, is NULL";
        case output_size: return "OutputDataSize has no room for the structure";
        case no_such_adapter: return "the physical adapter's index is not below their number";
        case no_such_segment: return "the segment's id names no reported segment, or one of the wrong kind";
        case no_such_level: return "the page tables have no such level";
        case count_changed: return "the array has another number of elements than was reported (SEG-02)";
        case stride: return "an element of the array has no room for what every descriptor has (SEG-03)";
        case form_cannot_express: return "this form of the query has no member for what a segment is (SEG-04)";
        case too_large: return "a number does not fit its member (SEG-43)";
        case not_placed: return "a number is still `at_start`: StartDevice has not placed it";
        case inconsistent: return "what the driver describes breaks a rule that its own check names";
        case not_claimed: return "the capabilities say no";
        case undecided: return "`chosen` leaves a choice open: decide it at AddDevice (IOM-02)";
        case more_than_claimed: return "`chosen` claims what `caps` does not";
        case number_out_of_range: return "a number lies outside of its declared range: check_numbers says which";
    }
    return "?";
}

/// An answer. It is returned by value, and the library keeps nothing of it. `text_of(reason)` says in words why it was
/// refused.
struct query_answer {
    query_outcome what;
    ntstatus status;  ///< what DxgkDdiQueryAdapterInfo returns; meaningless when not_mine
    query_reason reason;

    /// @return whether the driver returns `status`; if not, its own switch goes on
    [[nodiscard]] constexpr bool done() const noexcept { return what != query_outcome::not_mine; }

    friend constexpr bool operator==(query_answer const&, query_answer const&) = default;
};

/// Everything that was asked for is written.
inline constexpr query_answer query_answered{query_outcome::answered, status::success, query_reason::none};
/// The library's members are written.
inline constexpr query_answer query_partly{query_outcome::partly, status::success, query_reason::none};

/// A refusal, also for a driver's own switch.
///
/// @param why  not query_reason::none
/// @return refused, with STATUS_NOT_SUPPORTED for what is not claimed (no page says so, but drivers return it),
///         otherwise with STATUS_INVALID_PARAMETER
[[nodiscard]] constexpr query_answer query_refused(query_reason why) noexcept {
    if (why == query_reason::not_claimed) {
        return {query_outcome::refused, status::not_supported, why};
    }
    return {query_outcome::refused, status::invalid_parameter, why};
}

/// A query that is not the library's.
///
/// @param why  unknown_type, not_in_header or not_described
/// @return not_mine, with the status that a driver returns if it has no answer either: STATUS_NOT_SUPPORTED
[[nodiscard]] constexpr query_answer query_not_mine(query_reason why) noexcept {
    return {query_outcome::not_mine, status::not_supported, why};
}

}  // namespace wddmcore
