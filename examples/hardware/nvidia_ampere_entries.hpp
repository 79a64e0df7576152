// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "nvidia_ampere.hpp"

#include <wddmcore/gpuva.hpp>

/// From the DDI's page-table entries to those of the MMU, format version 2.
///
/// Tables of 4-KiB pages and of 64-KiB pages exist side by side (DualPteSupported). The 16-byte entry above them names
/// both, or is a 2-MiB page.
namespace wddmcore::examples::nvidia {

/// What the entries need to know about the adapter.
struct entry_places {
    segment_id video_segment;
    u64 video_first;  ///< the physical address of the segment's first byte in video memory
    u32 adapter;      ///< this adapter's number in its link; the others are peers, by their numbers
};

/// The driver's own word for an entry, DriverProtection: its low eight bits are the kind, the layout's number.
inline constexpr u64 protection_bits = 0xFF;

/// Leaf and directory entries.
struct table_entries {
    static constexpr gpuva::page_table_geometry geometry{.level_count = page_tables::levels,
                                                         .levels = {{9, 8}, {8, 16, true}, {9, 8}, {9, 8}, {2, 8}},
                                                         .virtual_address_bits = page_tables::virtual_address_bits,
                                                         .leaf = gpuva::leaf_tables::both};

    /// Page numbers are as wide as the engine's offsets. For video memory an entry holds 25 bits, enough for 128 GiB,
    /// and no segment there is larger.
    static constexpr page_table_entry_limits limits{
        .page_number_bits = 49 - page_shift_lg2, .adapters = 8, .driver_protection = protection_bits, .valid_word = 0};

    /// What all entries of the same flags have in common.
    ///
    /// An aperture is a window and not memory, so no entry can name it. An entry that does is made invalid, so that the
    /// GPU stops there. Zero reads as 0 and discards writes: a sparse entry (GVA-19). The manual describes it for leaf
    /// tables; above them the same bits are taken to mean the same.
    [[nodiscard]] static constexpr entry_attributes attributes(entry_places const& at, pte_flags flags,
                                                               u64 protection) noexcept {
        if (!flags.valid()) {
            return {0, 0};
        }
        if (flags.zero()) {
            return {0, page_tables::sparse.low};
        }
        page_use use{.is_volatile = false, .read_only = flags.read_only(), .kind = low_dword(protection)};
        u64 base = 0;
        u64 mask = page_tables::address_system::mask;
        if (flags.segment().n == 0) {
            use.where = flags.cache_coherent() ? memory::coherent_system : memory::noncoherent_system;
            use.is_volatile = true;
        } else if (flags.segment() == at.video_segment) {
            use.where = flags.adapter() == at.adapter ? memory::video : memory::peer;
            use.peer = flags.adapter();
            base = at.video_first >> page_shift_lg2 << page_tables::entry_shift;
            mask = page_tables::address_video::mask;  // the next bits are the peer's number
        } else {
            return {0, 0};
        }
        return {mask, page_tables::attributes(use).add + base};
    }

    [[nodiscard]] static constexpr wddmcore::page_table_entry leaf(entry_attributes use, u64 page) noexcept {
        return {((page << page_tables::entry_shift) & use.mask) + use.add, 0};
    }

    /// Where a table lies, in the terms of a directory entry: in system memory or in this adapter's own. A directory
    /// cannot name a table that lies elsewhere, so the result is then no table.
    [[nodiscard]] static constexpr table_place place(entry_places const& at, pte_target table) noexcept {
        bool const video = table.flags.segment() == at.video_segment && table.flags.adapter() == at.adapter;
        bool const there = table.flags.valid() && (video || table.flags.segment().n == 0);
        u64 const base = video ? at.video_first : 0;
        return {there, video ? memory::video : memory::coherent_system, base + byte_address(page_number{table.page})};
    }

    /// An entry above the leaf: the table of 64-KiB pages in the low half, the one of 4-KiB pages in the high half.
    [[nodiscard]] static constexpr wddmcore::page_table_entry directory(entry_places const& at, u32 level,
                                                                        pte_target table,
                                                                        pte_target table_64k) noexcept {
        page_table_entry const made = level == 1 ? page_tables::encode_directory(place(at, table_64k), place(at, table))
                                                 : page_tables::encode_directory(place(at, table));
        return {made.low, made.high};
    }
};

/// How the system writes the tables: by the paging process's addresses where that is claimed.
[[nodiscard]] constexpr gpuva::update_mode preferred_mode(update_modes claimed) noexcept {
    return contains(claimed, update_modes::gpu_virtual)    ? gpuva::update_mode::gpu_virtual
           : contains(claimed, update_modes::gpu_physical) ? gpuva::update_mode::gpu_physical
                                                           : gpuva::update_mode::cpu_virtual;
}

/// What the MMU can do. It has no bit that forbids execution.
[[nodiscard]] constexpr gpuva::gpu_mmu_capabilities mmu_claims(update_modes claimed) noexcept {
    return {.mode = preferred_mode(claimed),
            .read_only = true,
            .zero_in_pte = true,
            .cache_coherent = true,
            .large_pages = true,
            .system_memory_64k_pages = true,
            .system_memory_large_pages = true};
}

}  // namespace wddmcore::examples::nvidia
