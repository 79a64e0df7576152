// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/limits.hpp"
#include "../../hw/promises/transfer/copy_engine.hpp"
#include "../../hw/promises/transfer/page_window.hpp"
#include "run_ends.hpp"

/// Which commands move which pages of a list: the one place that decides, by dwords of the stream.
///
/// Two forms can move scattered pages. *Packets*: one copy for each run of consecutive page numbers, cut at the
/// engine's largest copy; it costs by the run. *Window*: the pages' entries are written into a window of the hardware's
/// own translation, and one copy moves all of it; it costs by the page, plus the head, the flush, the copy and
/// sometimes a wait. With a copy of 7 dwords and entries of 2 the two meet at runs of about 3.5 pages. Bytes are what a
/// paging buffer has too few of, and what the GPU has to fetch: the shorter form wins; of equals packets, which need no
/// window.
///
/// The choice is made chunk by chunk, from the page numbers themselves and not from an average, so that a list which is
/// scattered in one place and contiguous in another has each part in its own form. A chunk is what the window takes in
/// one piece. Each chunk costs no more than the cheaper form would, and what is lost between two chunks of different
/// forms is a run that both have a part of: one copy command. With chunks of 256 pages and more, the whole is within
/// 2 % of the better of the two forms alone.
namespace wddmcore::inline WDDMCORE_ABI::paging {

/// The most pages of one chunk. Longer ones would save less than 1 % of a chunk's dwords, and notice a change of the
/// list later.
inline constexpr u32 longest_window_chunk = 1024;

/// The pages that one copy command takes, as far as a token can count.
template <class Hw>
inline constexpr u32 pages_of_copy = static_cast<u32>(lesser<u64>(hw::chunk_pages(Hw::copy_max).n, ~u32{0}));

/// The most pages of one chunk of this window: written by one command, in slots that lie one behind the other.
template <class Hw>
inline constexpr u32 window_chunk = lesser(longest_window_chunk, lesser(Hw::window_slots, Hw::window_write_max));

/// The dwords that `count` pages take through the window.
///
/// @param count  1 to window_chunk
/// @param waits  whether slots are written again that earlier copies may still use
template <class Hw>
[[nodiscard]] constexpr u32 window_dwords(u32 count, bool waits) noexcept {
    constexpr u32 entry = static_cast<u32>(Hw::window_entry_bytes.n) / 4;
    return (waits ? Hw::window_wait_dwords.n : 0) + Hw::window_head_dwords.n + count * entry +
           Hw::window_flush_dwords.n + divide_up(count, pages_of_copy<Hw>) * Hw::copy_dwords.n;
}

/// The most pages, up to a chunk, that go through the window in `room` dwords; 0 when not even one does.
template <class Hw>
[[nodiscard]] constexpr u32 window_fit(u32 room, bool waits) noexcept {
    if (room >= window_dwords<Hw>(window_chunk<Hw>, true)) {
        return window_chunk<Hw>;
    }
    constexpr u32 entry = static_cast<u32>(Hw::window_entry_bytes.n) / 4;
    constexpr u32 most = lesser(pages_of_copy<Hw>, longest_window_chunk);
    constexpr u32 whole = most * entry + Hw::copy_dwords.n;  // pages of one copy, with their copy
    u32 const around = (waits ? Hw::window_wait_dwords.n : 0) + Hw::window_head_dwords.n + Hw::window_flush_dwords.n;
    if (room <= around) {
        return 0;
    }
    u32 const rest = (room - around) % whole;
    u32 const last = rest <= Hw::copy_dwords.n ? 0 : (rest - Hw::copy_dwords.n) / entry;
    return lesser((room - around) / whole * most + last, window_chunk<Hw>);
}

/// Whether `count` pages have more runs than `limit`. Looks no further than it has to: a scattered list has said so
/// after a third of its pages.
///
/// @param count  1 or more
[[nodiscard]] WDDMCORE_INLINE constexpr bool has_more_runs(usize const* list, u32 count, u32 limit) noexcept {
    u32 runs = 1;
    usize previous = list[0];
    usize const* at = list + 1;
    u32 left = count - 1;
    for (; left >= 8; left -= 8) {
        // Not one branch depends on a single number (run_ends.hpp).
        usize const a = at[0], b = at[1], c = at[2], d = at[3];
        usize const e = at[4], f = at[5], g = at[6], h = at[7];
        runs += a != previous + 1;
        runs += b != a + 1;
        runs += c != b + 1;
        runs += d != c + 1;
        runs += e != d + 1;
        runs += f != e + 1;
        runs += g != f + 1;
        runs += h != g + 1;
        previous = h;
        at += 8;
        if (runs > limit || runs + left - 8 <= limit) {
            return runs > limit;
        }
    }
    for (; left != 0; --left) {
        runs += *at != previous + 1;
        previous = *at++;
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

/// Whether the window is the shorter form for the next `count` pages.
///
/// A run that is open at the end counts whole. If packets were chosen it would be followed to its end, and what is
/// behind the chunk would cost nothing more.
///
/// @param count  1 to window_chunk
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr bool window_pays(usize const* list, u32 count, bool waits) noexcept {
    u32 const limit = window_dwords<Hw>(count, waits) / Hw::copy_dwords.n;
    if constexpr (pages_of_copy<Hw> < window_chunk<Hw>) {
        return has_more_copies(list, count, limit, pages_of_copy<Hw>);
    } else {
        return has_more_runs(list, count, limit);
    }
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
/// @param commands  copies that still fit: nothing behind them is looked at, or a long run would be read in every pass
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

}  // namespace wddmcore::paging
