// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/checked.hpp"

/// The finder of runs: consecutive numbers in a list of pages.
///
/// The cursor follows one run and stops where a number wraps to 0. The copies of a transfer look at a block of numbers
/// at a time and take numbers that wrap for a run: such a run is out of reach, and is refused before the commit
/// (ADL-06).
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

/// Whether `count` pages have more runs than `limit`. Looks no further than it has to: a scattered list has said so
/// after a third of its pages.
///
/// @param count  1 or more
[[nodiscard]] WDDMCORE_INLINE constexpr bool has_more_runs(usize const* list, u32 count, u32 limit) noexcept {
    constexpr u32 step = 32;
    u32 runs = 1;
    usize const* at = list + 1;
    u32 left = count - 1;
    while (left >= step) {
        // Not one branch depends on a single number (run_ends), and no sum waits for the one before it.
        u32 one = 0;
        u32 two = 0;
        u32 three = 0;
        u32 four = 0;
        for (u32 i = 0; i != step; i += 4) {
            one += at[0] != at[-1] + 1;
            two += at[1] != at[0] + 1;
            three += at[2] != at[1] + 1;
            four += at[3] != at[2] + 1;
            at += 4;
        }
        runs += one + two + three + four;
        left -= step;
        if (runs > limit || runs + left <= limit) {
            return runs > limit;
        }
    }
    for (; left != 0; --left) {
        runs += at[0] != at[-1] + 1;
        ++at;
    }
    return runs > limit;
}

/// The same for the copies of an engine that takes fewer pages than a chunk has: a long run is several of them.
///
/// @param most  pages of one copy
[[nodiscard]] constexpr bool has_more_copies(usize const* list, u32 count, u32 limit, u32 most) noexcept {
    u32 copies = 1;
    u32 length = 1;
    for (u32 t = 1; t != count && copies <= limit; ++t) {
        bool const goes_on = list[t] == list[t - 1] + 1 && length != most;
        copies += u32{!goes_on};
        length = goes_on ? length + 1 : 1;
    }
    return copies > limit;
}

/// Pages [first, end) of a request.
struct page_interval {
    u32 first;
    u32 end;
};

/// The run that packets end with that were chosen for pages [begin, end): it is followed over the end, because a run
/// that is cut in two costs a command more.
///
/// @param list      page numbers of the whole request
/// @param count     pages of the whole request, at least `end`
/// @param most      pages of one copy
/// @param commands  copies that still fit: nothing past them is looked at, or a long run would be read in every pass
/// @return the run, up to where it ends or to a place that copies of the largest size reach; an empty one where a run
///         ends at `end` anyway
[[nodiscard]] constexpr page_interval run_over_the_end(usize const* list, u32 begin, u32 end, u32 count, u32 most,
                                                       u32 commands) noexcept {
    if (end == count || list[end] != list[end - 1] + 1) {
        return {end, end};
    }
    u32 start = end - 1;
    while (start != begin && list[start] == list[start - 1] + 1) {
        --start;
    }
    u64 const reach = start + u64{greater(commands, divide_up(end - start, most))} * most;
    u32 const stop = static_cast<u32>(lesser<u64>(reach, count));
    u32 at = end;
    while (stop - at >= block_pages && consecutive(list + at - 1, block_pages)) {
        at += block_pages;
    }
    while (at != stop && list[at] == list[at - 1] + 1) {
        ++at;
    }
    return {start, at};
}

}  // namespace wddmcore::adl::detail
