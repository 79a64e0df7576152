// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <paging/wddm2_gpu.hpp>

/// Page tables like no GPU's: every entry spells out all that it was made from, so that nothing can be lost, added or
/// mixed up unseen. What the library owes is that the right encoder is asked with the right numbers.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Records of page-table commands, behind those of recorder.hpp. A write is followed by its entries.
inline constexpr u32 write_entries_kind = 24;
inline constexpr u32 generate_entries_kind = 25;
inline constexpr u32 copy_entries_kind = 26;
inline constexpr u32 write_tail = 0x7A11'0000;

/// The stores of one pass into page tables, in their order.
struct entry_store_log {
    static constexpr u32 capacity = 2200;
    void const* at[capacity];
    u32 count = 0;
    u32 finished = 0;
    void add(void const* where) {
        if (count < capacity) {
            at[count] = where;
        }
        ++count;
    }
};
inline entry_store_log entry_stores;

struct entry_store_part {
    static void store_entry_word(u64* at, u64 value) noexcept {
        entry_stores.add(at);
        *at = value;
    }
    static void store_entry_word(u32* at, u32 value) noexcept {
        entry_stores.add(at);
        *at = value;
    }
    static void finish_entry_stores() noexcept { ++entry_stores.finished; }
};

/// An entry of eight bytes: the DDI's Valid to NoExecute [4:0], kind [6:5], protection [10:7], LargePage b11, page
/// [45:12], segment [50:46], adapter [56:51], level [59:57]. PageTablePageSize [61:60] of what names a table only.
[[nodiscard]] constexpr u64 eight_bytes_add(leaf_kind kind, u32 level, pte_flags flags, u64 protection) {
    return (flags.n & 0x1F) | u64{static_cast<u32>(kind)} << 5 | protection << 7 | (flags.large_page() ? 0x800u : 0u) |
           u64{flags.segment().n} << 46 | u64{flags.adapter()} << 51 | u64{level} << 57;
}
inline constexpr u64 eight_bytes_mask = low_mask<u64>(34) << 12;

struct eight_byte_leaves {
    static constexpr u32 entry_page_shift = 12;
    [[nodiscard]] static constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags,
                                                               u64 protection) noexcept {
        if (!flags.valid()) {
            return {0, 0};
        }
        if (flags.zero()) {
            // It names nothing, so that only what leaf entries commonly differ in counts.
            return {0, eight_bytes_add(kind, 0, pte_flags{flags.n & pte_flags::key}, protection)};
        }
        return {eight_bytes_mask, eight_bytes_add(kind, 0, flags, protection)};
    }
    [[nodiscard]] static constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                                u64 protection) noexcept {
        entry_attributes const a = attributes(kind, target.flags, protection);
        u64 const where = target.flags.valid() ? u64{level} << 57 : 0;
        return {((target.page << 12) & a.mask) + a.add + where, 0};
    }
    /// What a directory says of one table: b62.
    [[nodiscard]] static constexpr u64 table_of(u32 level, pte_target table) noexcept {
        if (!table.flags.valid()) {
            return 0;
        }
        return u64{1} << 62 | eight_bytes_add(leaf_kind::gpu_page, level, table.flags, 0) |
               ((table.page << 12) & eight_bytes_mask) | (table.flags.n >> 17 & 3) << 60;
    }
};

/// Four levels of eight bytes, every claim, and a table of attributes for protection 0.
struct plain_tables : eight_byte_leaves, entry_store_part {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 4,
                                                            .levels = {{9, 8}, {9, 8, true}, {9, 8, true}, {9, 8}}};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{
        .read_only = true, .no_execute = true, .zero_in_pte = true, .cache_coherent = true, .large_pages = true};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 34, .driver_protection = 0xF};
    [[nodiscard]] static constexpr page_table_entry encode_directory(u32 level, pte_target table, pte_target) noexcept {
        return {table_of(level, table), 0};
    }
    attribute_table const* attributes_of_keys = nullptr;
    [[nodiscard]] attribute_table const* attributes_by_key(u64 protection) const noexcept {
        return protection == 0 ? attributes_of_keys : nullptr;
    }
};

/// Dual tables: level 1 has sixteen bytes, a half for either table; four adapters; few claims.
struct dual_tables : eight_byte_leaves, entry_store_part {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 4, .levels = {{9, 8}, {8, 16, true}, {9, 8}, {9, 8}}, .leaf = gpuva::leaf_tables::both};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{.read_only = true, .large_pages = true};
    static constexpr page_table_entry_limits entry_limits{
        .page_number_bits = 34, .adapters = 4, .driver_protection = 7};
    [[nodiscard]] static constexpr page_table_entry encode_directory(u32 level, pte_target table,
                                                                     pte_target table_64k) noexcept {
        u64 const big = table_of(level, table_64k);
        return level == 1 ? page_table_entry{table_of(level, table), big == 0 ? 0 : big | u64{1} << 63}
                          : page_table_entry{table_of(level, table), 0};
    }
};

