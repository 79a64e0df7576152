// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../adl/runs.hpp"
#include "../finding.hpp"
#include "../writer.hpp"
#include "copy_order.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Writes the copy of one run between its pages and the contiguous side.
///
/// @tparam FromList  whether the pages are the source
template <bool FromList, class Hw>
WDDMCORE_INLINE constexpr void encode_between(Hw const& hw, u32* at, typename Hw::address paged,
                                              typename Hw::address linear, bytes size) noexcept {
    if constexpr (FromList) {
        hw.encode_copy(at, linear, paged, size);
    } else {
        hw.encode_copy(at, paged, linear, size);
    }
}

/// Copies between a list of pages and one contiguous place: the hot path of eviction and commit.
///
/// Runs of consecutive page numbers become one command each, cut at the engine's largest copy (OP00-10). Most lists are
/// all of one kind: pages without a neighbour are copied straight on while they last. From a neighbour on, ends of runs
/// are found a block at a time without branches, then commands are written in a straight loop that needs no check: a
/// block is never longer than the commands that still fit. The last page of the request has no neighbour to compare
/// with, so the last run is written after the loop; only there the size may fall short of a page.
///
/// One function with its state in locals, because state that is reached by reference costs 5 to 15 instructions a page;
/// and a function of its own, so that no other operation, and no other direction, pays for its block on the stack (law
/// 8).
///
/// @tparam FromList  whether the list is the source
/// @param list    count page numbers
/// @param other   address of the contiguous side's first byte (of page 0, not of the token)
/// @param work    pages in all, and what the last one lacks
/// @param first   the token: pages done in earlier passes, below work.count
/// @return perhaps_out_of_reach when a page may lie beyond the device's reach (ADL-06): first pages are or-ed and the
///         pass's length is added, which may suspect a good list and never passes a bad one
template <bool FromList, class Hw>
[[nodiscard]] WDDMCORE_NOINLINE constexpr progress copy_list(Hw const& hw, dma_writer& writer, usize const* list,
                                                             typename Hw::address other, list_extent work,
                                                             u32 first) noexcept {
    using namespace adl::detail;
    using address = typename Hw::address;
    constexpr dwords packet = Hw::copy_dwords;
    u32 const most = pages_of_copy(hw);
    constexpr u32 fewest = fewest_pages_of_copy<Hw>;
    constexpr u64 last_visible_page = hw::last_visible_page(Hw::caps.highest_visible_address);
    static_assert(fewest != 0, "engines that copy less than a page at once go through copy_pages");

    auto const encode = [&hw](u32* at, usize number, address linear, bytes size) {
        encode_between<FromList>(hw, at, hw.from_page(page_number{u64{number}}), linear, size);
    };

    run_ends ends;  // uninitialised on purpose: every entry is stored before it is read
    constexpr bytes page = to_bytes(pages{1});
    u32* at = writer.at;
    u32 left = writer.room / packet.n;  // commands that still fit
    usize firsts = list[first];         // the first page of every run, or-ed: one instruction a run
    u32 const last = work.count - 1;
    u32 run = first;                                  // first page of the open run
    u32 next = first;                                 // first page not yet compared with its successor
    address linear = other + to_bytes(pages{first});  // the contiguous side's place for the open run
    while (next < last && left != 0) {
        if (run == next) {
            // Pages without a neighbour, each a command of its own: straight on while they last.
            u32 const stop = left < last - next ? next + left : last;
            usize number = list[next];
            for (; next != stop; ++next) {
                usize const following = list[next + 1];
                if (following == number + 1) {
                    break;
                }
                encode(at, number, linear, page);
                firsts |= following;
                linear = linear + page;
                at += packet.n;
                number = following;
            }
            left -= next - run;
            run = next;
            if (next == stop) {
                continue;
            }
        }
        u32 const block = lesser(block_pages, lesser(last - next, left));
        if (list[next + block] - list[next] == block && consecutive(list + next, block)) {
            next += block;
            if constexpr (fewest < block_pages) {
                // A run that outlasts the pass would be read to its end in every pass.
                next = next - run < u64{left} * most ? next : last;
            }
            continue;
        }
        u8 const* end = ends.at;
        u8 const* const past_ends = end + find_run_ends(list + next, block, ends);
        // Only the run that was open before this block can be longer than the block itself.
        u32 const after = next + 1;
        bool const is_long = end != past_ends && after + *end - run > most;
        if (!is_long) [[likely]] {
            usize begin = run;  // as an index of the list's width: no conversion in the loop
            for (; end != past_ends; ++end) {
                usize const stop = usize{after} + *end;
                if constexpr (fewest < block_pages) {
                    if (stop - begin > most) [[unlikely]] {
                        break;
                    }
                }
                bytes const size = to_bytes(pages{stop - begin});
                encode(at, list[begin], linear, size);
                firsts |= list[stop];
                linear = linear + size;
                at += packet.n;
                begin = stop;
            }
            run = static_cast<u32>(begin);
            left -= static_cast<u32>(end - ends.at);
        }
        if (end == past_ends) [[likely]] {
            next += block;
            continue;
        }
        // A run longer than one command takes: whole commands while they fit, then look again from its end.
        u32 const stop = after + *end;
        while (stop != run && left != 0) {
            u32 const length = lesser(stop - run, most);
            encode(at, list[run], linear, to_bytes(pages{length}));
            linear = linear + to_bytes(pages{length});
            at += packet.n;
            --left;
            run += length;
        }
        firsts |= list[stop];
        next = stop;
    }
    // Where commands still fit, all pages have been looked at.
    while (run != work.count && left != 0) {
        u32 const length = lesser(work.count - run, most);
        bool const is_last = run + length == work.count;
        encode(at, list[run], linear, bytes{to_bytes(pages{length}).n - (is_last ? work.short_by : 0)});
        linear = linear + to_bytes(pages{length});
        at += packet.n;
        --left;
        run += length;
    }
    writer.room -= static_cast<u32>(at - writer.at);
    writer.at = at;
    // No run is longer than the pass. From its last page nothing could be told: numbers that wrap make it a low one.
    if (firsts > last_visible_page || run - first > last_visible_page - firsts) [[unlikely]] {
        return {outcome::perhaps_out_of_reach, run};
    }
    return {run == work.count ? outcome::done : outcome::need_buffer, run};
}

