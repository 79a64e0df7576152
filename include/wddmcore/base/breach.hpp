// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "types.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// The first rule that something breaks: what a check returns at run time, and what the compiler's sentences take as
/// template arguments.
///
/// Each subject (a segment table, an allocation, ...) has its own enumeration of rules, because a `switch` over them
/// and the sentences of `text_of` would otherwise have to name rules that its checks never find.
///
/// @tparam Rule  an enumeration whose `none` is 0
template <class Rule>
struct breach {
    Rule what{};    ///< `none` when nothing is wrong
    u32 place = 0;  ///< the segment, level, slot, node, ... that breaks it; 0 where there is only one
    u64 value = 0;  ///< the number that is wrong
    friend constexpr bool operator==(breach const&, breach const&) = default;
};

namespace detail {

/// A rule that was found to be broken: its id, and what is wrong in words.
struct rule_words {
    char const* id;
    char const* text;
};

/// The words of a value of an enumeration, from a table in the enumeration's order; "?" for a number without a name.
template <class Rule, usize Count>
[[nodiscard]] constexpr char const* text_in(char const* const (&texts)[Count], Rule what) noexcept {
    u32 const number = static_cast<u32>(what);
    return number < Count ? texts[number] : "?";
}

/// A check, rule by rule: whatever is broken later, the first breach stays. Every rule is asked about, so that what
/// asks must be safe when an earlier one is broken.
template <class Rule>
struct first_breach {
    u32 place = 0;         ///< of the rules that follow
    breach<Rule> found{};  ///< what the check returns

    constexpr void when(bool broken, Rule what, u64 value = 0) noexcept {
        add(broken ? breach<Rule>{what, place, value} : breach<Rule>{});
    }

    /// A part of the check that is a function of its own.
    constexpr void add(breach<Rule> const& part) noexcept { found = found == breach<Rule>{} ? part : found; }
};

}  // namespace detail
}  // namespace wddmcore
