// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/copy_engine.hpp"
#include "../hw/limits.hpp"
#include "plan.hpp"
#include "run_ends.hpp"
#include "writer.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging {

/// Copies between a list of pages and one contiguous place: the hot path of eviction and commit.
///
/// Runs of consecutive page numbers become one command each, cut at the engine's largest copy (OP00-10). Ends of runs are
/// found a block at a time without branches, then commands are written in a straight loop that needs no check: a block is
/// never longer than the commands that still fit. The last page of the request has no neighbour to compare with, so the
/// last run is written behind the loop; only there the size may fall short of a page.
///
/// One function with its state in locals, because state behind references costs 5 to 15 instructions a page (PERF, 7).
///
/// @tparam ListIsSource  which side the pages are
/// @param list    count page numbers
/// @param other   address of the contiguous side's first byte (of page 0, not of the token)
/// @param work    pages in all, and what the last one lacks
/// @param first   the token: pages done in earlier passes, below work.count
template <bool ListIsSource, class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress copy_list(Hw const& hw, dma_writer& writer, usize const* list,
                                                           typename Hw::address other, extent work, u32 first) noexcept {
    using address = typename Hw::address;
    constexpr dwords packet = Hw::copy_dwords;
    constexpr u32 most = static_cast<u32>(lesser<u64>(hw::chunk_pages(Hw::copy_max).n, ~u32{0}));
    static_assert(most != 0, "engines that copy less than a page at once go through copy_pages");

    auto const encode = [&hw, list, other](u32* at, u32 page, bytes size) {
        address const paged = hw.from_page(page_number{u64{list[page]}});
        address const linear = other + to_bytes(pages{page});
        if constexpr (ListIsSource) {
            hw.encode_copy(at, linear, paged, size);
        } else {
            hw.encode_copy(at, paged, linear, size);
        }
    };

    run_ends ends;  // uninitialised on purpose: every entry is stored before it is read
    u32* at = writer.at;
    u32 left = writer.room / packet.n;  // commands that still fit
    u32 const last = work.count - 1;
    u32 run = first;   // first page of the open run
    u32 next = first;  // first page not yet compared with its successor
    while (next < last && left != 0) {
        u32 const block = lesser(block_pages, lesser(last - next, left));
        if (list[next + block] - list[next] == block && consecutive(list + next, block)) {
            next += block;
            continue;
        }
        u32 const count = find_run_ends(list + next, block, ends);
        u32 i = 0;
        for (; i != count; ++i) {
            u32 const end = next + ends.at[i] + 1;
            u32 const length = end - run;
            if (length > most) [[unlikely]] {
                break;
            }
            encode(at, run, to_bytes(pages{length}));
            at += packet.n;
            run = end;
        }
        left -= i;
        if (i == count) [[likely]] {
            next += block;
            continue;
        }
        // A run longer than one command takes: whole commands while they fit, then look again from its end.
        u32 const end = next + ends.at[i] + 1;
        while (end != run && left != 0) {
            u32 const length = lesser(end - run, most);
            encode(at, run, to_bytes(pages{length}));
            at += packet.n;
            --left;
            run += length;
        }
        next = end;
    }
    while (next >= last && run != work.count && left != 0) {
        u32 const length = lesser(work.count - run, most);
        bool const is_last = run + length == work.count;
        encode(at, run, bytes{to_bytes(pages{length}).n - (is_last ? work.short_by : 0)});
        at += packet.n;
        --left;
        run += length;
    }
    writer.room -= static_cast<u32>(at - writer.at);
    writer.at = at;
    return {run == work.count ? outcome::done : outcome::need_buffer, run};
}

}  // namespace wddmcore::paging
