// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../gpuva/judge.hpp"
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
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_range(Hw const& hw, Range const& range,
                                                           entry_copy<Hw>& copy) noexcept {
    constexpr u64 size = Hw::page_tables.levels[0].entry_bytes;
    constexpr u64 entries = gpuva::hardware_entry_count(Hw::page_tables, 0);
    u64 const source = static_cast<u64>(range.SrcPageTableAddress);
    u64 const destination = static_cast<u64>(range.DstPageTableAddress);
    if ((source | destination) % copied_table_alignment != 0) {
        return found(paging_rule::misaligned_table, source % copied_table_alignment != 0 ? source : destination,
                     copied_table_alignment);
    }
    u32 const from = static_cast<u32>(range.SrcStartPteIndex);
    u32 const to = static_cast<u32>(range.DstStartPteIndex);
    u32 const count = static_cast<u32>(range.NumPageTableEntries);
    // A sum of 32-bit numbers cannot wrap, and with the bits of both indices it is no less than either end.
    if (u64{from | to} + count > entries && (u64{from} + count > entries || u64{to} + count > entries)) {
        return found(paging_rule::outside_table, u64{u64{from} + count <= entries ? to : from} + count, entries);
    }
    // A table no larger than its alignment cannot wrap.
    if constexpr (entries * size > copied_table_alignment) {
        if (!checked_add(greater(source, destination), entries * size - 1).ok) {
            return found(paging_rule::address_wraps, greater(source, destination), entries * size);
        }
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

/// Judges the list as a whole (OP14-05).
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_ranges(bool is_there, u32 count, u32 token) noexcept {
    constexpr u32 bits = copy_token_entry_bits<Hw>;
    constexpr u32 most = low_mask<u32>(32 - bits);
    if (count == 0) {
        return found(paging_rule::nothing_to_update, 0);
    }
    if (!is_there) {
        return found(paging_rule::missing_entries, count);
    }
    return count > most ? found(paging_rule::too_many_ranges, count, most) : check_token(token, count << bits);
}

/// Tells what is wrong with the list, judged anew, or that nothing is left of it.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus refuse_ranges(Hw& hw, Args const& args) noexcept {
    auto const& request = args.CopyPageTableEntries;
    finding const problem = check_ranges<Hw>(request.pRanges != nullptr, static_cast<u32>(request.NumRanges),
                                             static_cast<u32>(args.MultipassOffset));
    return problem.any ? fault(hw, paging_operation::copy_page_table_entries, problem) : status::success;
}

/// Tells what is wrong with a range, judged anew, or with the token's entry in it.
template <class Hw, class Range>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus refuse_range(Hw& hw, Range const& range, u32 done) noexcept {
    entry_copy<Hw> copy{};
    finding const problem = plan_range(hw, range, copy);
    return fault(hw, paging_operation::copy_page_table_entries,
                 problem.any ? problem : found(paging_rule::token_past_end, done, copy.count));
}

/// Emits the ranges from the token on, in their order: a later one may depend on an earlier one (OBS-11).
template <class Hw, class Args, class Range>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus copy_ranges(Hw& hw, Args& args, Range const* ranges,
                                                             u32 count) noexcept {
    constexpr u64 size = Hw::page_tables.levels[0].entry_bytes;
    constexpr u32 bits = copy_token_entry_bits<Hw>;
    dma_writer writer = open<Hw>(args);
    u32 const token = static_cast<u32>(args.MultipassOffset);
    u32 done = token & low_mask<u32>(bits);
    Range const* range = ranges + (token >> bits);
    u32 left = count - (token >> bits);  // ranges, at least one
    do {
        entry_copy<Hw> copy{};
        if (plan_range(hw, *range, copy).any) [[unlikely]] {
            return refuse_range(hw, *range, done);
        }
        if (done >= copy.count) [[unlikely]] {
            if (done != 0) {
                return refuse_range(hw, *range, done);
            }
            continue;
        }
        do {
            if (!writer.has(Hw::copy_entries_dwords)) {
                return commit(hw, args, writer, progress{outcome::need_buffer, (count - left) << bits | done});
            }
            u32 const length = lesser(copy.count - done, copy.chunk);
            bytes const offset{(copy.descending ? copy.count - done - length : done) * size};
            hw.encode_copy_entries(writer.take(Hw::copy_entries_dwords), copy.destination + offset,
                                   copy.source + offset, length * bytes{size});
            done += length;
        } while (done != copy.count);
        done = 0;
    } while (++range, --left != 0);
    return commit(hw, args, writer, progress{outcome::done, count << bits});
}

/// The same with room for no command, or with no buffer: ranges that are copied onto themselves need none (OP14-01).
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus copy_without_room(Hw& hw, Args& args) noexcept {
    if (finding const problem = check_buffer<Hw>(args); problem.any) {
        return fault(hw, paging_operation::copy_page_table_entries, problem);
    }
    auto const* const ranges = args.CopyPageTableEntries.pRanges;
    return copy_ranges(hw, args, ranges, static_cast<u32>(args.CopyPageTableEntries.NumRanges));
}

/// The request, for page tables that are sound.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus build_entry_copies(Hw& hw, Args& args) noexcept {
    constexpr u32 bits = copy_token_entry_bits<Hw>;
    constexpr u32 most = low_mask<u32>(32 - bits);
    u32 const count = static_cast<u32>(args.CopyPageTableEntries.NumRanges);
    auto const* const ranges = args.CopyPageTableEntries.pRanges;
    u32 const token = static_cast<u32>(args.MultipassOffset);
    // One test for none and for too many, and one for a token at the end and behind it.
    if (count - 1 >= most || ranges == nullptr || token >> bits >= count) [[unlikely]] {
        return refuse_ranges(hw, args);
    }
    if (!can_begin<Hw>(args, Hw::copy_entries_dwords)) [[unlikely]] {
        return copy_without_room(hw, args);
    }
    return copy_ranges(hw, args, ranges, count);
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
    if constexpr (gpuva::is_sound<Hw::page_tables>) {
        return build_entry_copies(hw, args);
    } else {
        static_cast<void>(check_page_tables<Hw::page_tables>());
        return status::invalid_parameter;
    }
}

}  // namespace wddmcore::paging
