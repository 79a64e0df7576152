// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../adl/runs.hpp"
#include "../../hw/promises/transfer/page_window.hpp"
#include "copy_order.hpp"

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
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// The most pages of one chunk. Longer ones would save less than 1 % of a chunk's dwords, and notice a change of the
/// list later.
inline constexpr u32 longest_window_chunk = 1024;

/// The most pages of one chunk of this window: written by one command, in consecutive slots.
template <class Hw>
inline constexpr u32 window_chunk = lesser(longest_window_chunk, lesser(Hw::window_slots, Hw::window_write_max));

/// The dwords that `count` pages take through the window.
///
/// @param count  1 to window_chunk
/// @param waits  whether slots are written again that earlier copies may still use
template <class Hw>
[[nodiscard]] constexpr u32 window_dwords(Hw const& hw, u32 count, bool waits) noexcept {
    constexpr u32 entry = static_cast<u32>(Hw::window_entry_bytes.n) / 4;
    return (waits ? Hw::window_wait_dwords.n : 0) + Hw::window_head_dwords.n + count * entry +
           Hw::window_flush_dwords.n + divide_up(count, pages_of_copy(hw)) * Hw::copy_dwords.n;
}

/// The most pages, up to a chunk, that go through the window in `room` dwords; 0 when not even one does.
template <class Hw>
[[nodiscard]] constexpr u32 window_fit(Hw const& hw, u32 room, bool waits) noexcept {
    if (room >= window_dwords(hw, window_chunk<Hw>, true)) {
        return window_chunk<Hw>;
    }
    constexpr u32 entry = static_cast<u32>(Hw::window_entry_bytes.n) / 4;
    u32 const most = lesser(pages_of_copy(hw), longest_window_chunk);
    u32 const whole = most * entry + Hw::copy_dwords.n;  // pages of one copy, with their copy
    u32 const around = (waits ? Hw::window_wait_dwords.n : 0) + Hw::window_head_dwords.n + Hw::window_flush_dwords.n;
    if (room <= around) {
        return 0;
    }
    u32 const rest = (room - around) % whole;
    u32 const last = (greater(rest, Hw::copy_dwords.n) - Hw::copy_dwords.n) / entry;
    return lesser((room - around) / whole * most + last, window_chunk<Hw>);
}

/// Whether the window is the shorter form for the next `count` pages.
///
/// A run that goes on past the end counts whole: if packets were chosen it would be followed to its end, and its pages
/// past the chunk would cost nothing more.
///
/// @param count  1 to window_chunk
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr bool window_pays(Hw const& hw, usize const* list, u32 count,
                                                         bool waits) noexcept {
    u32 const limit = window_dwords(hw, count, waits) / Hw::copy_dwords.n;
    if constexpr (fewest_pages_of_copy<Hw> < window_chunk<Hw>) {
        return adl::detail::has_more_copies(list, count, limit, pages_of_copy(hw));
    } else {
        return adl::detail::has_more_runs(list, count, limit);
    }
}

}  // namespace wddmcore::paging::detail
