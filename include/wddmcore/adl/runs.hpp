// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

/// The finder of runs: consecutive numbers in a list of pages.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::adl::detail {

/// Whether a page of a list, which is not its first, is next to the page before it; a number that wrapped to 0 is no
/// neighbour of the last one (ADL-06).
[[nodiscard]] constexpr bool follows(usize const* at) noexcept {
    return *at == static_cast<usize>(at[-1] + 1) && *at != 0;
}

/// The length of the run that a list begins with, at most `most` pages; nothing past it is read.
///
/// @param most  1 or more, and no more than the list has
[[nodiscard]] constexpr u64 run_length(usize const* list, u64 most) noexcept {
    u64 length = 1;
    while (length != most && follows(list + length)) {
        ++length;
    }
    return length;
}

}  // namespace wddmcore::adl::detail
