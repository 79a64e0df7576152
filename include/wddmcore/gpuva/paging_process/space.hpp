// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "chunks.hpp"

/// DXGKQAITYPE_PAGINGPROCESSGPUVASIZE: how large the paging process's address space should be, why, and what it costs.
///
/// PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo, pageable, touches no OS state. DDI: WDDM 3.2.
/// Source page: allocation-notification.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// What a driver knows about its adapter.
struct paging_space_request {
    bytes largest_local_segment{0};    ///< 0: none
    bool hardware_scheduling = false;  ///< the system has enabled it
    bytes log_buffers{0};              ///< the size of all log buffers of hardware scheduling
    bool notifies_eviction = false;    ///< some allocation is created with NotifyEviction
    bytes whole{0};                    ///< the largest range that must be mapped in one piece (NTF-13); 0: none
    bytes grain{page_bytes};           ///< as for plan_chunks
};

/// The reason for an answer.
enum class paging_space_reason : u32 {
    system_decides,         ///< 0: the system's own choice is enough (CHK-06)
    raised,                 ///< more than the system's choice, so that the range fits in one piece
    no_space_exists,        ///< raised, or 0: without local memory and hardware scheduling the system makes no space by
                            ///< itself; no page says whether it makes one when asked (AMB-10, NTF-15)
    larger_than_addresses,  ///< 0: the range fits no space that addresses can reach (CHK-07)
};

/// @return why an answer about the paging process's space is what it is, in words; "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(paging_space_reason what) noexcept {
    using enum paging_space_reason;
    switch (what) {
        case system_decides: return "0: the choice of the system is enough";
        case raised: return "more than the choice of the system, so that the range fits in one piece (CHK-07)";
        case no_space_exists:
            return "without local memory and hardware scheduling the system makes no space of its own; whether it "
                   "makes one when asked is not written (AMB-10, NTF-15)";
        case larger_than_addresses: return "0: the range fits no space that an address can name (CHK-07)";
    }
    return "?";
}

/// What page tables cost.
struct table_cost {
    u64 tables;  ///< how many tables
    bytes size;
    friend constexpr bool operator==(table_cost const&, table_cost const&) = default;
};

/// The tables that translate addresses 0 to `space`: the leaf tables, and their parents up to the root (CHK-08).
///
/// Dual-PTE mode has two leaf tables for each range. Where a leaf table may have 4-KiB or 64-KiB entries, the larger
/// one is counted. A resizable root has as many entries as the space needs.
///
/// Source pages: gpu-virtual-address.md, system-paging-process.md.
///
/// @param g      page tables that `judge` accepts
/// @param space  bytes, inside the address space
/// @return the number of tables and their size; 0 for an empty space
[[nodiscard]] constexpr table_cost cost_of(page_table_geometry const& g, bytes space) noexcept {
    u64 const length = pages_spanned(space).n;
    table_cost sum{0, {0}};
    if (length == 0) {
        return sum;
    }
    for (u32 level = 0; level < g.level_count; ++level) {
        u32 const entry_lg2 = entry_pages_lg2(g, level);
        u64 const tables = ((length - 1) >> (entry_lg2 + index_bits(g, level))) + 1;
        bytes each = table_bytes(g, level);
        if (level == 1 && root_is_resizable(g)) {
            u64 const entries = ((length - 1) >> entry_lg2) + 1;
            each = to_bytes(pages_spanned(entries * bytes{g.levels[1].entry_bytes}));
        }
        sum = {sum.tables + tables, sum.size + tables * each};
        if (level == 0 && g.leaf == leaf_tables::both) {
            sum = {sum.tables + tables, sum.size + tables * table_bytes_64k(g)};
        }
    }
    return sum;
}

/// An answer and its cost. The page tables of the paging process always stay resident (CHK-06).
struct paging_space_answer {
    megabytes answer;  ///< what to return; 0 leaves the size to the system (CHK-02)
    paging_space_reason reason;
    bytes system_choice;  ///< the size that the system would choose; 0: no space
    table_cost cost;      ///< of the answer, or of the system's choice if the answer is 0 (CHK-08)
};

