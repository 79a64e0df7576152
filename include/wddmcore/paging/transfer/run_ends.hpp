// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/checked.hpp"
#include "../../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Pages looked at in one go: as many as a byte can index, so that the list of run ends is small on the stack (law 8).
inline constexpr u32 block_pages = 256;

/// Where, in a block of page numbers, runs of consecutive numbers end. Not one branch depends on the numbers: when run
/// lengths are unpredictable, a mispredicted branch per run would cost more than everything else.
struct run_ends {
    // Every step stores, and only then decides whether to keep: four more than a block, for the unrolled last steps.
    u8 at[block_pages + 4];
};

/// Whether n + 1 page numbers are consecutive, eight a step. A function of its own: compilers make vectors of it, whose
/// registers the caller would have to save on every entry.
[[nodiscard]] WDDMCORE_NOINLINE constexpr bool consecutive(usize const* list, u32 n) noexcept {
    usize const first = list[0];
    usize differences = 0;
    u32 i = 0;
    for (; i + 8 <= n; i += 8) {
        usize const* const at = list + i;
        usize const expected = first + i;
        differences |= (at[1] - expected - 1) | (at[2] - expected - 2) | (at[3] - expected - 3) |
                       (at[4] - expected - 4) | (at[5] - expected - 5) | (at[6] - expected - 6) |
                       (at[7] - expected - 7) | (at[8] - expected - 8);
        if (differences != 0) {
            return false;
        }
    }
    for (; i < n; ++i) {
        differences |= list[i + 1] - (first + i) - 1;
    }
    return differences == 0;
}

/// Fills `ends` with the indices t below n for which page t + 1 does not follow page t; reads n + 1 page numbers.
///
/// @param n  1 to block_pages
/// @return how many there are
[[nodiscard]] WDDMCORE_INLINE constexpr u32 find_run_ends(usize const* list, u32 n, run_ends& ends) noexcept {
    u8* end = ends.at;
    usize previous = list[0];
    usize t = 0;
    usize const fours = n & ~3u;
    for (; t != fours; t += 4) {
        usize const a = list[t + 1];
        *end = static_cast<u8>(t);
        end += a != previous + 1;
        usize const b = list[t + 2];
        *end = static_cast<u8>(t + 1);
        end += b != a + 1;
        usize const c = list[t + 3];
        *end = static_cast<u8>(t + 2);
        end += c != b + 1;
        previous = list[t + 4];
        *end = static_cast<u8>(t + 3);
        end += previous != c + 1;
    }
    for (; t < n; ++t) {
        usize const next = list[t + 1];
        *end = static_cast<u8>(t);
        end += next != previous + 1;
        previous = next;
    }
    return static_cast<u32>(end - ends.at);
}

}  // namespace wddmcore::paging::detail