/// The same for what is left of a request, which most often is a page or one run: then its only command is written
/// here, in the caller's registers, and copy_list is not called.
template <bool FromList, class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress copy_whole_list(Hw const& hw, dma_writer& writer, usize const* list,
                                                                 typename Hw::address other, list_extent work,
                                                                 u32 first) noexcept {
    constexpr u64 last_visible_page = hw::last_visible_page(Hw::caps.highest_visible_address);
    usize const number = list[first];
    u32 const rest = work.count - 1 - first;  // pages behind the first
    if (rest == 0 || (list[work.count - 1] - number == rest && rest < pages_of_copy(hw) &&
                      adl::detail::consecutive(list + first, rest))) {
        if (!writer.has(Hw::copy_dwords)) {
            return {outcome::need_buffer, first};
        }
        encode_between<FromList>(hw, writer.take(Hw::copy_dwords), hw.from_page(page_number{u64{number}}),
                                 other + to_bytes(pages{first}), bytes{to_bytes(pages{rest + 1}).n - work.short_by});
        bool const in_reach = number <= last_visible_page && rest <= last_visible_page - number;
        return {in_reach ? outcome::done : outcome::perhaps_out_of_reach, work.count};
    }
    dma_writer behind = writer;  // only this copy lives in memory
    progress const reached = copy_list<FromList>(hw, behind, list, other, work, first);
    writer = behind;
    return reached;
}

}  // namespace wddmcore::paging::detail
