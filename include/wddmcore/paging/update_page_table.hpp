// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/operation.hpp"
#include "../hw/capabilities.hpp"
#include "../hw/page_table_store.hpp"
#include "endpoint.hpp"
#include "page_table_commands.hpp"
#include "page_table_immediate.hpp"
#include "pass.hpp"

/// Operation 11, UPDATE_PAGE_TABLE.
namespace wddmcore::inline WDDMCORE_ABI::paging {

/// The arrays of a request: which of them is read for which table.
///
/// OP11-06: pPageTableEntries64KB is read only with dual tables: on level 1 beside the other array, and for a leaf
/// table of 64-KiB entries in its place. AMB-22: no page says which array comes with such a leaf table; where the
/// second is NULL, the first is read.
template <class Hw, class Pte>
constexpr void choose_arrays(Pte const* entries, Pte const* entries_64k, entry_source<Pte>& from) noexcept {
    from.entries = entries;
    from.entries_64k = nullptr;
    if constexpr (Hw::page_tables.leaf == gpuva::leaf_tables::both) {
        if (from.table.level == 1) {
            from.entries_64k = entries_64k;
        } else if (from.table.leaf == leaf_kind::page_64k && entries_64k != nullptr) {
            from.entries = entries_64k;
        }
    } else {
        static_cast<void>(entries_64k);
    }
}

/// Judges everything about a request that costs the same however many entries there are, but the table's address.
///
/// @return level_out_of_range, no_64k_tables, nothing_to_update, outside_table, missing_entries, token_past_end or
///         nothing wrong; `from` is complete only then
template <class Hw, class Args, class Pte>
[[nodiscard]] constexpr finding plan_update(Args const& args, entry_source<Pte>& from) noexcept {
    auto const& update = args.UpdatePageTable;
    u32 const start = static_cast<u32>(update.StartIndex);
    u32 const count = static_cast<u32>(update.NumPageTableEntries);
    if (finding const problem =
            find_table<Hw>(static_cast<u32>(update.PageTableLevel), update.Flags.Use64KBPages != 0, from.table);
        problem.any) {
        return problem;
    }
    if (count == 0) {
        return found(paging_rule::nothing_to_update, 0);
    }
    // OP11-09: of a resizable root, whose entries only the driver knows, all that it can ever have.
    if (!fits<u64>(start, count, from.table.entries)) {
        return found(paging_rule::outside_table, u64{start} + count, from.table.entries);
    }
    Pte const* const entries = update.pPageTableEntries;
    Pte const* const entries_64k = update.pPageTableEntries64KB;
    choose_arrays<Hw>(entries, entries_64k, from);
    if (from.entries == nullptr && from.entries_64k == nullptr) {
        return found(paging_rule::missing_entries, start);
    }
    from.slots = slots_of(start, count, from.table.share_lg2);
    from.protection = static_cast<u64>(update.DriverProtection) & Hw::entry_limits.driver_protection;
    from.repeat = update.Flags.Repeat != 0;
    return check_token(static_cast<u32>(args.MultipassOffset), count);
}

/// Where commands find a table: `first` and `size` are the bytes that the request touches.
///
/// @return unknown_update_mode, misaligned_table, unknown_segment, outside_segment, address_wraps or nothing wrong
template <class Hw, class Address>
[[nodiscard]] constexpr finding find_table_address(Hw const& hw, Address const& address, page_table_update_mode mode,
                                                   u32 entry_bytes, u64 end, typename Hw::address& table) noexcept {
    static_cast<void>(hw);
    static_cast<void>(end);
    if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_virtual)) {
        if (mode == page_table_update_mode::gpu_virtual) {
            gpu_virtual_address const va{static_cast<u64>(address.GpuVirtual)};
            if ((va.n & (entry_bytes - 1)) != 0) {
                return found(paging_rule::misaligned_table, va.n, entry_bytes);
            }
            if (!checked_add(va.n, end - 1).ok) {
                return found(paging_rule::address_wraps, va.n, end);
            }
            table = hw.from_virtual(va);
            return nothing_wrong;
        }
    }
    if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_physical)) {
        if (mode == page_table_update_mode::gpu_physical) {
            segment_id const id{static_cast<u32>(address.GpuPhysical.SegmentId)};
            u64 const offset = static_cast<u64>(address.GpuPhysical.SegmentOffset);
            if ((offset & (entry_bytes - 1)) != 0) {
                return found(paging_rule::misaligned_table, offset, entry_bytes);
            }
            if (id.n == 0) {  // system memory, named by its address (GVA-06)
                if (!checked_add(offset, end - 1).ok) {
                    return found(paging_rule::address_wraps, offset, end);
                }
                table = hw.from_page(page_number{offset >> page_shift_lg2}) + bytes{offset % page_bytes};
                return nothing_wrong;
            }
            segment_place const place = hw.place(id);
            if (place.size.n == 0) {
                return found(paging_rule::unknown_segment, id.n);
            }
            if (!fits(offset, end, place.size.n)) {
                return found(paging_rule::outside_segment, offset, place.size.n);
            }
            table = hw.from_segment(id, segment_offset{offset});
            return nothing_wrong;
        }
    }
    return found(paging_rule::unknown_update_mode, static_cast<u32>(mode));
}

