// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table_stream.hpp"

/// The GPUs of the page-table tests: encoders and limits only. What a table must hold is said apart, in
/// table_model.hpp.
namespace wddmcore::inline WDDMCORE_ABI::table_tests {

/// What all of them share: segments, addresses, the stream, the fault hook.
struct common_gpu {
    using address = table_address;

    segment_place places[8] = {};
    disposition answer = disposition::stop;
    u32 faults = 0;
    paging_fault last_fault = {};
    u32 stores = 0;    ///< words stored by the CPU
    u32 finishes = 0;  ///< requests that said that their stores are over

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept {
        return id.n < 8 ? places[id.n] : segment_place{{0}, {0}};
    }
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept { return id.n == 2; }
    [[nodiscard]] static constexpr address from_page(page_number page) noexcept {
        return {byte_address(page), system_space};
    }
    [[nodiscard]] static constexpr address from_segment(segment_id id, segment_offset offset) noexcept {
        return {offset.n, segment_space(id.n)};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept {
        return {va.n, virtual_space};
    }
    [[nodiscard]] constexpr disposition on_paging_fault(paging_fault const& fault) noexcept {
        ++faults;
        last_fault = fault;
        return answer;
    }
    constexpr void store_entry_word(u64* at, u64 value) noexcept {
        ++stores;
        hw::coherent_page_table_store::store_entry_word(at, value);
    }
    constexpr void store_entry_word(u32* at, u32 value) noexcept {
        ++stores;
        hw::coherent_page_table_store::store_entry_word(at, value);
    }
    constexpr void finish_entry_stores() noexcept { ++finishes; }
};

/// Segments of every test: 1, 3 and 5 local memory, 2 an aperture; the others do not exist.
template <class Gpu>
[[nodiscard]] constexpr Gpu with_segments() {
    Gpu gpu{};
    gpu.places[1] = {{0x10'0000'0000}, {u64{16} << 30}};
    gpu.places[2] = {{0x4000'0000}, {u64{1} << 30}};
    gpu.places[3] = {{0x20'0000'0000}, {u64{8} << 30}};
    gpu.places[5] = {{0x80'0000'0000}, {u64{1} << 36}};
    return gpu;
}

/// The parts that a GPU is put together from.
template <u32 Grain>
struct grain_part {
    static constexpr dwords unit_dwords{Grain};
    static constexpr void encode_padding(u32* at, dwords n) noexcept {
        for (u32 i = 0; i != n.n; ++i) {
            at[i] = 0xFADD'0000 | n.n << 8 | i;
        }
    }
};

template <u32 Most, bool Tail>
struct write_part {
    static constexpr dwords write_max{Most};
    static constexpr dwords write_head_dwords{5};
    static constexpr void encode_write_head(u32* at, table_address destination, dwords entries) noexcept {
        words_out to{at};
        to.head(command_kind::write, 5);
        to.place(destination);
        to.word(entries.n);
    }
};
template <u32 Most>
struct write_part<Most, true> : write_part<Most, false> {
    static constexpr dwords write_tail_dwords{1};
    static constexpr void encode_write_tail(u32* at, table_address, dwords entries) noexcept {
        at[0] = 0xE7A1'0000 | entries.n;
    }
};

template <u32 Most, u32 EntryBytes>
struct generate_part {
    static constexpr u32 generate_max = Most;
    static constexpr u32 generate_entry_bytes = EntryBytes;
    static constexpr dwords generate_dwords{10};
    static constexpr void encode_generate(u32* at, table_address destination, entry_run const& run) noexcept {
        words_out to{at};
        to.head(command_kind::generate, 10 | EntryBytes << 16);
        to.place(destination);
        to.wide(run.add);
        to.wide(run.start);
        to.word(static_cast<u32>(run.step));
        to.word(run.count);
    }
};
template <u32 EntryBytes>
struct generate_part<0, EntryBytes> {};

template <u64 Most, u64 Alignment, u64 PatternBytes>
struct fill_part {
    static constexpr bytes fill_max{Most};
    static constexpr bytes fill_alignment{Alignment};
    static constexpr bytes fill_pattern_bytes{PatternBytes};
    static constexpr dwords fill_dwords{7};
    static constexpr void encode_fill(u32* at, table_address destination, bytes size, u32 pattern) noexcept {
        words_out to{at};
        to.head(command_kind::fill, 7);
        to.place(destination);
        to.wide(size.n);
        to.word(pattern);
    }
};
template <u64 Alignment, u64 PatternBytes>
struct fill_part<0, Alignment, PatternBytes> {};

/// A fill that goes to the next multiple of 64 bytes by a command of its own, so that it is one command or two.
struct split_fill_part : fill_part<0x40'0000, 4, 4> {
    static constexpr dwords fill_dwords_most{14};
    [[nodiscard]] static constexpr dwords fill_dwords_of(table_address destination, bytes size, u32) noexcept {
        return head_of(destination, size).n == 0 ? dwords{7} : dwords{14};
    }
    static constexpr void encode_fill(u32* at, table_address destination, bytes size, u32 pattern) noexcept {
        bytes const head = head_of(destination, size);
        if (head.n != 0) {
            fill_part::encode_fill(at, destination, head, pattern);
            at += 7;
        }
        fill_part::encode_fill(at, destination + head, size - head, pattern);
    }

private:
    using fill_part::fill_dwords;

    [[nodiscard]] static constexpr bytes head_of(table_address destination, bytes size) noexcept {
        bytes const head{(64 - destination.n % 64) % 64};
        return head < size ? head : bytes{0};
    }
};

template <u64 Most>
struct copy_part {
    static constexpr bytes copy_entries_max{Most};
    static constexpr dwords copy_entries_dwords{9};
    static constexpr void encode_copy_entries(u32* at, table_address destination, table_address source,
                                              bytes size) noexcept {
        words_out to{at};
        to.head(command_kind::copy, 9);
        to.place(destination);
        to.place(source);
        to.wide(size.n);
    }
};

inline constexpr capabilities all_modes{.version = wddm::v2_9,
                                        .gpu_mmu = claim::yes,
                                        .page_tables = update_modes::cpu_virtual | update_modes::gpu_virtual |
                                                       update_modes::gpu_physical,
                                        .tiled_resources = claim::yes};

/// Four levels of nine bits, entries of eight bytes: valid b0, system b1, snooped b2, executable b4, readable b5,
/// writeable b6, protection [11:8], address [47:12], zero b51, directory b62, large page b54.
struct plain_format : common_gpu {
    static constexpr capabilities caps = all_modes;
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 4,
                                                            .levels = {{9, 8}, {9, 8, true}, {9, 8, true}, {9, 8}}};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{
        .read_only = true, .no_execute = true, .zero_in_pte = true, .cache_coherent = true, .large_pages = true};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 34, .driver_protection = 0xF};
    static constexpr u32 entry_page_shift = 12;

    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags,
                                                        u64 protection) const noexcept {
        if (!flags.valid()) {
            return {0, 0};
        }
        if (flags.zero()) {
            return {0, u64{1} << 51};
        }
        u64 const rights = (flags.no_execute() ? 0 : u64{1} << 4) | u64{1} << 5 |
                           (flags.read_only() ? 0 : u64{1} << 6) | (flags.cache_coherent() ? u64{1} << 2 : 0);
        u64 const where = flags.segment().n == 0 ? 2 : place(flags.segment()).base.n;
        u64 const large = kind == leaf_kind::large_page ? u64{1} << 54 : 0;
        return {0x0000'FFFF'FFFF'F000, 1 | rights | where | protection << 8 | large};
    }
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32, pte_target target,
                                                         u64 protection) const noexcept {
        entry_attributes const a = attributes(kind, target.flags, protection);
        return {((target.page << entry_page_shift) & a.mask) + a.add, 0};
    }
    [[nodiscard]] constexpr page_table_entry encode_directory(u32, pte_target table, pte_target) const noexcept {
        if (!table.flags.valid()) {
            return {0, 0};
        }
        u64 const where = table.flags.segment().n == 0 ? 2 : place(table.flags.segment()).base.n;
        return {(u64{1} << 62) + 1 + where + (table.page << 12), 0};
    }
};

