// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/fault.hpp"
#include "../hw/page_table_copier.hpp"
#include "endpoint.hpp"
#include "page_table_slots.hpp"
#include "pass.hpp"

/// Operation 14, COPY_PAGE_TABLE_ENTRIES.
namespace wddmcore::inline WDDMCORE_ABI::paging {

/// The tables that ranges name lie at multiples of 64 KiB (OP14-01).
inline constexpr u64 copied_table_alignment = 0x1'0000;

/// How a token holds a range and an entry in it: the entry in the low bits, so many that every entry of a leaf table
/// but the one behind the last has its number (OP14-05).
template <class Hw>
inline constexpr u32 copy_token_entry_bits =
    gpuva::index_bits(Hw::page_tables, 0) - gpuva::gpu_page_lg2(Hw::page_tables);

/// A range, judged.
template <class Hw>
struct entry_copy {
    typename Hw::address source;
    typename Hw::address destination;
    u32 count;        ///< entries; none when a range is copied onto itself
    u32 chunk;        ///< the most entries of one command
    bool descending;  ///< from the last entry to the first: the destination overlaps the source from above
};

/// Judges a range: aligned tables that do not wrap, entries inside both (OP14-01).
///
/// The entries are the hardware's own, of leaf tables: that is what moves when a tile of a resource is mapped anew.
/// Inside one table the two ranges may overlap; entries that a command would destroy are then copied first, in commands
/// no longer than the distance.
/// @return misaligned_table, outside_table, address_wraps or nothing wrong; `copy` is written only then
template <class Hw, class Range>
[[nodiscard]] constexpr finding plan_range(Hw const& hw, Range const& range, entry_copy<Hw>& copy) noexcept {
    constexpr u64 size = Hw::page_tables.levels[0].entry_bytes;
    constexpr u64 entries = gpuva::hardware_entry_count(Hw::page_tables, 0);
    u64 const source = static_cast<u64>(range.SrcPageTableAddress);
    u64 const destination = static_cast<u64>(range.DstPageTableAddress);
    u32 const from = static_cast<u32>(range.SrcStartPteIndex);
    u32 const to = static_cast<u32>(range.DstStartPteIndex);
    u32 const count = static_cast<u32>(range.NumPageTableEntries);
    if ((source | destination) % copied_table_alignment != 0) {
        return found(paging_rule::misaligned_table, source % copied_table_alignment != 0 ? source : destination,
                     copied_table_alignment);
    }
    if (!fits<u64>(from, count, entries) || !fits<u64>(to, count, entries)) {
        u64 const end = u64{fits<u64>(from, count, entries) ? to : from} + count;
        return found(paging_rule::outside_table, end, entries);
    }
    if (!checked_add(source, entries * size - 1).ok || !checked_add(destination, entries * size - 1).ok) {
        return found(paging_rule::address_wraps, greater(source, destination), entries * size);
    }
    copy.source = hw.from_virtual(gpu_virtual_address{source + from * size});
    copy.destination = hw.from_virtual(gpu_virtual_address{destination + to * size});
    copy.count = count;
    copy.chunk = static_cast<u32>(lesser<u64>(Hw::copy_entries_max.n / size, ~u32{0}));
    copy.descending = false;
    if (source == destination && ranges_overlap(from, count, to, count)) {
        u32 const distance = to > from ? to - from : from - to;
        copy.count = distance == 0 ? 0 : count;
        copy.chunk = distance == 0 ? copy.chunk : lesser(copy.chunk, distance);
        copy.descending = to > from;
    }
    return nothing_wrong;
}

/// How far the copies came, and what was found on the way.
struct copies_done {
    progress reached;  ///< the token holds the range and the entry
    finding problem;
};

/// Emits ranges in their order: a later one may depend on an earlier one (OBS-11).
template <class Hw, class Range>
[[nodiscard]] constexpr copies_done put_copies(Hw const& hw, dma_writer& writer, Range const* ranges, u32 count,
                                               u32 token) noexcept {
    constexpr u64 size = Hw::page_tables.levels[0].entry_bytes;
    constexpr u32 bits = copy_token_entry_bits<Hw>;
    u32 done = token & low_mask<u32>(bits);
    for (u32 index = token >> bits; index != count; ++index) {
        entry_copy<Hw> copy{};
        if (finding const problem = plan_range(hw, ranges[index], copy); problem.any) {
            return {{outcome::done, token}, problem};
        }
        if (done != 0 && done >= copy.count) {
            return {{outcome::done, token}, found(paging_rule::token_past_end, done, copy.count)};
        }
        while (done != copy.count) {
            if (!writer.has(Hw::copy_entries_dwords)) {
                return {{outcome::need_buffer, index << bits | done}, nothing_wrong};
            }
            u32 const length = lesser(copy.count - done, copy.chunk);
            bytes const offset{(copy.descending ? copy.count - done - length : done) * size};
            hw.encode_copy_entries(writer.take(Hw::copy_entries_dwords), copy.destination + offset,
                                   copy.source + offset, length * bytes{size});
            done += length;
        }
        done = 0;
    }
    return {{outcome::done, count << bits}, nothing_wrong};
}

/// Operation 14, COPY_PAGE_TABLE_ENTRIES: hardware entries from table to table, copied by the GPU when the commands run
/// (OP14-02), range by range in the order of the list.
///
/// The token holds the range in its high bits and the entry in the low ones (OP14-05).
/// @return success; graphics_insufficient_dma_buffer when work is left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0, never with CPU-virtual updates (OP14-03).
/// Source pages: ns-d3dkmddi-_dxgk_buildpagingbuffer_copy_range.md, tile-resources.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_copy_page_table_entries(Hw& hw, Args& args) noexcept {
    constexpr paging_operation operation = paging_operation::copy_page_table_entries;
    constexpr u32 bits = copy_token_entry_bits<Hw>;
    constexpr u32 most = low_mask<u32>(32 - bits);
    u32 const count = static_cast<u32>(args.CopyPageTableEntries.NumRanges);
    auto const* const ranges = args.CopyPageTableEntries.pRanges;
    u32 const token = static_cast<u32>(args.MultipassOffset);
    finding problem = nothing_wrong;
    if (count == 0) {
        problem = found(paging_rule::nothing_to_update, 0);
    } else if (ranges == nullptr) {
        problem = found(paging_rule::missing_entries, count);
    } else if (count > most) {
        problem = found(paging_rule::too_many_ranges, count, most);
    } else {
        problem = check_token(token, count << bits);
    }
    if (problem.any) {
        return fault(hw, operation, problem);
    }
    if (token == count << bits) {
        return status::success;
    }
    if (finding const buffer = check_buffer<Hw>(args); buffer.any) {
        return fault(hw, operation, buffer);
    }
    dma_writer writer = open<Hw>(args);
    copies_done const done = put_copies(hw, writer, ranges, count, token);
    if (done.problem.any) {
        return fault(hw, operation, done.problem);
    }
    return commit(hw, args, writer, done.reached);
}

}  // namespace wddmcore::paging
