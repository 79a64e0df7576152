// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/page_table/commands.hpp"
#include "../endpoint.hpp"
#include "../pass.hpp"
#include "slots.hpp"

/// Operation 14, COPY_PAGE_TABLE_ENTRIES.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// The tables that ranges name lie at multiples of 64 KiB (OP14-01).
inline constexpr u64 copied_table_alignment = 0x1'0000;

/// How many low bits of a token hold an entry; the bits above them hold the range. Every entry of a leaf table has a
/// number in them; one past the last does not, and needs none (OP14-05).
template <class Hw>
inline constexpr u32 copy_token_entry_bits = hw::most_of_geometries<Hw>(
    [](auto const& tables) { return gpuva::index_bits(tables, 0) - gpuva::gpu_page_lg2(tables); });

/// A range, judged.
template <class Hw>
struct entry_copy {
    typename Hw::address source;
    typename Hw::address destination;
    u32 count;        ///< entries; none when a range is copied onto itself
    u32 chunk;        ///< the most entries of one command; 0 only where there are none to copy
    bool descending;  ///< from the last entry to the first: the destination overlaps the source from above
};

/// How many entries lie between the beginnings of a range's source and destination, as numbers in their tables.
[[nodiscard]] WDDMCORE_INLINE constexpr u32 distance_of(auto const& range) noexcept {
    u32 const from = static_cast<u32>(range.SrcStartPteIndex);
    u32 const to = static_cast<u32>(range.DstStartPteIndex);
    return greater(from, to) - lesser(from, to);
}

/// Whether a range's source and destination lie in one table and share entries there.
[[nodiscard]] WDDMCORE_INLINE constexpr bool overlaps_itself(auto const& range) noexcept {
    return static_cast<u64>(range.SrcPageTableAddress) == static_cast<u64>(range.DstPageTableAddress) &&
           distance_of(range) < static_cast<u32>(range.NumPageTableEntries);
}

/// Judges a range: aligned tables inside the address space (CHK-15), entries inside both (OP14-01).
///
/// @return misaligned_table, outside_table, address_wraps or nothing wrong
template <class Hw, class Range>
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_range(Hw const& hw, Range const& range) noexcept {
    constexpr u64 size = hw::any_geometry<Hw>().levels[0].entry_bytes;
    u64 const entries = hw::of_geometry(hw, [](auto const& tables) { return gpuva::hardware_entry_count(tables, 0); });
    constexpr u64 most_entries = u64{1} << copy_token_entry_bits<Hw>;
    u64 const source = static_cast<u64>(range.SrcPageTableAddress);
    u64 const destination = static_cast<u64>(range.DstPageTableAddress);
    // One test for four: bits of a table's address that are set below its alignment, or beyond the address space.
    u64 const stray = ~(last_virtual_address(hw) & ~(copied_table_alignment - 1));
    if (((source | destination) & stray) != 0) {
        u64 const misaligned = source % copied_table_alignment != 0 ? source : destination;
        return misaligned % copied_table_alignment != 0
                   ? found(paging_rule::misaligned_table, misaligned, copied_table_alignment)
                   : found(paging_rule::address_wraps, greater(source, destination), entries * size);
    }
    u32 const from = static_cast<u32>(range.SrcStartPteIndex);
    u32 const to = static_cast<u32>(range.DstStartPteIndex);
    u32 const count = static_cast<u32>(range.NumPageTableEntries);
    // In 64 bits a sum of two 32-bit numbers cannot wrap.
    if (u64{greater(from, to)} + count > entries) {
        return found(paging_rule::outside_table, u64{u64{from} + count <= entries ? to : from} + count, entries);
    }
    // A table no larger than its alignment ends where its address space does, at the latest.
    if constexpr (most_entries * size > copied_table_alignment) {
        if (!in_address_space(hw, gpu_virtual_address{greater(source, destination)}, entries * size)) {
            return found(paging_rule::address_wraps, greater(source, destination), entries * size);
        }
    }
    return nothing_wrong;
}