/// Inline writes only.
struct plain_gpu : plain_format, grain_part<1>, write_part<0xF'FFFE, false>, copy_part<4096> {};

/// The same, with a table of attributes that the driver filled.
struct table_gpu : plain_gpu {
    attribute_table const* table = nullptr;
    [[nodiscard]] constexpr attribute_table const* attributes_by_key(u64 protection) const noexcept {
        return protection == 0 ? table : nullptr;
    }
};

/// With a fill engine that wants 64 bytes.
struct coarse_gpu : plain_format,
                    grain_part<1>,
                    write_part<0xF'FFFE, false>,
                    fill_part<0x40'0000, 64, 4>,
                    copy_part<4096> {};

/// With a generator and a fill engine.
struct generator_gpu : plain_format,
                       grain_part<1>,
                       write_part<0x3FFE, false>,
                       generate_part<0x4'0000, 8>,
                       fill_part<0x40'0000, 4, 4>,
                       copy_part<4096> {
    attribute_table const* table = nullptr;
    [[nodiscard]] constexpr attribute_table const* attributes_by_key(u64 protection) const noexcept {
        return protection == 0 ? table : nullptr;
    }
};

/// With a fill whose length depends on where the table lies.
struct split_fill_gpu : plain_format, grain_part<1>, write_part<0x3FFE, false>, split_fill_part, copy_part<4096> {};

