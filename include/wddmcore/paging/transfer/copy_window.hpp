// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/stores.hpp"
#include "copy_forms.hpp"
#include "copy_list.hpp"

/// Copies between a list of pages and one contiguous place on hardware that has a page window: part by copies of runs,
/// part through the window, as copy_forms.hpp decides.
///
/// When a slot may be written again. A copy that goes through a slot may still be under way when later commands are
/// executed, so each slot is written once between two waits. Chunks take one slot after the other from the first on;
/// when the next chunk no longer fits, a wait precedes its write, and slots start over. Using two halves in turn would
/// not help: a wait waits for all earlier copies, those of the other half too. What another pass or operation left
/// under way is not known, because a pass knows its token alone (PGB-05) and an operation before it may not have
/// finished (PGB-20). So the first chunk of every pass waits.
///
/// Each pass writes the entries that its own copies need and reads none that another pass wrote, so that work between
/// two passes, or a buffer that is executed again from its start, changes nothing (PGB-07). The token counts pages, as
/// in every other form.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Pages that go through the window in one piece.
struct window_piece {
    u32 slot;      ///< of the first page
    u32 count;     ///< pages, 1 or more
    u32 short_by;  ///< bytes that the last page lacks
    bool waits;    ///< whether the slots were used before
};

/// Puts the entries of pages into the stream, eight a step.
///
/// @param bits  what all entries have in common
/// @return every bit that some page number has
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr usize put_window_entries(u32* at, usize const* list, u32 count,
                                                                 u64 bits) noexcept {
    usize seen = 0;
    usize seen_odd = 0;  // two of them, because compilers take two pages in one register
    if constexpr (Hw::window_entry_bytes.n == 8) {
        auto const put = [bits](u32* place, usize page) {
            wddmcore::detail::store64(place, (u64{page} << Hw::window_page_shift) + bits);
        };
        for (u32 left = count / 8; left != 0; --left) {
            // All loads before the first store, which could change the list as far as a compiler knows.
            usize const a = list[0], b = list[1], c = list[2], d = list[3];
            usize const e = list[4], f = list[5], g = list[6], h = list[7];
            put(at, a);
            put(at + 2, b);
            put(at + 4, c);
            put(at + 6, d);
            put(at + 8, e);
            put(at + 10, f);
            put(at + 12, g);
            put(at + 14, h);
            seen |= a | c | e | g;
            seen_odd |= b | d | f | h;
            list += 8;
            at += 16;
        }
        for (u32 left = count % 8; left != 0; --left) {
            seen |= *list;
            put(at, *list++);
            at += 2;
        }
    } else {
        for (u32 k = 0; k != count; ++k) {
            seen |= list[k];
            put32(at + k, low_dword((u64{list[k]} << Hw::window_page_shift) + bits));
        }
    }
    return seen | seen_odd;
}

/// Writes one piece, whose room is there: the wait, the entries, the flush, then the copies.
///
/// @param list    the piece's page numbers
/// @param linear  the contiguous side's place for them
/// @return every bit that some page number has
template <bool FromList, class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr usize put_through_window(Hw const& hw, dma_writer& writer, usize const* list,
                                                                 typename Hw::address linear,
                                                                 window_piece piece) noexcept {
    constexpr u32 entry = static_cast<u32>(Hw::window_entry_bytes.n) / 4;
    if constexpr (Hw::window_wait_dwords.n != 0) {
        if (piece.waits) {
            hw.encode_window_wait(writer.take(Hw::window_wait_dwords));
        }
    }
    hw.encode_window_head(writer.take(Hw::window_head_dwords), piece.slot, piece.count);
    usize const seen =
        put_window_entries<Hw>(writer.take(dwords{piece.count * entry}), list, piece.count, hw.window_entry_bits());
    if constexpr (Hw::window_flush_dwords.n != 0) {
        hw.encode_window_flush(writer.take(Hw::window_flush_dwords), piece.slot, piece.count);
    }
    typename Hw::address slots = hw.window_address() + to_bytes(pages{piece.slot});
    for (u32 done = 0; done != piece.count;) {
        u32 const length = lesser(piece.count - done, pages_of_copy(hw));
        done += length;
        bytes const size{to_bytes(pages{length}).n - (done == piece.count ? piece.short_by : 0)};
        encode_between<FromList>(hw, writer.take(Hw::copy_dwords), slots, linear, size);
        linear = linear + size;
        slots = slots + size;
    }
    return seen;
}