/// Two levels of four bytes, leaf tables of either size, a root that grows. Page [13:0], kind [15:14], Valid to
/// NoExecute [20:16], segment [25:21], level b26, a table b27, of 64-KiB entries b28, protection [31:29].
struct narrow_tables : entry_store_part {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 2, .levels = {{10, 4}, {0, 4}}, .virtual_address_bits = 32, .leaf = gpuva::leaf_tables::either};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{
        .read_only = true, .cache_coherent = true, .system_memory_64k_pages = true};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 14, .driver_protection = 7};
    [[nodiscard]] static constexpr u64 four_bytes(leaf_kind kind, u32 level, pte_target target) noexcept {
        if (!target.flags.valid()) {
            return 0;
        }
        return (target.page & low_mask<u64>(14)) | u64{static_cast<u32>(kind)} << 14 | (target.flags.n & 0x1F) << 16 |
               u64{target.flags.segment().n} << 21 | u64{level} << 26;
    }
    [[nodiscard]] static constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                                u64 protection) noexcept {
        u64 const entry = four_bytes(kind, level, target);
        return {entry == 0 ? 0 : entry | protection << 29, 0};
    }
    [[nodiscard]] static constexpr page_table_entry encode_directory(u32 level, pte_target table,
                                                                     pte_target table_64k) noexcept {
        u64 const small = four_bytes(leaf_kind::gpu_page, level, table);
        u64 const big = four_bytes(leaf_kind::gpu_page, level, table_64k);
        return {(small == 0 ? 0 : small | u64{1} << 27) + (big == 0 ? 0 : big | u64{3} << 27), 0};
    }
};

/// Pages of 16 KiB, five levels of odd widths, sixteen bytes: the page in the low word, everything else in the high
/// one with the valid bit at its top.
struct odd_tables : entry_store_part {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 5, .levels = {{8, 16}, {7, 16, true}, {5, 16, true}, {6, 16}, {9, 16}}, .gpu_page = 16 * kib};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{
        .no_execute = true, .zero_in_pte = true, .large_pages = true, .non_aligned_large_pages = true};
    static constexpr page_table_entry_limits entry_limits{
        .page_number_bits = 50, .driver_protection = 0xFF00, .valid_word = 1};
    [[nodiscard]] static constexpr page_table_entry sixteen_bytes(u64 sort, u32 level, pte_target target,
                                                                  u64 protection) noexcept {
        if (!target.flags.valid()) {
            return {0, 0};
        }
        return {target.flags.zero() ? 0 : target.page,
                u64{1} << 63 | target.flags.n | u64{level} << 20 | sort << 24 | protection << 32};
    }
    [[nodiscard]] static constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                                u64 protection) noexcept {
        return sixteen_bytes(static_cast<u32>(kind), level, target, protection);
    }
    [[nodiscard]] static constexpr page_table_entry encode_directory(u32 level, pte_target table, pte_target) noexcept {
        return sixteen_bytes(8, level, table, 0);
    }
};

/// Writes of entries by command.
template <u32 Most, bool Tail>
struct entry_write_part {
    static constexpr dwords write_max{Most};
    static constexpr dwords write_head_dwords{6};
    static constexpr void encode_write_head(u32* at, recorded_address place, dwords entries) noexcept {
        record_writer to{at};
        to.head(static_cast<record_kind>(write_entries_kind), write_head_dwords);
        to.place(place);
        to.word(entries.n);
    }
};
template <u32 Most>
struct entry_write_part<Most, true> : entry_write_part<Most, false> {
    static constexpr dwords write_tail_dwords{1};
    static constexpr void encode_write_tail(u32* at, recorded_address, dwords entries) noexcept {
        at[0] = write_tail | entries.n;
    }
};

/// Runs of entries made by one command.
template <u32 Most, u32 EntryBytes>
struct entry_generate_part {
    static constexpr u32 generate_max = Most;
    static constexpr u32 generate_entry_bytes = EntryBytes;
    static constexpr dwords generate_dwords{12};
    static constexpr void encode_generate(u32* at, recorded_address place, entry_run const& run) noexcept {
        record_writer to{at};
        to.head(static_cast<record_kind>(generate_entries_kind), generate_dwords);
        to.place(place);
        to.wide(run.add);
        to.wide(run.start);
        to.wide(run.step);
        to.word(run.count);
    }
};

/// Copies of entries.
template <u64 Most>
struct entry_copy_part {
    static constexpr bytes copy_entries_max{Most};
    static constexpr dwords copy_entries_dwords{11};
    static constexpr void encode_copy_entries(u32* at, recorded_address to_place, recorded_address from,
                                              bytes size) noexcept {
        record_writer to{at};
        to.head(static_cast<record_kind>(copy_entries_kind), copy_entries_dwords);
        to.place(to_place);
        to.place(from);
        to.wide(size.n);
    }
};

}  // namespace wddmcore::testing::fuzz
