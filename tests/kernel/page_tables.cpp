// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What a driver with page tables would have of the library: operations 11, 12 and 14 behind DxgkDdiBuildPagingBuffer,
// for formats that take every way through them.

#include <hardware/cpu.hpp>
#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

using namespace wddmcore;
namespace cpu = wddmcore::examples::cpu;

namespace {

constexpr update_modes every_mode = update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical;

constexpr capabilities every_table_operation{.version = wddm::v3_2,
                                             .oldest = wddm::v2_0,
                                             .addresses = paging_addresses::gpu_virtual,
                                             .aperture = aperture_forms::either,
                                             .gpu_mmu = claim::yes,
                                             .page_tables = every_mode,
                                             .tiled_resources = claim::at_run_time};

constexpr capabilities tables_of_the_cpu{.version = wddm::v2_0,
                                         .addresses = paging_addresses::gpu_virtual,
                                         .aperture = aperture_forms::mdl,
                                         .gpu_mmu = claim::yes,
                                         .page_tables = update_modes::cpu_virtual,
                                         .tiled_resources = claim::yes};

/// Flushes, inline writes and copies of entries; what a processor would do with them does not matter here.
template <capabilities Caps>
struct table_commands : cpu::processor<Caps>, hw::coherent_page_table_store {
    using address = cpu::address;

    static constexpr dwords flush_dwords{4};
    static void encode_flush(u32* at, hw::tlb_flush const& flush) noexcept {
        put64(at, flush.root.segment.n);
        put64(at + 2, flush.root.offset.n);
    }
    static constexpr bytes flush_granule{0x1'0000};
    static constexpr dwords flush_range_dwords{6};
    static void encode_flush_range(u32* at, hw::tlb_flush const& flush) noexcept {
        put64(at, flush.root.offset.n);
        put64(at + 2, flush.first.n);
        put64(at + 4, flush.last.n);
    }

    static constexpr dwords write_max{0x3FFC};
    static constexpr dwords write_head_dwords{4};
    static void encode_write_head(u32* at, address destination, dwords entries) noexcept {
        put64(at, entries.n);
        put64(at + 2, destination.n);
    }

    static constexpr bytes copy_entries_max{0x1000};
    static constexpr dwords copy_entries_dwords{8};
    static void encode_copy_entries(u32* at, address destination, address source, bytes size) noexcept {
        cpu::processor<Caps>::encode_copy(at, destination, source, size);
    }
};

/// Dual tables, entries that are lines, a table of attributes, a generator, and a command that ends behind its entries.
struct dual_tables : table_commands<every_table_operation> {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 4, .levels = {{9, 8}, {8, 16, true}, {9, 8}, {9, 8}}, .leaf = gpuva::leaf_tables::both};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{
        .read_only = true, .no_execute = true, .cache_coherent = true, .large_pages = true};
    static constexpr page_table_entry_limits entry_limits{
        .page_number_bits = 36, .driver_protection = 0xFF, .valid_word = 1};
    attribute_table const* table;

    static constexpr u32 entry_page_shift = 12;
    [[nodiscard]] entry_attributes attributes(leaf_kind kind, pte_flags flags, u64 protection) const noexcept {
        if (!flags.valid()) {
            return {0, 0};
        }
        u64 const base = flags.segment().n == 0 ? system_base : place(flags.segment()).base.n;
        return {low_mask<u64>(48) & ~low_mask<u64>(12),
                base + (flags.n & 0x1F) + (static_cast<u64>(kind) << 8) + (protection << 56)};
    }
    [[nodiscard]] attribute_table const* attributes_by_key(u64 protection) const noexcept {
        return protection == 0 ? table : nullptr;
    }
    [[nodiscard]] page_table_entry encode_leaf(leaf_kind kind, u32, pte_target target, u64 protection) const noexcept {
        entry_attributes const a = attributes(kind, target.flags, protection);
        return {((target.page << entry_page_shift) & a.mask) + a.add, 0};
    }
    [[nodiscard]] page_table_entry encode_directory(u32, pte_target table_4k, pte_target table_64k) const noexcept {
        return {half(table_64k), half(table_4k)};
    }

