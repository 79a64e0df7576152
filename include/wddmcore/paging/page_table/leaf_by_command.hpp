// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../pass.hpp"
#include "commands.hpp"
#include "plan.hpp"

/// The most common form of operation 11: leaf entries of 8 bytes, each for itself, by command. It is decoded and
/// judged in registers; what is wrong is asked a second time, out of line, only when there is something to report.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Whether a hardware type has lines, and updates by command.
template <class Hw>
[[nodiscard]] consteval bool updates_leaf_by_command() noexcept {
    if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_virtual | update_modes::gpu_physical)) {
        return has_lines<Hw>();
    } else {
        return false;
    }
}

/// Whether a mode is one of those in which a hardware type takes commands.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr bool is_by_command(page_table_update_mode mode) noexcept {
    constexpr bool by_virtual = contains(Hw::caps.page_tables, update_modes::gpu_virtual);
    constexpr bool by_physical = contains(Hw::caps.page_tables, update_modes::gpu_physical);
    return (by_virtual && mode == page_table_update_mode::gpu_virtual) ||
           (by_physical && mode == page_table_update_mode::gpu_physical);
}

/// Whether a request is one for lines by command.
template <class Hw, class Update>
[[nodiscard]] WDDMCORE_INLINE constexpr bool is_line_update(Update const& update) noexcept {
    return static_cast<u32>(update.PageTableLevel) == 0 && update.Flags.Use64KBPages == 0 && update.Flags.Repeat == 0 &&
           is_by_command<Hw>(static_cast<page_table_update_mode>(static_cast<u32>(update.UpdateMode)));
}

/// Judges such a request.
///
/// @return as plan_entries, or as find_table_address; `from` and `table` are complete only when nothing is wrong
template <class Hw, class Args, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_lines(Hw const& hw, Args const& args, entry_source<Pte>& from,
                                                           typename Hw::address& table) noexcept {
    auto const& update = args.UpdatePageTable;
    static_cast<void>(find_table(hw, 0, false, from.table));  // every geometry has a leaf table
    if (finding const problem = plan_entries(hw, args, from); problem.any) {
        return problem;
    }
    auto const mode = static_cast<page_table_update_mode>(static_cast<u32>(update.UpdateMode));
    u64 const end = (u64{from.slots.first} + from.slots.count) * from.table.entry_bytes;
    return find_table_address(hw, update.PageTableAddress, mode, from.table.entry_bytes, end, table);
}

/// Ends a request that is malformed, or without room for a command; one that is done already needs none.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus end_without_lines(Hw& hw, Args const& args) noexcept {
    constexpr paging_operation operation = paging_operation::update_page_table;
    entry_source<meta::bare<decltype(*args.UpdatePageTable.pPageTableEntries)>> from{};
    typename Hw::address table{};
    if (finding const problem = plan_lines(hw, args, from, table); problem.any) {
        return fault(hw, operation, problem);
    }
    return static_cast<u32>(args.MultipassOffset) == from.slots.count ? status::success
                                                                      : cannot_begin(hw, args, operation);
}

/// Judges the elements [first, end) of such a request one by one.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr finding judge_lines(Hw const& hw, Args const& args, u32 first,
                                                              u32 end) noexcept {
    entry_source<meta::bare<decltype(*args.UpdatePageTable.pPageTableEntries)>> from{};
    typename Hw::address table{};
    static_cast<void>(plan_lines(hw, args, from, table));
    return judge_slots(hw, from, first, end);
}

/// The least room in which lines advance: an inline write of one entry, or a shorter command of the generator.
template <class Hw>
[[nodiscard]] consteval dwords least_line_dwords() noexcept {
    u32 least = write_overhead<Hw> + 2;
    if constexpr (hw::page_table_generator<Hw>) {
        least = lesser(least, Hw::generate_dwords.n);
    }
    return {least};
}

/// The update by lines of leaf entries, which are slots one for one. Elements are judged before the commit.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus update_leaf_by_command(Hw& hw, Args& args) noexcept {
    entry_source<meta::bare<decltype(*args.UpdatePageTable.pPageTableEntries)>> from{};
    typename Hw::address table{};
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (plan_lines(hw, args, from, table).any || !can_begin<Hw>(args, least_line_dwords<Hw>())) [[unlikely]] {
        return end_without_lines(hw, args);
    }
    dma_writer writer = open<Hw>(args);
    entries_done const done = put_leaf_slots(hw, writer, table, from, token);
    if (remains(hw, done.open, from.entries, token, done.reached.token - token)) {
        if (finding const problem = judge_lines(hw, args, token, done.reached.token); problem.any) {
            return fault(hw, paging_operation::update_page_table, problem);
        }
    }
    return commit(hw, args, writer, done.reached);
}

}  // namespace wddmcore::paging::detail
