// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "nvidia_ampere_entries.hpp"
#include "nvidia_ampere_notices.hpp"

/// NVIDIA Ampere under a WDDM 2.0 to 3.2 driver that owns page tables.
///
/// Not here, because nothing public says how: other MMUs than the GPU's own (operations 19 and 20), and what has to
/// happen to compressed surfaces before they are evicted (operation 22, Eviction).
namespace wddmcore::examples::nvidia {

inline constexpr update_modes every_mode =
    update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical;

/// Everything that this GPU does, as a driver of an interface version from 2.0 on claims it.
///
/// @param modes      how page tables are written; without a GPU mode there are no tiled resources (OP14-03)
/// @param addresses  how commands name memory
[[nodiscard]] constexpr capabilities every_promise(
    wddm version, update_modes modes = every_mode,
    paging_addresses addresses = paging_addresses::gpu_virtual) noexcept {
    return {.version = version,
            .oldest = wddm::v2_0,
            .addresses = addresses,
            .aperture = version >= wddm::v2_9 ? aperture_forms::either : aperture_forms::mdl,
            .gpu_mmu = claim::yes,
            .page_tables = modes,
            .context_allocations = claim::yes,
            .tiled_resources = claim::yes,
            .residency_notification = claim::yes,
            .monitored_fence_signal = claim::yes,
            .native_fences = claim::yes,
            .allocation_notification = claim::yes,
            .highest_visible_address = reach};
}

/// Whether commands that write page tables may name physical memory.
[[nodiscard]] constexpr bool tables_may_be_physical(capabilities claimed) noexcept {
    return contains(claimed.page_tables, update_modes::gpu_physical);
}

/// The hardware type. Besides the windows, its state is `semaphore` and that of its parts: `stream`, `context_image`
/// and `context_source`, `fences` and `fence_count`.
template <capabilities Caps = every_promise(wddm::v3_2)>
struct ampere_virtual : ampere<Caps>,
                        hw::coherent_page_table_store,
                        table_writes<tables_may_be_physical(Caps)>,
                        table_copies,
                        fence_stores,
                        allocation_records,
                        native_fences,
                        contexts {
    using address = nvidia::address;

    u64 semaphore = 0;  ///< GPU virtual address of 8 bytes of the driver, in every space that runs paging buffers;
                        ///< below 2^40, because the host's semaphore has no wider addresses, and a multiple of 4
    u32 adapter = 0;    ///< this adapter's number in its link

    /// The hardware of an adapter whose windows are known, as StartDevice makes it.
    [[nodiscard]] static constexpr ampere_virtual started(windows const& where, u64 semaphore) noexcept {
        promise(semaphore < semaphore_end && semaphore % 4 == 0);
        ampere_virtual hardware{};
        hardware.at = where;
        hardware.semaphore = semaphore;
        return hardware;
    }

    [[nodiscard]] constexpr entry_places places() const noexcept {
        return {this->at.video_segment, this->at.video_first, adapter};
    }

    static constexpr gpuva::page_table_geometry page_tables = table_entries::geometry;
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps = mmu_claims(Caps.page_tables);
    static constexpr page_table_entry_limits entry_limits = table_entries::limits;
    static constexpr u32 entry_page_shift = nvidia::page_tables::entry_shift;

    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind, pte_flags flags, u64 protection) const noexcept {
        return table_entries::attributes(places(), flags, protection);
    }
    [[nodiscard]] constexpr wddmcore::page_table_entry encode_leaf(leaf_kind, u32, pte_target target,
                                                                   u64 protection) const noexcept {
        return table_entries::leaf(table_entries::attributes(places(), target.flags, protection), target.page);
    }
    [[nodiscard]] constexpr wddmcore::page_table_entry encode_directory(u32 level, pte_target table,
                                                                        pte_target table_64k) const noexcept {
        return table_entries::directory(places(), level, table, table_64k);
    }

    /// A root lies in the video segment or in system memory.
    static constexpr dwords flush_dwords = translation_cache::length;
    constexpr void encode_flush(u32* to, hw::tlb_flush const& flush) const noexcept {
        u64 const offset = flush.root.offset.n;
        translation_cache::encode(to, semaphore,
                                  flush.root.segment == this->at.video_segment
                                      ? address{this->at.video_first + offset, target::video}
                                      : address{offset, target::coherent_system});
    }

    /// An entry of the aperture, then a flush: what follows in the same buffer may go through the aperture (PGB-20).
    static constexpr dwords aperture_entry_dwords = constant_writes::length + translation_cache::length;
    constexpr void encode_aperture_entry(u32* to, segment_id id, u64 index, page_number page,
                                         bool coherent) const noexcept {
        ampere<Caps>::encode_aperture_entry(to, id, index, page, coherent);
        translation_cache::encode_all(to + constant_writes::length.n, semaphore);
    }

    static constexpr bytes iommu_unmap_max = cache_maintenance::iommu_unmap_max;
    static constexpr dwords iommu_unmap_dwords = cache_maintenance::length;
    constexpr void encode_notify_iommu_unmap(u32* to, hw::alloc_notice const&) const noexcept {
        cache_maintenance::encode(to, semaphore);
    }
};

}  // namespace wddmcore::examples::nvidia
