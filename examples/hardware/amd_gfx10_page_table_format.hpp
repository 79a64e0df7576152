// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "amd_gfx10_page_tables.hpp"

#include <wddmcore/gpuva.hpp>
#include <wddmcore/hw.hpp>

/// AMD gfx10: the DDI's page-table entries as GPUVM entries.
///
/// Not here: leaf tables of 64-KiB entries. They need the block-fragment size of a directory, which the page-table file
/// leaves out; the system then uses pages of 4 KiB and 2 MiB.
namespace wddmcore::examples::amd {

/// Bits of DriverProtection that mean something to this hardware; all others are masked out (OP11-10).
inline constexpr u64 protection_uncached = 1;  ///< memory type UC, for example for what another device polls

/// The format of the page tables: page_table_format and uniform_entries, except for what depends on the adapter.
struct gpuvm_format {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = amd::page_tables::levels,
                                                            .levels = {{9, 8}, {9, 8, true}, {9, 8}, {9, 8}}};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = amd::page_tables::address::width,
                                                          .driver_protection = protection_uncached};
    static constexpr u32 entry_page_shift = amd::page_tables::entry_shift;

    /// What the GPUMMU caps claim; `mode` is the one of the claimed update modes that DXGK_GPUMMUCAPS names.
    [[nodiscard]] static constexpr gpuva::gpu_mmu_capabilities claims(gpuva::update_mode mode) noexcept {
        return {.mode = mode,
                .read_only = true,
                .no_execute = true,
                .zero_in_pte = true,
                .cache_coherent = true,
                .large_pages = true};
    }

    /// What all entries of the same flags share (GVA-18 to GVA-20).
    /// @param base  the address, as entries count, of the first byte of the segment that the flags name; 0 for system
    ///              memory
    [[nodiscard]] static constexpr entry_attributes leaf_attributes(leaf_kind kind, pte_flags flags, u64 protection,
                                                                    u64 base) noexcept {
        bool const large = kind == leaf_kind::large_page;
        if (!flags.valid()) {
            return {0, amd::page_tables::nothing};
        }
        if (flags.zero()) {
            return {0, amd::page_tables::sparse | amd::page_tables::directory_is_page::place(large)};
        }
        bool const in_system = flags.segment().n == 0;
        page_use const use{.system = in_system,
                           .snooped = in_system && flags.cache_coherent(),
                           .executable = !flags.no_execute(),
                           .read_only = flags.read_only(),
                           .uncached = (protection & protection_uncached) != 0};
        entry_parts const parts = amd::page_tables::attributes(large ? page_size::mib2 : page_size::kib4, use);
        return {parts.mask, parts.add + base};
    }

    /// An entry of levels 1 to 3 that names a table; tables in system memory are snooped.
    [[nodiscard]] static constexpr page_table_entry directory(pte_target table, u64 base) noexcept {
        if (!table.flags.valid()) {
            return {amd::page_tables::nothing, 0};
        }
        u64 const place = base + byte_address(page_number{table.page});
        return {amd::page_tables::encode_directory(place, table.flags.segment().n == 0), 0};
    }
};

}  // namespace wddmcore::examples::amd
