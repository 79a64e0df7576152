// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "forms.hpp"

/// Runs of leaf entries that one command can make, found while the entries are written, never listed beforehand.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Elements [begin, end) of an array of entries.
struct element_run {
    u32 begin;
    u32 end;
};

/// Whether an element goes on with what the one before it is: the same flags, and the next page; what is not valid
/// names no page.
template <class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr bool follows(Pte const& before, Pte const& e) noexcept {
    return e.Flags == before.Flags && (!pte_flags{before.Flags}.valid() || e.PageAddress == before.PageAddress + 1);
}

/// Whether eight elements are a run, with a quick look at the last of them first.
[[nodiscard]] WDDMCORE_INLINE constexpr bool is_line_of_run(auto const* e) noexcept {
    u64 const flags = e[0].Flags;
    if (e[7].Flags != flags) {
        return false;
    }
    if (!pte_flags{flags}.valid()) {
        return e[1].Flags == flags && e[2].Flags == flags && e[3].Flags == flags && e[4].Flags == flags &&
               e[5].Flags == flags && e[6].Flags == flags;
    }
    u64 const page = e[0].PageAddress;
    return e[7].PageAddress == page + 7 && e[1].Flags == flags && e[1].PageAddress == page + 1 && e[2].Flags == flags &&
           e[2].PageAddress == page + 2 && e[3].Flags == flags && e[3].PageAddress == page + 3 && e[4].Flags == flags &&
           e[4].PageAddress == page + 4 && e[5].Flags == flags && e[5].PageAddress == page + 5 && e[6].Flags == flags &&
           e[6].PageAddress == page + 6;
}

/// The first run that pays (run_pays), and that has a whole line of eight, counted from `first`.
///
/// @param first, end  elements to look at; the run begins at `first` or later
/// @param most        how far the run may go beyond its line: no further than it can be used
/// @param last        the end of the array
/// @return the run; begin == end == `end` when there is none
template <class Hw, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr element_run find_run(Hw const& hw, Pte const* from, u32 first, u32 end,
                                                             u32 last, u32 most) noexcept {
    for (u32 line = first; end - line >= 8;) {
        if (!is_line_of_run(from + line)) {
            line += 8;
            continue;
        }
        u32 begin = line;
        while (begin != first && follows(from[begin - 1], from[begin])) {
            --begin;
        }
        u32 stop = line + 8;
        u32 const limit = last - stop < most ? last : stop + most;
        while (limit - stop >= 8 && follows(from[stop - 1], from[stop]) && is_line_of_run(from + stop)) {
            stop += 8;
        }
        while (stop != limit && follows(from[stop - 1], from[stop])) {
            ++stop;
        }
        if (run_pays(hw, stop - begin)) {
            return {begin, stop};
        }
        if (stop >= end) {
            break;
        }
        line = stop;
    }
    return {end, end};
}

}  // namespace wddmcore::paging::detail