/// The same promises at odd limits: a grain of three, short writes, runs of at most eleven, a fill of one byte.
struct odd_gpu : plain_format,
                 grain_part<3>,
                 write_part<26, true>,
                 generate_part<11, 8>,
                 fill_part<100, 4, 1>,
                 copy_part<24> {};

/// Dual page tables: a leaf of 8 bytes, a directory level 1 of 16 bytes with two halves. Valid b0 of a leaf, aperture
/// [2:1] (0 video, 2 system coherent), read only b6, kind [63:56], page from b8; halves of a directory: aperture [2:1]
/// (0 invalid, 1 video, 2 system), big address from b4 in units of 256 bytes, small from b8.
struct dual_gpu : common_gpu, grain_part<1>, write_part<64, true>, fill_part<4096, 8, 4>, copy_part<512> {
    static constexpr capabilities caps = all_modes;
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 4, .levels = {{9, 8}, {8, 16, true}, {9, 8}, {9, 8}}, .leaf = gpuva::leaf_tables::both};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{.read_only = true, .large_pages = true};
    static constexpr page_table_entry_limits entry_limits{
        .page_number_bits = 36, .adapters = 4, .driver_protection = 0xFF};
    static constexpr u32 entry_page_shift = 8;

    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags,
                                                        u64 protection) const noexcept {
        if (!flags.valid()) {
            return {0, 0};
        }
        u64 const aperture = flags.adapter() != 0 ? 1 : flags.segment().n == 0 ? 2 : 0;
        u64 const base = flags.segment().n == 0 || flags.adapter() != 0 ? 0 : place(flags.segment()).base.n >> 4;
        u64 const peer = u64{flags.adapter()} << 52;
        u64 const sort = kind == leaf_kind::page_64k ? u64{1} << 4 : 0;
        return {0x000F'FFFF'FFFF'FF00,
                1 | aperture << 1 | (flags.read_only() ? 0x40 : 0) | base | peer | sort | protection << 56};
    }
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32, pte_target target,
                                                         u64 protection) const noexcept {
        entry_attributes const a = attributes(kind, target.flags, protection);
        return {((target.page << entry_page_shift) & a.mask) + a.add, 0};
    }
    [[nodiscard]] constexpr page_table_entry encode_directory(u32 level, pte_target table,
                                                              pte_target table_64k) const noexcept {
        u64 const four = half(table, 8);
        return level == 1 ? page_table_entry{half(table_64k, 12), four} : page_table_entry{four, 0};
    }

