// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "intel_xe_page_tables.hpp"

#include <wddmcore/gpuva.hpp>
#include <wddmcore/hw.hpp>

/// Intel Xe2: the DDI's page-table entries as PPGTT entries.
///
/// A level-1 entry names a table of 4-KiB entries or a compact one of 64-KiB entries, never both: single-PTE mode. Data
/// of 2 MiB and of 1 GiB are large pages of levels 1 and 2.
namespace wddmcore::examples::intel {

/// DriverProtection as this hardware reads it; all other bits are masked out (OP11-10).
struct protection {
    using pat = bit_field<u64, 4, 0>;    ///< a caching policy of the driver's table,
    using says_pat = bit_field<u64, 5>;  ///< used if this is set, else that of the kind of memory
    using atomics = bit_field<u64, 6>;   ///< the GPU may use atomic operations
    static constexpr u64 known = low_mask<u64>(7);
};

/// What page-table entries say that only StartDevice knows.
struct entry_policies {
    u64 local_in_entries = 0;  ///< what entries call the memory segment's first byte
    u32 local_pat = 0;         ///< caching policies: of local memory,
    u32 coherent_pat = 0;      ///< of system memory that the CPU's caches are kept coherent with,
    u32 noncoherent_pat = 0;   ///< and of other system memory
};

/// The format of the page tables: page_table_format and uniform_entries, except for the adapter's segments.
struct ppgtt_format {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = intel::page_tables::levels,
                                                            .levels = {{9, 8}, {9, 8, true}, {9, 8, true}, {9, 8}},
                                                            .leaf = gpuva::leaf_tables::either};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = intel::page_tables::address::width,
                                                          .driver_protection = protection::known};
    static constexpr u32 entry_page_shift = intel::page_tables::entry_shift;

    entry_policies policies{};

    /// What the GPUMMU caps claim; `mode` is the one of the claimed update modes that DXGK_GPUMMUCAPS names. An engine
    /// drops cached translations only when a batch tells it to, so no address space may change while a batch runs in
    /// it.
    [[nodiscard]] static constexpr gpuva::gpu_mmu_capabilities claims(gpuva::update_mode mode) noexcept {
        return {.mode = mode,
                .read_only = true,
                .zero_in_pte = true,
                .cache_coherent = true,
                .updates_need_idle = true,
                .large_pages = true};
    }

    /// What all entries of the same flags share (GVA-18 to GVA-20).
    /// @param level  1 or 2 of a large page, else 0
    [[nodiscard]] constexpr entry_attributes leaf_attributes(u32 level, leaf_kind kind, pte_flags flags,
                                                             u64 bits) const noexcept {
        if (!flags.valid() || level > 2) {  // no entry of the root is a page, nor reads as 0
            return {0, intel::page_tables::nothing};
        }
        if (flags.zero()) {
            return {0, intel::page_tables::sparse | intel::page_tables::is_page::place(level != 0)};
        }
        bool const in_system = flags.segment().n == 0;
        u32 const usual = !in_system               ? policies.local_pat
                          : flags.cache_coherent() ? policies.coherent_pat
                                                   : policies.noncoherent_pat;
        page_use const use{.device_memory = !in_system,
                           .read_only = flags.read_only(),
                           .atomics = protection::atomics::of(bits) != 0,
                           .pat = protection::says_pat::of(bits) != 0 ? static_cast<u32>(protection::pat::of(bits))
                                                                      : usual};
        entry_parts const parts = intel::page_tables::attributes(size_of(level, kind), use);
        // The page number of a leaf is never misaligned here, so all of its bits may pass.
        return {level == 0 ? intel::page_tables::address::mask : parts.mask,
                parts.add + (in_system ? 0 : policies.local_in_entries)};
    }

    /// An entry of levels 1 to 3 that names a table of local memory, which may be a compact one.
    [[nodiscard]] constexpr page_table_entry directory(pte_target table, bool compact) const noexcept {
        if (!table.flags.valid()) {
            return {intel::page_tables::nothing, 0};
        }
        u64 const place = policies.local_in_entries + byte_address(page_number{table.page});
        return {intel::page_tables::encode_directory(place, compact), 0};
    }

private:
    [[nodiscard]] static constexpr page_size size_of(u32 level, leaf_kind kind) noexcept {
        return level == 2                    ? page_size::gib1
               : level == 1                  ? page_size::mib2
               : kind == leaf_kind::page_64k ? page_size::kib64_compact
                                             : page_size::kib4;
    }
};

}  // namespace wddmcore::examples::intel