/// A good range whose source and destination share no entries.
///
/// The entries are the hardware's own, of leaf tables: these are what moves when a tile of a resource is remapped. A
/// range says no more of its tables than where they are (OP14-01), so that those of 64-KiB entries, or of large pages,
/// are the same: their entries are as long as the leaf's, or nobody could tell.
template <class Hw, class Range>
[[nodiscard]] WDDMCORE_INLINE constexpr entry_copy<Hw> copy_apart(Hw const& hw, Range const& range) noexcept {
    constexpr u64 size = hw::any_geometry<Hw>().levels[0].entry_bytes;
    u64 const source = static_cast<u64>(range.SrcPageTableAddress) + static_cast<u64>(range.SrcStartPteIndex) * size;
    u64 const destination =
        static_cast<u64>(range.DstPageTableAddress) + static_cast<u64>(range.DstStartPteIndex) * size;
    return {hw.from_virtual(gpu_virtual_address{source}), hw.from_virtual(gpu_virtual_address{destination}),
            static_cast<u32>(range.NumPageTableEntries),
            static_cast<u32>(lesser<u64>(Hw::copy_entries_max.n / size, ~u32{0})), false};
}

/// A good range: where it overlaps itself, entries that a command would destroy are copied first, in commands no longer
/// than the distance.
template <class Hw, class Range>
[[nodiscard]] WDDMCORE_INLINE constexpr entry_copy<Hw> copy_of_any(Hw const& hw, Range const& range) noexcept {
    entry_copy<Hw> copy = copy_apart(hw, range);
    if (overlaps_itself(range)) {
        u32 const distance = distance_of(range);
        copy.count = distance == 0 ? 0 : copy.count;
        copy.chunk = lesser(copy.chunk, distance);
        copy.descending = static_cast<u32>(range.DstStartPteIndex) > static_cast<u32>(range.SrcStartPteIndex);
    }
    return copy;
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

// Declared here because copy_ranges may end in it.
template <class Hw, class Args>
[[nodiscard]] constexpr ntstatus copy_overlapping(Hw& hw, Args& args, u32* at, u32 token) noexcept;

/// Emits the ranges from a token on, in their order: a later one may depend on an earlier one (OBS-11).
///
/// @tparam Overlapping  false: the first range that overlaps itself, and all after it, are left to copy_overlapping;
///                      no other range pays for the order in which that one is copied
/// @param writer        where the next command goes, and the room that is left
/// @param token         what the commands before `writer` have reached; inside the list
template <bool Overlapping, class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus copy_ranges(Hw& hw, Args& args, dma_writer writer,
                                                             u32 token) noexcept {
    constexpr u64 size = hw::any_geometry<Hw>().levels[0].entry_bytes;
    constexpr u32 bits = copy_token_entry_bits<Hw>;
    u32 const count = static_cast<u32>(args.CopyPageTableEntries.NumRanges);
    constexpr paging_operation operation = paging_operation::copy_page_table_entries;
    constexpr auto judge = [](Hw const& device, auto const& one, u32 entry) {
        finding const problem = check_range(device, one);
        return problem.any ? problem : found(paging_rule::token_past_end, entry, copy_of_any(device, one).count);
    };
    u32 done = token & low_mask<u32>(bits);
    u32 first = token - done;  // the token of the range's first entry
    auto const* range = args.CopyPageTableEntries.pRanges + (token >> bits);
    do {
        if constexpr (!Overlapping) {
            if (overlaps_itself(*range)) [[unlikely]] {
                return copy_overlapping(hw, args, writer.at, first | done);
            }
        }
        if (check_range(hw, *range).any) [[unlikely]] {
            return refuse(hw, *range, operation, judge, done);
        }
        entry_copy<Hw> const copy = Overlapping ? copy_of_any(hw, *range) : copy_apart(hw, *range);
        if (done >= copy.count) [[unlikely]] {
            if (done != 0) {
                return refuse(hw, *range, operation, judge, done);
            }
            continue;
        }
        do {
            if (!writer.has(Hw::copy_entries_dwords)) {
                return commit(hw, args, writer, progress{outcome::need_buffer, first | done});
            }
            u32 const length = lesser(copy.count - done, copy.chunk);
            bytes const offset{(copy.descending ? copy.count - done - length : done) * size};
            hw.encode_copy_entries(writer.take(Hw::copy_entries_dwords), copy.destination + offset,
                                   copy.source + offset, length * bytes{size});
            done += length;
        } while (done != copy.count);
        done = 0;
    } while (++range, (first += u32{1} << bits) >> bits != count);
    return commit(hw, args, writer, progress{outcome::done, first});
}

/// The same for every range.
///
/// @param at     where the next command goes; what lies between pDmaBuffer and it was written for the ranges before
/// @param token  what was reached with that
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus copy_overlapping(Hw& hw, Args& args, u32* at, u32 token) noexcept {
    dma_writer writer = open<Hw>(args);
    writer.room -= static_cast<u32>(at - writer.at);
    writer.at = at;
    return copy_ranges<true>(hw, args, writer, token);
}

/// The same in a buffer with room for no command: ranges that are copied onto themselves need none (OP14-01).
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus copy_without_room(Hw& hw, Args& args) noexcept {
    if (finding const problem = check_buffer<Hw>(args); problem.any) {
        return fault(hw, paging_operation::copy_page_table_entries, problem);
    }
    return copy_overlapping(hw, args, casts::dma_words(args.pDmaBuffer), static_cast<u32>(args.MultipassOffset));
}

/// The request, for page tables that are sound.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus build_entry_copies(Hw& hw, Args& args) noexcept {
    constexpr u32 bits = copy_token_entry_bits<Hw>;
    constexpr u32 most = low_mask<u32>(32 - bits);
    u32 const count = static_cast<u32>(args.CopyPageTableEntries.NumRanges);
    u32 const token = static_cast<u32>(args.MultipassOffset);
    // One test for none and for too many, and one for a token at the end and past it.
    if (count - 1 >= most || args.CopyPageTableEntries.pRanges == nullptr || token >> bits >= count) [[unlikely]] {
        return refuse(hw, args, paging_operation::copy_page_table_entries, [](Hw const&, Args const& request) {
            auto const& list = request.CopyPageTableEntries;
            return check_ranges<Hw>(list.pRanges != nullptr, static_cast<u32>(list.NumRanges),
                                    static_cast<u32>(request.MultipassOffset));
        });
    }
    if (!can_begin<Hw>(args, Hw::copy_entries_dwords)) [[unlikely]] {
        return copy_without_room(hw, args);
    }
    return copy_ranges<false>(hw, args, open<Hw>(args), token);
}

/// Operation 14, COPY_PAGE_TABLE_ENTRIES: hardware entries from table to table, copied by the GPU when the commands run
/// (OP14-02), range by range in the order of the list.
///
/// The token holds the range in its high bits and the entry in the low ones (OP14-05). Ranges without work, of no
/// entries or onto themselves, are skipped: where no command fits after them, the token has advanced although no byte
/// was written, as PGB-05 asks, and the next pass does not look at them again.
/// @return success; graphics_insufficient_dma_buffer when work is left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0, never with CPU-virtual updates (OP14-03).
/// Source pages: ns-d3dkmddi-_dxgk_buildpagingbuffer_copy_range.md, tile-resources.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_copy_page_table_entries(Hw& hw, Args& args) noexcept {
    if constexpr (gpuva::judge_chips<Hw>() == gpuva::no_rule_broken) {
        return build_entry_copies(hw, args);
    } else {
        static_cast<void>(check_page_tables_of<Hw>());
        return status::invalid_parameter;
    }
}

}  // namespace wddmcore::paging::detail