/// Copies a run of consecutive pages, whole commands as far as the room goes; only the first page of each is looked at.
///
/// @param run   of the list; may be empty
/// @param work  the whole request: its last page may fall short
/// @return the page after the last one copied
template <bool FromList, class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr u32 put_one_run(Hw const& hw, dma_writer& writer, usize const* list,
                                                        typename Hw::address other, adl::detail::page_interval run,
                                                        list_extent work) noexcept {
    u32 done = run.first;
    while (done != run.end && writer.has(Hw::copy_dwords)) {
        typename Hw::address const paged = hw.from_page(page_number{u64{list[done]}});
        typename Hw::address const linear = other + to_bytes(pages{done});
        u32 const length = lesser(run.end - done, pages_of_copy(hw));
        done += length;
        bytes const size{to_bytes(pages{length}).n - (done == work.count ? work.short_by : 0)};
        encode_between<FromList>(hw, writer.take(Hw::copy_dwords), paged, linear, size);
    }
    return done;
}

/// Copies between a list of pages and one contiguous place, in the form that is shorter for each part of the list.
///
/// In a buffer with little room the window's form is judged for the pages that still fit. Where none does, copies of
/// runs fill the rest: they need the least room, so that the window makes no paging buffer larger (law 7).
///
/// @tparam FromList  whether the list is the source
/// @param list    count page numbers
/// @param other   address of the contiguous side's first byte (of page 0, not of the token)
/// @param work    pages in all, and what the last one lacks
/// @param first   the token: pages done in earlier passes, below work.count
/// @return as copy_list
template <bool FromList, class Hw>
[[nodiscard]] WDDMCORE_NOINLINE constexpr progress copy_by_window(Hw const& hw, dma_writer& writer, usize const* list,
                                                                  typename Hw::address other, list_extent work,
                                                                  u32 first) noexcept {
    constexpr u64 last_visible_page = hw::last_visible_page(Hw::caps.highest_visible_address);
    u32 slot = Hw::window_slots;  // none is free before the first wait
    usize seen = 0;
    bool suspicious = false;
    u32 done = first;
    while (done != work.count) {
        u32 const wanted = lesser(work.count - done, window_chunk<Hw>);
        bool const waits = Hw::window_slots - slot < wanted;
        u32 const count = lesser(wanted, window_fit(hw, writer.room, waits));
        if (count != 0 && window_pays(hw, list + done, count, waits)) {
            slot = waits ? 0 : slot;
            bool const has_last = done + count == work.count;
            seen |= put_through_window<FromList>(hw, writer, list + done, other + to_bytes(pages{done}),
                                                 window_piece{slot, count, has_last ? work.short_by : 0, waits});
            slot += count;
            done += count;
            continue;
        }
        adl::detail::page_interval const run = adl::detail::run_over_the_end(
            list, done, done + wanted, work.count, pages_of_copy(hw), writer.room / Hw::copy_dwords.n);
        if (run.first != done) {
            list_extent const part{run.first, run.first == work.count ? work.short_by : 0};
            progress const reached = copy_list<FromList>(hw, writer, list, other, part, done);
            suspicious |= reached.what == outcome::perhaps_out_of_reach;
            done = reached.token;
        }
        if (done == run.first) {
            done = put_one_run<FromList>(hw, writer, list, other, run, work);
            // A run whose numbers wrap is out of reach, however few bits its ends have (ADL-06).
            seen |= done == run.first ? 0 : list[done - 1] < list[run.first] ? ~usize{0} : list[done - 1];
        }
        if (done != run.end) {
            break;
        }
    }
    if (suspicious || seen > last_visible_page) [[unlikely]] {
        return {outcome::perhaps_out_of_reach, done};
    }
    return {done == work.count ? outcome::done : outcome::need_buffer, done};
}

}  // namespace wddmcore::paging::detail
