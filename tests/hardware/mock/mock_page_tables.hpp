// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mock_commands.hpp"

#include <wddmcore/gpuva.hpp>

/// The mock's page tables: pages of 16 KiB, five levels, entries of 16 bytes. Encoder's side; the walker has its own.
///
///   level   4 (root)   3         2         1         0
///   VA      [42:39]    [38:33]   [32:28]   [27:21]   [20:14]
///
/// An entry has two words of 64 bits. Low: page number [43:0] in its segment, level of the table that it stands in
/// [59:56], what it is [63:60]: 0xC data, 0xD a table. High: segment [4:0], read only b8, no execute b9, cache coherent
/// b10, large page b11, reads as zero b12 (then page and segment are 0), adapter [21:16], the driver's protection
/// [47:32], valid b63. Data may stand at levels 1 and 2 too. An entry that is not valid has 0x5A in each of its bytes:
/// no hardware need take zero for nothing.
///
/// More commands, as those of mock_gpu.hpp:
///
///   code  length  command         argument        dwords
///   0x08  7 + n   write entries   0               1-3 destination, 4 n, the entries, 0xE17D0000 | n; the last dword is
///                                                 the exclusive or of dwords 0 to 4 only
///   0x09  9       copy entries    0               1-3 destination, 4-6 source, 7 bytes
///   0x0A  5       flush all       0               1-2 offset of the root, 3 its segment
///   0x0A  9       flush a range   1               as before, 4-5 first byte, 6-7 last byte
///   0x0B  7       fence           0               1-3 place, 4-5 value
///
/// Entries: 1 to 7 in one write, 1 to 5 in one copy.
namespace wddmcore::inline WDDMCORE_ABI::testing::mock {

/// The format.
struct page_table_entries {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 5, .levels = {{9, 16}, {7, 16, true}, {5, 16, true}, {6, 16}, {4, 16}}, .gpu_page = 16 * kib};
    static constexpr page_table_entry_limits entry_limits{
        .page_number_bits = 44, .adapters = 3, .driver_protection = 0xFFFF, .valid_word = 1};

    static constexpr page_table_entry no_entry{0x5A5A'5A5A'5A5A'5A5A, 0x5A5A'5A5A'5A5A'5A5A};

    [[nodiscard]] static constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                                u64 protection) noexcept {
        pte_flags const flags = target.flags;
        if (!flags.valid()) {
            return no_entry;
        }
        u64 const rights = bit_field<u64, 8>::place(flags.read_only()) | bit_field<u64, 9>::place(flags.no_execute()) |
                           bit_field<u64, 10>::place(flags.cache_coherent()) |
                           bit_field<u64, 11>::place(kind == leaf_kind::large_page) | (protection & 0xFFFF) << 32;
        if (flags.zero()) {
            return {tag(0xC, level), bit_field<u64, 63>::mask | bit_field<u64, 12>::mask | rights};
        }
        return {page_field::place(target.page) | tag(0xC, level), place_of(flags) | rights};
    }

    [[nodiscard]] static constexpr page_table_entry encode_directory(u32 level, pte_target table, pte_target) noexcept {
        return table.flags.valid()
                   ? page_table_entry{page_field::place(table.page) | tag(0xD, level), place_of(table.flags)}
                   : no_entry;
    }

private:
    using page_field = bit_field<u64, 43, 0>;

    [[nodiscard]] static constexpr u64 tag(u64 what, u32 level) noexcept {
        return bit_field<u64, 63, 60>::place(what) | bit_field<u64, 59, 56>::place(level);
    }
    [[nodiscard]] static constexpr u64 place_of(pte_flags flags) noexcept {
        return bit_field<u64, 63>::mask | bit_field<u64, 4, 0>::place(flags.segment().n) |
               bit_field<u64, 21, 16>::place(flags.adapter());
    }
};

/// What is claimed of it: everything that the format can say.
[[nodiscard]] constexpr gpuva::gpu_mmu_capabilities mmu_claims(update_modes claimed) noexcept {
    return {.mode = contains(claimed, update_modes::gpu_physical)  ? gpuva::update_mode::gpu_physical
                    : contains(claimed, update_modes::gpu_virtual) ? gpuva::update_mode::gpu_virtual
                                                                   : gpuva::update_mode::cpu_virtual,
            .read_only = true,
            .no_execute = true,
            .zero_in_pte = true,
            .explicit_invalidation = true,
            .cache_coherent = true,
            .large_pages = true,
            .non_aligned_large_pages = true,
            .system_memory_large_pages = true};
}

/// Entries in the stream, and from table to table.
struct page_table_writes {
    static constexpr dwords write_max{28};
    static constexpr dwords write_head_dwords{5};
    static constexpr dwords write_tail_dwords{2};

    static constexpr void encode_write_head(u32* at, address destination, dwords entries) noexcept {
        line out{at, 0};
        write_head(out, destination, entries);
    }
    /// The sum is made again from what it is made of: the stream is never read back.
    static constexpr void encode_write_tail(u32* at, address destination, dwords entries) noexcept {
        u32 unused[5] = {};
        line out{unused, 0};
        write_head(out, destination, entries);
        put32(at, 0xE17D'0000u | entries.n);
        put32(at + 1, out.sum);
    }

    static constexpr bytes copy_entries_max{80};
    static constexpr dwords copy_entries_dwords{9};
    static constexpr void encode_copy_entries(u32* at, address destination, address source, bytes size) noexcept {
        line out{at, 0};
        out.head(0x09, 0, copy_entries_dwords);
        out.short_place(destination);
        out.short_place(source);
        out.put(static_cast<u32>(size.n));
        out.end();
    }

private:
    static constexpr void write_head(line& out, address destination, dwords entries) noexcept {
        out.head(0x08, 0, write_head_dwords + entries + write_tail_dwords);
        out.short_place(destination);
        out.put(entries.n);
    }
};

struct flushes {
    static constexpr dwords flush_dwords{5};
    static constexpr void encode_flush(u32* at, hw::tlb_flush const& flush) noexcept {
        line out{at, 0};
        out.head(0x0A, 0, flush_dwords);
        root(out, flush);
        out.end();
    }

    static constexpr bytes flush_granule = 32 * kib;
    static constexpr dwords flush_range_dwords{9};
    static constexpr void encode_flush_range(u32* at, hw::tlb_flush const& flush) noexcept {
        line out{at, 0};
        out.head(0x0A, 1, flush_range_dwords);
        root(out, flush);
        out.wide(flush.first.n);
        out.wide(flush.last.n);
        out.end();
    }

private:
    static constexpr void root(line& out, hw::tlb_flush const& flush) noexcept {
        out.wide(flush.root.offset.n);
        out.put(flush.root.segment.n);
    }
};

struct fences {
    static constexpr bytes fence_bytes{8};
    static constexpr dwords fence_dwords{7};
    static constexpr void encode_fence(u32* at, address place, u64 value) noexcept {
        line out{at, 0};
        out.head(0x0B, 0, fence_dwords);
        out.short_place(place);
        out.wide(value);
        out.end();
    }
};

}  // namespace wddmcore::testing::mock
