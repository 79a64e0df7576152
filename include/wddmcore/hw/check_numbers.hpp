// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/breach.hpp"
#include "../base/checked.hpp"
#include "chosen_within.hpp"
#include "promises/page_table/format.hpp"
#include "promises/preemption_model.hpp"
#include "promises/transfer/copy_engine.hpp"
#include "promises/transfer/fill_engine.hpp"

/// What an object of a hardware type says in the place of constants, judged at AddDevice.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// The numbers that may be chosen_within a range, or chosen_among several.
enum class promised_number : u32 {
    none,
    copy_max,
    copy_alignment,
    fill_max,
    fill_alignment,
    fill_pattern_bytes,
    node_count,
    page_tables,
    entry_limits,
};

namespace hw::detail {

/// The words of the numbers, in the order of their enumeration.
inline constexpr char const* promised_number_texts[] = {
    "",
    "`copy_max`, in bytes, lies outside of its declared range",
    "`copy_alignment`, in bytes, lies outside of its declared range, or is no power of two",
    "`fill_max`, in bytes, lies outside of its declared range",
    "`fill_alignment`, in bytes, lies outside of its declared range, or is no power of two",
    "`fill_pattern_bytes` lies outside of its declared range, or is neither 1 nor 4",
    "`node_count` lies outside of its declared range",
    "`page_tables` has no geometry of the number that the object names",
    "`entry_limits` has none of the number that the object names",
};
static_assert(sizeof promised_number_texts / sizeof *promised_number_texts ==
              static_cast<u32>(promised_number::entry_limits) + 1);

}  // namespace hw::detail

/// @return a number in words; "" for promised_number::none, "?" for a number without a name.
///
/// Any IRQL; touches no OS state, and what it returns is a literal.
[[nodiscard]] constexpr char const* text_of(promised_number what) noexcept {
    return detail::text_in(hw::detail::promised_number_texts, what);
}

/// The first number of an object that is not what its type declares; none where all are.
struct broken_number {
    promised_number what;
    u64 value;  ///< what the object has
    u64 least;  ///< the declared range, inclusive
    u64 most;   ///< the largest that is allowed
    friend constexpr bool operator==(broken_number const&, broken_number const&) = default;
};

inline constexpr broken_number no_number_broken{};  ///< nothing was found

namespace hw::detail {

[[nodiscard]] constexpr u64 raw(bytes number) noexcept { return number.n; }
[[nodiscard]] constexpr u64 raw(u32 number) noexcept { return number; }

/// A constant was judged at compile time.
template <class Hw, class Number>
constexpr void judge_number(broken_number&, Hw const&, promised_number, Number const&, bool = true) noexcept {}

/// @param found    changed when it is the first that is wrong
/// @param is_kind  what a value between two good ends has to be as well
template <class Hw, class Number, class Owner>
constexpr void judge_number(broken_number& found, Hw const& hw, promised_number what,
                            chosen_within<Number, Owner> const& range, bool is_kind = true) noexcept {
    Number const value = value_of(hw, range);
    if (found == no_number_broken && (value < range.least || range.most < value || !is_kind)) {
        found = {what, raw(value), raw(range.least), raw(range.most)};
    }
}

/// One constant was judged at compile time.
template <class Hw, class Alternative>
constexpr void judge_choice(broken_number&, Hw const&, promised_number, Alternative const&) noexcept {}

/// @param found  changed when it is the first that is wrong
template <class Hw, class Alternative, usize Count, class Owner>
constexpr void judge_choice(broken_number& found, Hw const& hw, promised_number what,
                            chosen_among<Alternative, Count, Owner> const& list) noexcept {
    u32 const which = hw.*list.member;
    if (found == no_number_broken && which >= Count) {
        found = {what, which, 0, Count - 1};
    }
}

}  // namespace hw::detail

/// Judges the numbers that an object of a hardware type has in the place of constants: AddDevice ends with it.
///
/// A number that nobody wrote is 0, which no range has that promises anything. answer_query_adapter_info makes the same
/// check and refuses every query; build_paging_buffer does not, because the numbers are final when it is called.
///
/// Any IRQL; touches no OS state, safe in non-paged code. DDI: WDDM 1.0 to 3.2. Source: no page, since the numbers are
/// those that the hardware type declares.
///
/// @param hw  the hardware, as AddDevice made it
/// @return no_number_broken; otherwise the number, what the object has and what the type declares: text_of(what) is the
///         sentence
template <class Hw>
[[nodiscard]] constexpr broken_number check_numbers(Hw const& hw) noexcept {
    using enum promised_number;
    broken_number found = no_number_broken;
    if constexpr (hw::page_table_format<Hw>) {
        hw::detail::judge_choice(found, hw, page_tables, Hw::page_tables);
        hw::detail::judge_choice(found, hw, entry_limits, Hw::entry_limits);
    }
    if constexpr (hw::copy_engine<Hw>) {
        hw::detail::judge_number(found, hw, copy_max, Hw::copy_max);
        hw::detail::judge_number(found, hw, copy_alignment, Hw::copy_alignment,
                                 hw::divides_page(hw::value_of(hw, Hw::copy_alignment)));
    }
    if constexpr (hw::fill_engine<Hw>) {
        hw::detail::judge_number(found, hw, fill_max, Hw::fill_max);
        hw::detail::judge_number(found, hw, fill_alignment, Hw::fill_alignment,
                                 hw::divides_page(hw::value_of(hw, Hw::fill_alignment)));
        hw::detail::judge_number(found, hw, fill_pattern_bytes, Hw::fill_pattern_bytes,
                                 hw::is_pattern_width(hw::value_of(hw, Hw::fill_pattern_bytes)));
    }
    if constexpr (hw::declares_node_count<Hw>) {
        hw::detail::judge_number(found, hw, node_count, Hw::node_count);
    }
    return found;
}

}  // namespace wddmcore