/// @return the size that the system chooses by itself: a quarter of the largest local segment, or the size of the log
///         buffers of hardware scheduling if that is larger; nothing if there is neither (CHK-04, CHK-05)
[[nodiscard]] constexpr bytes system_choice(paging_space_request const& request) noexcept {
    u64 const quarter = request.largest_local_segment.n / 4;
    return {greater(quarter, request.hardware_scheduling ? request.log_buffers.n : 0)};
}

/// @return whether a range fits into the window of a space in one piece
[[nodiscard]] constexpr bool holds_whole(page_table_geometry const& g, bytes space, bytes whole, bytes grain) noexcept {
    result<paging_window> const window = usable_window(g, space);
    if (!window.ok()) {
        return false;
    }
    result<chunk_plan> const plan = plan_chunks(window.get(), whole, grain);
    return plan.ok() && plan.get().count() == 1;
}

/// The smallest space, in megabytes of 2^20 bytes (AMB-31), whose window holds a range in one piece.
///
/// Megabytes become bytes in 64 bits: 4096 of them do not fit in 32 (CHK-03).
///
/// @param whole  bytes, a multiple of 4096
/// @param grain  as for plan_chunks
/// @return the space; 0 when none is enough, or plan_chunks refuses the grain
[[nodiscard]] constexpr megabytes smallest_space_for(page_table_geometry const& g, bytes whole, bytes grain) noexcept {
    constexpr u32 mib_pages_lg2 = 8;
    if (!is_power_of_two(grain.n) || grain.n < page_bytes || whole.n == 0 || !is_multiple(whole.n, page_bytes)) {
        return {0};
    }
    u64 const most = lesser<u64>(pages_in_space(g) >> mib_pages_lg2, ~u32{0});
    u64 const needed = divide_up(whole.n, grain.n) * (grain.n >> page_shift_lg2);
    u64 space = divide_up(needed, u64{1} << mib_pages_lg2);
    // The system tables grow with the space, so the first space that is enough, coming from below, is the smallest.
    // They take at most half of it (a page of table for a table of two pages), so a few steps are enough.
    while (space <= most) {
        megabytes const tried{static_cast<u32>(space)};
        if (holds_whole(g, to_bytes(tried), whole, grain)) {
            return tried;
        }
        u64 const taken = detail::system_table_count(g, to_bytes(tried)) * entry_count(g, 0);
        u64 const start = divide_up(taken << page_shift_lg2, grain.n) * (grain.n >> page_shift_lg2);
        u64 const next = divide_up(start + needed, u64{1} << mib_pages_lg2);
        promise(next > space);
        space = greater(next, space + 1);
    }
    return {0};
}

/// Answers how large the space should be (CHK-02 to CHK-08, NTF-13, NTF-15): the smallest size that works, or 0 if the
/// system's own choice works.
///
/// @param g        page tables that `judge` accepts
/// @param request  what the driver knows
/// @return the answer, the reason for it, and the cost of its page tables
[[nodiscard]] constexpr paging_space_answer paging_process_space(page_table_geometry const& g,
                                                                 paging_space_request const& request) noexcept {
    bytes const choice = system_choice(request);
    bool const exists = request.largest_local_segment.n != 0 || request.hardware_scheduling;
    // CHK-07: what addresses cannot reach is not mapped, whoever chose the size.
    bytes const space_of_choice{pages_spanned(choice).n <= pages_in_space(g) ? choice.n : 0};
    table_cost const cost_of_choice = cost_of(g, space_of_choice);
    if (request.whole.n == 0) {
        bool const warn = !exists && request.notifies_eviction;
        return {{0},
                warn ? paging_space_reason::no_space_exists : paging_space_reason::system_decides,
                choice,
                cost_of_choice};
    }
    checked<u64> const whole = round_up(request.whole.n, page_bytes);
    if (whole.ok && holds_whole(g, space_of_choice, {whole.value}, request.grain)) {
        return {{0}, paging_space_reason::system_decides, choice, cost_of_choice};
    }
    megabytes const answer = whole.ok ? smallest_space_for(g, {whole.value}, request.grain) : megabytes{0};
    if (answer == megabytes{0}) {
        return {{0}, paging_space_reason::larger_than_addresses, choice, cost_of_choice};
    }
    // AMB-10: the space is asked for even though the system may not make it, and the reason warns about that.
    return {answer, exists ? paging_space_reason::raised : paging_space_reason::no_space_exists, choice,
            cost_of(g, to_bytes(answer))};
}

}  // namespace wddmcore::gpuva