    static constexpr dwords write_tail_dwords{2};
    static void encode_write_tail(u32* at, address, dwords entries) noexcept { put64(at, entries.n); }
    static constexpr u32 generate_max = 0x10'0000;
    static constexpr u32 generate_entry_bytes = 8;
    static constexpr dwords generate_dwords{10};
    static void encode_generate(u32* at, address destination, entry_run const& run) noexcept {
        put64(at, run.count);
        put64(at + 2, destination.n);
        put64(at + 4, run.add);
        put64(at + 6, run.start);
        put64(at + 8, run.step);
    }

private:
    [[nodiscard]] u64 half(pte_target target) const noexcept {
        return target.flags.valid() ? (target.page << 12) + place(target.flags.segment()).base.n + 1 : 0;
    }
};

/// Pages of 16 KiB and entries of 16 bytes, each encoded by itself, no generator.
template <capabilities Caps>
struct wide_entries : table_commands<Caps> {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 5, .levels = {{8, 16}, {7, 16, true}, {5, 16, true}, {6, 16}, {9, 16}}, .gpu_page = 16 * kib};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{.large_pages = true, .non_aligned_large_pages = true};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 40, .valid_word = 1};

    [[nodiscard]] static page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target, u64) noexcept {
        return {target.page, target.flags.n << 32 | static_cast<u64>(kind) << 8 | level};
    }
    [[nodiscard]] static page_table_entry encode_directory(u32 level, pte_target table, pte_target) noexcept {
        return {table.page, table.flags.n << 32 | level};
    }
};

/// Two levels of entries of 4 bytes, leaf tables of either size, a root that grows, a generator for 4 bytes.
struct narrow_entries : table_commands<every_table_operation> {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 2, .levels = {{10, 4}, {0, 4}}, .virtual_address_bits = 32, .leaf = gpuva::leaf_tables::either};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{.read_only = true, .system_memory_64k_pages = true};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 20};

    [[nodiscard]] static page_table_entry encode_leaf(leaf_kind kind, u32, pte_target target, u64) noexcept {
        return {target.page << 12 | static_cast<u64>(kind) << 4 | (target.flags.n & 0xF), 0};
    }
    [[nodiscard]] static page_table_entry encode_directory(u32, pte_target table, pte_target table_64k) noexcept {
        return {table_64k.flags.valid() ? table_64k.page << 12 | 3 : table.page << 12 | table.flags.valid(), 0};
    }
    static constexpr u32 generate_max = 1024;
    static constexpr u32 generate_entry_bytes = 4;
    static constexpr dwords generate_dwords{6};
    static void encode_generate(u32* at, address destination, entry_run const& run) noexcept {
        put64(at, run.count);
        put64(at + 2, destination.n);
        put64(at + 4, run.add + run.start);
    }
};

/// The same with translations that the CPU drops where there is no buffer, and fills that are one command or two.
struct two_ways : narrow_entries {
    hw::tlb_flush dropped;
    void flush_at_once(hw::tlb_flush const& flush) noexcept { dropped = flush; }

    static constexpr dwords fill_dwords_most{16};
    [[nodiscard]] static dwords fill_dwords_of(address destination, bytes size, u32) noexcept {
        return destination.n % 64 == 0 || size.n <= 64 ? dwords{8} : dwords{16};
    }
    static void encode_fill(u32* at, address destination, bytes size, u32 pattern) noexcept {
        if (fill_dwords_of(destination, size, pattern).n == 16) {
            bytes const head{64 - destination.n % 64};
            narrow_entries::encode_fill(at, destination, head, pattern);
            narrow_entries::encode_fill(at + 8, destination + head, size - head, pattern);
        } else {
            narrow_entries::encode_fill(at, destination, size, pattern);
        }
    }

private:
    using narrow_entries::fill_dwords;
};

/// DxgkDdiBuildPagingBuffer of one adapter.
template <class Hw, class Arguments>
ntstatus build(void* adapter, Arguments* arguments) {
    return build_paging_buffer(*static_cast<Hw*>(adapter), *arguments);
}

}  // namespace

extern "C" {

ntstatus dual_tables_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<dual_tables>(adapter, arguments);
}
ntstatus wide_entries_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<wide_entries<every_table_operation>>(adapter, arguments);
}
ntstatus wide_entries_of_the_cpu_v2_0(void* adapter, mirror::v2_0::dxgkarg_buildpagingbuffer* arguments) {
    return build<wide_entries<tables_of_the_cpu>>(adapter, arguments);
}
ntstatus narrow_entries_v2_9(void* adapter, mirror::v2_9::dxgkarg_buildpagingbuffer* arguments) {
    return build<narrow_entries>(adapter, arguments);
}

ntstatus two_ways_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<two_ways>(adapter, arguments);
}

/// The table of attributes, after the segments were placed.
void fill_attributes(dual_tables const* adapter, u64 protection, attribute_table* table) {
    paging::fill_attribute_table(*adapter, protection, *table);
}

/// PagingBufferSize as such a driver would report it.
u32 smallest_table_buffers(u32 index) {
    switch (index) {
        case 0: return static_cast<u32>(smallest_paging_buffer<dual_tables>.n);
        case 1: return static_cast<u32>(smallest_paging_buffer<wide_entries<tables_of_the_cpu>>.n);
        case 2: return static_cast<u32>(smallest_paging_buffer<narrow_entries>.n);
        default: return static_cast<u32>(smallest_paging_buffer<two_ways>.n);
    }
}
}
