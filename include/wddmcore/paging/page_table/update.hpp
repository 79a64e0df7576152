// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "immediate.hpp"
#include "leaf_by_command.hpp"

/// Operation 11, UPDATE_PAGE_TABLE.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// The update by the CPU: complete on return, with or without a buffer, whose contents it does not touch (OP11-04).
template <class Hw, class Args, class Pte>
[[nodiscard]] constexpr ntstatus store_update(Hw& hw, Args& args, entry_source<Pte> const& from) noexcept {
    constexpr paging_operation operation = paging_operation::update_page_table;
    auto const table = args.UpdatePageTable.PageTableAddress.CpuVirtual;
    if (table == nullptr) {
        return fault(hw, operation, found(paging_rule::missing_table, 0));
    }
    u32 const unit = lesser<u32>(from.table.entry_bytes, 8);
    if (u32 const past = casts::bytes_past(table, unit); past != 0) {
        return fault(hw, operation, found(paging_rule::misaligned_table, past, unit));
    }
    u32 const slot = from.slots.slots_at(static_cast<u32>(args.MultipassOffset));
    if (finding const problem = judge_before_stores(hw, from, slot); problem.any) {
        return fault(hw, operation, problem);
    }
    if (slot != from.slots.count) {
        store_slots(hw, table, from, slot);
        hw.finish_entry_stores();
    }
    args.MultipassOffset = from.slots.requested;
    return status::success;
}

/// The update by command, of entries that are encoded one by one or repeated.
template <class Hw, class Args, class Pte>
[[nodiscard]] constexpr ntstatus command_update(Hw& hw, Args& args, page_table_update_mode mode,
                                                entry_source<Pte> const& from) noexcept {
    constexpr paging_operation operation = paging_operation::update_page_table;
    typename Hw::address table{};
    u64 const end = (u64{from.slots.first} + from.slots.count) * from.table.entry_bytes;
    if (finding const problem = find_table_address(hw, args.UpdatePageTable.PageTableAddress, mode,
                                                   from.table.entry_bytes, greater<u64>(end, 1), table);
        problem.any) {
        return fault(hw, operation, problem);
    }
    u32 const token = static_cast<u32>(args.MultipassOffset);
    u32 const slot = from.slots.slots_at(token);
    if (slot == from.slots.count) {  // no page of the GPU begins in what is left
        args.MultipassOffset = from.slots.requested;
        return status::success;
    }
    if (finding const problem = check_buffer<Hw>(args); problem.any) {
        return fault(hw, operation, problem);
    }
    dma_writer writer = open<Hw>(args);
    progress const reached =
        from.repeat ? put_equal_slots(hw, writer, table, from, slot) : put_each_slot(hw, writer, table, from, slot);
    if (finding const problem = judge_slots(hw, from, slot, reached.token); problem.any) {
        return fault(hw, operation, problem);
    }
    // A pass that could write nothing leaves the token as it came.
    u32 const next = reached.token == slot ? token : from.slots.token_at(reached.token);
    return commit(hw, args, writer, progress{reached.what, next});
}

/// The update in any form but lines by command.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_any_update(Hw& hw, Args& args) noexcept {
    constexpr paging_operation operation = paging_operation::update_page_table;
    using pte = meta::bare<decltype(*args.UpdatePageTable.pPageTableEntries)>;
    entry_source<pte> from{};
    if (finding const problem = plan_update(hw, args, from); problem.any) {
        return fault(hw, operation, problem);
    }
    auto const mode = static_cast<page_table_update_mode>(static_cast<u32>(args.UpdatePageTable.UpdateMode));
    if (mode == page_table_update_mode::cpu_virtual) {
        return store_update(hw, args, from);
    }
    if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_virtual | update_modes::gpu_physical)) {
        // Both forms of the address have the same low bits, because segments begin at pages.
        from.table_in_page =
            static_cast<u32>((mode == page_table_update_mode::gpu_virtual
                                  ? static_cast<u64>(args.UpdatePageTable.PageTableAddress.GpuVirtual)
                                  : static_cast<u64>(args.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset)) %
                             page_bytes);
        return command_update(hw, args, mode, from);
    } else {
        return fault(hw, operation, found(paging_rule::unknown_update_mode, static_cast<u32>(mode)));
    }
}

/// Operation 11, UPDATE_PAGE_TABLE: element i of the array becomes entry StartIndex + i of a table (OP11-01).
///
/// The operation's own UpdateMode says what the table's address is, not the adapter's cap (OP11-03). In CPU-virtual
/// mode, which the paging process's tables always come in (GVA-40), everything is judged first and then stored at once;
/// there may be no buffer, and the operation is complete on return (OP11-04). In the other modes entries are written by
/// command, and are judged before the commit. A table whose GPU page is larger than 4 KiB keeps the entries at page
/// starts (OP11-05). The token counts the DDI's entries (OP11-12).
///
/// Memory of a table is never read, so that InitialUpdate, where its content is junk, needs nothing more than the
/// entries that the system sends (OP11-08, GVA-23). Entries that come with NotifyEviction are written like any others;
/// a driver that tracks tables looks at the two flags before it calls. hAllocation, AllocationOffsetInBytes, hProcess
/// and FirstPteVirtualAddress are not used (OP11-07).
///
/// Every entry is judged before it is stored or committed, flags and page number (AMB-08): one that is malformed, or
/// that names what its segment does not have (GVA-18), at any place, ends the pass with nothing committed.
///
/// @return success; graphics_insufficient_dma_buffer when work is left, never in CPU-virtual mode; invalid_parameter
///         when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0.
/// Source pages: ns-d3dkmddi-_dxgk_buildpagingbuffer_updatepagetable.md, ns-d3dkmddi-_dxgk_updatepagetableflags.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_update_page_table(Hw& hw, Args& args) noexcept {
    static_cast<void>(check_page_tables_of<Hw>());
    if constexpr (updates_leaf_by_command<Hw>()) {
        if (has_lines_now(hw) && is_line_update<Hw>(args.UpdatePageTable)) [[likely]] {
            return update_leaf_by_command(hw, args);
        }
    }
    return build_any_update(hw, args);
}

}  // namespace wddmcore::paging::detail
