// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "cpu_virtual_records.hpp"

#include <wddmcore/gpuva.hpp>

/// The processor of cpu.hpp under a WDDM 2.0 to 3.2 driver that owns page tables: the simplest form of each promise.
///
/// Page tables: four levels of 512 entries of 8 bytes, 4-KiB pages, 2-MiB pages at level 1. An entry: valid b0, read
/// only b1, no execute b2, cache coherent b3, reads as zero b4, a page and not a table b5, address [51:12].
namespace wddmcore::examples::cpu {

/// The bits of an entry.
struct entry_bits {
    using valid = bit_field<u64, 0>;
    using read_only = bit_field<u64, 1>;
    using no_execute = bit_field<u64, 2>;
    using cache_coherent = bit_field<u64, 3>;
    using zero = bit_field<u64, 4>;
    using is_page = bit_field<u64, 5>;
    static constexpr u64 address = low_mask<u64>(52) & ~low_mask<u64>(12);

    /// What an entry says about a page, apart from its address.
    [[nodiscard]] static constexpr u64 of(pte_flags flags) noexcept {
        return valid::mask | is_page::mask | read_only::place(flags.read_only()) |
               no_execute::place(flags.no_execute()) | cache_coherent::place(flags.cache_coherent()) |
               zero::place(flags.zero());
    }
};

inline constexpr update_modes every_mode =
    update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical;

/// Everything that the processor does, as a driver of an interface version from 2.0 on claims it.
///
/// @param modes      how page tables are written; without a GPU mode there are no tiled resources (OP14-03)
/// @param addresses  how records name memory
[[nodiscard]] constexpr capabilities every_promise(
    wddm version, update_modes modes = every_mode,
    paging_addresses addresses = paging_addresses::gpu_virtual) noexcept {
    return {.version = version,
            .oldest = wddm::v2_0,
            .addresses = addresses,
            .aperture = version >= wddm::v2_9 ? aperture_forms::either : aperture_forms::mdl,
            .gpu_mmu = claim::yes,
            .page_tables = modes,
            .alternate_address_lock = claim::yes,
            .context_allocations = claim::yes,
            .tiled_resources = claim::yes,
            .residency_notification = claim::yes,
            .monitored_fence_signal = claim::yes,
            .native_fences = claim::yes,
            .mmu_mapping = claim::yes,
            .allocation_notification = claim::yes};
}

/// The hardware type: the processor and its page tables.
template <capabilities Caps = every_promise(wddm::v3_2)>
struct virtual_processor : processor<Caps>,
                           hw::coherent_page_table_store,
                           entry_records,
                           cache_records,
                           notice_records,
                           stores_and_contexts {
    using address = cpu::address;

    u64* mmu_entries = nullptr;  ///< entries of the one MMU besides the GPU's own, for its addresses from 0 on
    u64 mmu_pages = 0;

    static constexpr gpuva::page_table_geometry page_tables{.level_count = 4,
                                                            .levels = {{9, 8}, {9, 8, true}, {9, 8}, {9, 8}}};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{
        .mode = contains(Caps.page_tables, update_modes::gpu_virtual)    ? gpuva::update_mode::gpu_virtual
                : contains(Caps.page_tables, update_modes::gpu_physical) ? gpuva::update_mode::gpu_physical
                                                                         : gpuva::update_mode::cpu_virtual,
        .read_only = true,
        .no_execute = true,
        .zero_in_pte = true,
        .cache_coherent = true,
        .large_pages = true,
        .system_memory_large_pages = true};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 36};
    static constexpr u32 entry_page_shift = page_shift_lg2;

    /// Whether entries can name a segment. An aperture is a window and not memory: the system names its pages as system
    /// memory (GVA-18). An entry that names one nevertheless is made invalid.
    [[nodiscard]] constexpr bool is_memory(segment_id id) const noexcept {
        return id.n == 0 || (this->place(id).size.n != 0 && !this->is_aperture(id));
    }
    /// The processor's address of a segment's first byte, or of system page 0 (GVA-18).
    [[nodiscard]] constexpr u64 base_of(segment_id id) const noexcept {
        return id.n == 0 ? this->system_base : this->place(id).base.n;
    }
    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind, pte_flags flags, u64) const noexcept {
        if (!flags.valid() || (!flags.zero() && !is_memory(flags.segment()))) {
            return {0, 0};
        }
        return flags.zero() ? entry_attributes{0, entry_bits::of(flags)}
                            : entry_attributes{entry_bits::address, entry_bits::of(flags) + base_of(flags.segment())};
    }
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32, pte_target target,
                                                         u64 protection) const noexcept {
        entry_attributes const use = attributes(kind, target.flags, protection);
        return {((target.page << entry_page_shift) & use.mask) + use.add, 0};
    }
    [[nodiscard]] constexpr page_table_entry encode_directory(u32, pte_target table, pte_target) const noexcept {
        if (!table.flags.valid() || !is_memory(table.flags.segment())) {
            return {0, 0};
        }
        u64 const place = byte_address(page_number{table.page}) + base_of(table.flags.segment());
        return {place | entry_bits::valid::mask, 0};
    }

    static constexpr bytes copy_entries_max = processor<Caps>::copy_max;
    static constexpr dwords copy_entries_dwords = processor<Caps>::copy_dwords;
    static constexpr void encode_copy_entries(u32* at, address destination, address source, bytes size) noexcept {
        processor<Caps>::encode_copy(at, destination, source, size);
    }

    /// The table of the other MMU belongs to the driver and is written at once. An entry is the address of a page and
    /// b0.
    [[nodiscard]] static constexpr bool is_mmu(u32 id) noexcept { return id == 0; }
    ///
    /// AMB-11: no page says where page numbers start when the request names a segment. They are taken as in page-table
    /// entries (GVA-18): from the start of the segment, and from 0 in system memory. What lies in an aperture is not
    /// mapped.
    constexpr void store_mmu_map(hw::mmu_range const& range) const noexcept {
        bool const in_system = is_system_memory(range.segment);  // 0 or 31 (AMB-21)
        if (!in_system && !is_memory(range.segment)) {
            return store_mmu_unmap(range);
        }
        u64 const start = byte_address(range.first) + (in_system ? this->system_base : base_of(range.segment));
        for (u64 i = 0; i != range.length.n; ++i) {
            store_mmu_entry(range.address / page_bytes + i, (start + i * page_bytes) | 1);
        }
    }
    constexpr void store_mmu_unmap(hw::mmu_range const& range) const noexcept {
        for (u64 i = 0; i != range.length.n; ++i) {
            store_mmu_entry(range.address / page_bytes + i, 0);
        }
    }

private:
    /// The driver's answer to QUERYMMUS said how far the addresses go; nothing is mapped past that.
    constexpr void store_mmu_entry(u64 index, u64 entry) const noexcept {
        if (index < mmu_pages) {
            mmu_entries[index] = entry;
        }
    }
};

}  // namespace wddmcore::examples::cpu
