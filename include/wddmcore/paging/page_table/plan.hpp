// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../endpoint.hpp"
#include "entries.hpp"

/// What a request of operation 11 says, judged as far as the cost does not depend on the number of entries.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// The arrays of a request: which of them is read for which table.
///
/// OP11-06: pPageTableEntries64KB is read only with dual tables: on level 1 beside the other array, and for a leaf
/// table of 64-KiB entries in its place. AMB-22: no page says which array comes with such a leaf table; where the
/// second is NULL, the first is read. AMB-56: on level 1 the half whose array is NULL is cleared (read_target).
///
/// @param from  comes empty but for its table
template <class Hw, class Pte>
constexpr void choose_arrays(Pte const* entries, [[maybe_unused]] Pte const* entries_64k,
                             entry_source<Pte>& from) noexcept {
    from.entries = entries;
    if constexpr (hw::any_geometry<Hw>().leaf == gpuva::leaf_tables::both) {
        if (from.table.level == 1) {
            from.entries_64k = entries_64k;
        } else if (from.table.leaf == leaf_kind::page_64k && entries_64k != nullptr) {
            from.entries = entries_64k;
        }
    }
}

/// Judges a request whose table was found: all but the table's address, and the entries themselves.
///
/// @return nothing_to_update, outside_table, missing_entries, token_past_end or nothing wrong; `from` is complete only
///         then
template <class Hw, class Args, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_entries(Hw const& hw, Args const& args,
                                                             entry_source<Pte>& from) noexcept {
    auto const& update = args.UpdatePageTable;
    u32 const start = static_cast<u32>(update.StartIndex);
    u32 const count = static_cast<u32>(update.NumPageTableEntries);
    if (count == 0) {
        return found(paging_rule::nothing_to_update, 0);
    }
    // OP11-09: of a resizable root, whose entries only the driver knows, all that it can ever have.
    if (u64{start} + count > from.table.entries) {  // a sum of two 32-bit numbers cannot wrap
        return found(paging_rule::outside_table, u64{start} + count, from.table.entries);
    }
    Pte const* const entries = update.pPageTableEntries;
    Pte const* const entries_64k = update.pPageTableEntries64KB;
    choose_arrays<Hw>(entries, entries_64k, from);
    if (from.entries == nullptr && from.entries_64k == nullptr) {
        return found(paging_rule::missing_entries, start);
    }
    from.slots = slots_of(start, count, from.table.share_lg2);
    from.protection = static_cast<u64>(update.DriverProtection) & hw::entry_limits_of(hw).driver_protection;
    from.repeat = update.Flags.Repeat != 0;
    return check_token(static_cast<u32>(args.MultipassOffset), count);
}

/// The same, table included.
///
/// @return level_out_of_range, no_64k_tables, or as plan_entries
template <class Hw, class Args, class Pte>
[[nodiscard]] constexpr finding plan_update(Hw const& hw, Args const& args, entry_source<Pte>& from) noexcept {
    auto const& update = args.UpdatePageTable;
    u32 const level = static_cast<u32>(update.PageTableLevel);
    finding const problem = find_table(hw, level, update.Flags.Use64KBPages != 0, from.table);
    return problem.any ? problem : plan_entries(hw, args, from);
}

/// Finds the address of a table for commands.
///
/// @param end    bytes from the start of the table to the end of what the request touches, at least 1
/// @param table  written only when nothing is wrong
/// @return unknown_update_mode, misaligned_table, unknown_segment, outside_segment, address_wraps, list_wraps for a
///         table in system memory beyond the device's reach (ADL-06), or nothing wrong
template <class Hw, class Address>
[[nodiscard]] WDDMCORE_INLINE constexpr finding find_table_address([[maybe_unused]] Hw const& hw,
                                                                   Address const& address, page_table_update_mode mode,
                                                                   u32 entry_bytes, [[maybe_unused]] u64 end,
                                                                   typename Hw::address& table) noexcept {
    if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_virtual)) {
        if (mode == page_table_update_mode::gpu_virtual) {
            gpu_virtual_address const va{static_cast<u64>(address.GpuVirtual)};
            if ((va.n & (entry_bytes - 1)) != 0) {
                return found(paging_rule::misaligned_table, va.n, entry_bytes);
            }
            if (!in_address_space(hw, va, end)) {
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
                if (u64 const last = (offset + (end - 1)) >> page_shift_lg2; last > last_visible_page_of<Hw>) {
                    return found(paging_rule::list_wraps, last, last_visible_page_of<Hw>);
                }
                table = hw.from_page(page_number{offset >> page_shift_lg2}) + bytes{offset % page_bytes};
                return nothing_wrong;
            }
            if (finding const problem = check_segment_place(hw, id, segment_offset{offset}, end); problem.any) {
                return problem;
            }
            table = hw.from_segment(id, segment_offset{offset});
            return nothing_wrong;
        }
    }
    return found(paging_rule::unknown_update_mode, static_cast<u32>(mode));
}

}  // namespace wddmcore::paging::detail