private:
    [[nodiscard]] constexpr u64 half(pte_target table, u32 shift) const noexcept {
        if (!table.flags.valid()) {
            return 0;
        }
        u64 const base = table.flags.segment().n == 0 ? 0 : place(table.flags.segment()).base.n >> 12;
        return (table.flags.segment().n == 0 ? 4u : 2u) | (table.page + base) << shift;
    }
};

/// Two levels with entries of four bytes: valid b28, writeable b29, 64 KiB b30, frame [23:0]; the leaf table is of
/// either size, and the root grows.
struct narrow_gpu : common_gpu,
                    grain_part<2>,
                    write_part<31, false>,
                    fill_part<1000, 4, 4>,
                    generate_part<50, 4>,
                    copy_part<4> {
    static constexpr capabilities caps = all_modes;
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 2, .levels = {{10, 4}, {0, 4}}, .virtual_address_bits = 32, .leaf = gpuva::leaf_tables::either};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{.read_only = true, .system_memory_64k_pages = true};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 22};
    static constexpr u32 entry_page_shift = 0;

    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags, u64) const noexcept {
        if (!flags.valid()) {
            return {0, 0};
        }
        u64 const base = flags.segment().n == 0 ? 0 : (flags.segment().n << 22);
        return {0x00FF'FFFF, u64{1} << 28 | (flags.read_only() ? 0 : u64{1} << 29) |
                                 (kind == leaf_kind::page_64k ? u64{1} << 30 : 0) | base};
    }
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32, pte_target target,
                                                         u64 protection) const noexcept {
        entry_attributes const a = attributes(kind, target.flags, protection);
        return {((target.page << entry_page_shift) & a.mask) + a.add, 0};
    }
    [[nodiscard]] constexpr page_table_entry encode_directory(u32, pte_target table,
                                                              pte_target table_64k) const noexcept {
        pte_target const& t = table_64k.flags.valid() ? table_64k : table;
        u64 const sort = table_64k.flags.valid() ? 3 : 1;
        return {t.flags.valid() ? sort << 30 | t.page : 0, 0};
    }
};

/// Like no GPU: pages of 16 KiB, five levels of odd widths, entries of 16 bytes whose valid bit is b63 of the high
/// word, the page in the low word, a grain of three, one entry a command.
struct odd_page_gpu : common_gpu, grain_part<3>, write_part<4, false>, copy_part<16> {
    static constexpr capabilities caps = all_modes;
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 5, .levels = {{8, 16}, {7, 16, true}, {5, 16, true}, {6, 16}, {9, 16}}, .gpu_page = 16 * kib};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{
        .no_execute = true, .large_pages = true, .non_aligned_large_pages = true};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 50, .valid_word = 1};

    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                         u64) const noexcept {
        if (!target.flags.valid()) {
            return {0, 0};
        }
        return {target.page, u64{1} << 63 | u64{target.flags.segment().n} << 8 | (target.flags.no_execute() ? 2 : 0) |
                                 (kind == leaf_kind::large_page ? 1 : 0) | u64{level} << 16};
    }
    [[nodiscard]] constexpr page_table_entry encode_directory(u32 level, pte_target table, pte_target) const noexcept {
        if (!table.flags.valid()) {
            return {0, 0};
        }
        return {table.page, u64{1} << 63 | u64{table.flags.segment().n} << 8 | 4 | u64{level} << 16};
    }
};

}  // namespace wddmcore::table_tests