/// The update by the CPU: complete on return, with or without a buffer, whose contents it does not touch (OP11-04).
template <class Hw, class Args, class Pte>
[[nodiscard]] constexpr ntstatus store_update(Hw& hw, Args& args, entry_source<Pte> const& from) noexcept {
    constexpr paging_operation operation = paging_operation::update_page_table;
    auto const table = args.UpdatePageTable.PageTableAddress.CpuVirtual;
    if (table == nullptr) {
        return fault(hw, operation, found(paging_rule::missing_table, 0));
    }
    u32 const unit = lesser<u32>(from.table.entry_bytes, 8);
    if (u32 const past = edge::bytes_past(table, unit); past != 0) {
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

/// Emits the slots from one on, in the way that fits the table.
template <class Hw, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr entries_done emit_slots(Hw const& hw, dma_writer& writer,
                                                                typename Hw::address table,
                                                                entry_source<Pte> const& from, u32 slot) noexcept {
    if constexpr (has_lines<Hw>()) {
        if (is_for_lines<Hw>(from)) {
            return put_leaf_slots(hw, writer, table, from, slot);
        }
    }
    return {from.repeat ? put_alike_slots(hw, writer, table, from, slot) : put_each_slot(hw, writer, table, from, slot),
            doubt::any};
}

/// The update by command.
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
    entries_done const done = emit_slots(hw, writer, table, from, slot);
    // Only elements that are slots, one for one, leave a doubt about segments alone.
    if (remains(hw, done.open, from.entries, slot, done.reached.token - slot)) {
        if (finding const problem = judge_slots(hw, from, slot, done.reached.token); problem.any) {
            return fault(hw, operation, problem);
        }
    }
    // A pass that could write nothing leaves the token as it came.
    u32 const next = done.reached.token == slot ? token : from.slots.token_at(done.reached.token);
    return commit(hw, args, writer, progress{done.reached.what, next});
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
/// A page number wider than an entry can hold is found in CPU-virtual mode, in runs that the generator makes, and where
/// entries are encoded one by one. Lines of leaf entries by command take the system's page numbers as they come.
///
/// @return success; graphics_insufficient_dma_buffer when work is left, never in CPU-virtual mode; invalid_parameter
///         when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0.
/// Source pages: ns-d3dkmddi-_dxgk_buildpagingbuffer_updatepagetable.md, ns-d3dkmddi-_dxgk_updatepagetableflags.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_update_page_table(Hw& hw, Args& args) noexcept {
    constexpr paging_operation operation = paging_operation::update_page_table;
    static_cast<void>(check_page_tables<Hw::page_tables>());
    using pte = meta::bare<decltype(*args.UpdatePageTable.pPageTableEntries)>;
    entry_source<pte> from{};
    if (finding const problem = plan_update<Hw>(args, from); problem.any) {
        return fault(hw, operation, problem);
    }
    auto const mode = static_cast<page_table_update_mode>(static_cast<u32>(args.UpdatePageTable.UpdateMode));
    if (mode == page_table_update_mode::cpu_virtual) {
        return store_update(hw, args, from);
    }
    if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_virtual | update_modes::gpu_physical)) {
        return command_update(hw, args, mode, from);
    } else {
        return fault(hw, operation, found(paging_rule::unknown_update_mode, static_cast<u32>(mode)));
    }
}

}  // namespace wddmcore::paging
