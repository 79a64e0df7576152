// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "intel_xe_notices.hpp"
#include "intel_xe_page_table_format.hpp"

/// Intel Xe2 for drivers that own page tables: WDDM 2.0 to 3.2.
///
/// The blitter has only virtual addresses. The DDI's places are named through the paging context's own view of memory,
/// so one buffer may hold commands of either kind.
///
/// Not here: WDDM's linked adapters, large pages of system memory, and decompression before an eviction.
namespace wddmcore::examples::intel {

/// Paging through the paging process's addresses, with everything that WDDM 3.2 can ask of an adapter.
inline constexpr capabilities virtual_memory{.version = wddm::v3_2,
                                             .oldest = wddm::v2_0,
                                             .addresses = paging_addresses::gpu_virtual,
                                             .aperture = aperture_forms::either,
                                             .gpu_mmu = claim::yes,
                                             .page_tables = update_modes::cpu_virtual | update_modes::gpu_virtual,
                                             .context_allocations = claim::yes,
                                             .tiled_resources = claim::yes,
                                             .residency_notification = claim::yes,
                                             .monitored_fence_signal = claim::yes,
                                             .native_fences = claim::yes,
                                             .mmu_mapping = claim::yes,
                                             .allocation_notification = claim::yes,
                                             .highest_visible_address = reach};

/// With places as well, and every update mode.
inline constexpr capabilities whole_memory{.version = wddm::v3_2,
                                           .oldest = wddm::v2_0,
                                           .addresses = paging_addresses::both,
                                           .aperture = aperture_forms::either,
                                           .gpu_mmu = claim::yes,
                                           .page_tables = update_modes::cpu_virtual | update_modes::gpu_virtual |
                                                          update_modes::gpu_physical,
                                           .alternate_address_lock = claim::yes,
                                           .context_allocations = claim::yes,
                                           .tiled_resources = claim::yes,
                                           .residency_notification = claim::yes,
                                           .monitored_fence_signal = claim::yes,
                                           .native_fences = claim::yes,
                                           .mmu_mapping = claim::yes,
                                           .allocation_notification = claim::yes,
                                           .highest_visible_address = reach};

/// The same claims of a driver that declares another version, from WDDM 2.0 on.
[[nodiscard]] constexpr capabilities declared_at(wddm version, capabilities claimed = virtual_memory) noexcept {
    claimed.version = version;
    claimed.oldest = wddm::v2_0;
    return claimed;
}

/// The update mode that the GPUMMU caps name: of those claimed, the one that lets the GPU work.
[[nodiscard]] constexpr gpuva::update_mode reported_mode(update_modes claimed) noexcept {
    return contains(claimed, update_modes::gpu_virtual)    ? gpuva::update_mode::gpu_virtual
           : contains(claimed, update_modes::gpu_physical) ? gpuva::update_mode::gpu_physical
                                                           : gpuva::update_mode::cpu_virtual;
}

/// The hardware type: the blitter, the page tables, and a part with its own state for each further promise.
template <capabilities Caps = virtual_memory>
struct xe_virtual : xe<Caps>,
                    ppgtt_format,
                    mi_table_writer,
                    mem_table_copier,
                    bar_table_store,
                    flush_fence,
                    mi_contexts,
                    cpu_residency,
                    mi_fence_places,
                    cpu_global_mmu {
    using address = intel::address;
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps = claims(reported_mode(Caps.page_tables));

    [[nodiscard]] static constexpr xe_virtual started(windows const& where, entry_policies const& entries) noexcept {
        xe_virtual hardware{};
        hardware.at = where;
        hardware.policies = entries;
        return hardware;
    }

    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags, u64 bits) const noexcept {
        return attributes_at(kind == leaf_kind::large_page ? 1 : 0, kind, flags, bits);
    }
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target page,
                                                         u64 bits) const noexcept {
        entry_attributes const all = attributes_at(level, kind, page.flags, bits);
        return {((page.page << entry_page_shift) & all.mask) + all.add, 0};
    }
    /// Tables lie in local memory. No bit can say that a table lies elsewhere, so the entry for such a table is one
    /// that faults.
    [[nodiscard]] constexpr page_table_entry encode_directory(u32, pte_target table,
                                                              pte_target compact) const noexcept {
        pte_target const& named = compact.flags.valid() ? compact : table;
        if (named.flags.segment() != this->at.local_segment) {
            return {intel::page_tables::nothing, 0};
        }
        return directory(named, compact.flags.valid());
    }

    constexpr void encode_copy_entries(u32* to, address destination, address source, bytes size) const noexcept {
        mem_table_copier::encode(to, destination, source, size, this->at.mocs);
    }

    static constexpr dwords flush_dwords = flush_and_forget::length;
    constexpr void encode_flush(u32* to, hw::tlb_flush const&) const noexcept {
        flush_and_forget::encode(to, this->at.scratch_virtual);
    }

    constexpr void notify_residency(hw::residency_change const& change) const noexcept {
        store_pages(change.allocation, 0, ~u32{0}, change.resident ? listed(change.segment, change.offset) : 0);
        finish_entry_stores();
    }
    /// Pages of system memory may lie anywhere; engines that look pages up in a list cannot reach them.
    constexpr void notify_residency_range(hw::residency_range const& range) const noexcept {
        store_pages(range.allocation, range.first_page, range.page_count,
                    range.resident ? listed(range.segment, range.offset) : 0);
        finish_entry_stores();
    }
    constexpr void encode_fence_residency(u32* to, hw::fence_residency const& fence) const noexcept {
        encode_places(to, fence.fence, reached(fence.current.segment, fence.current.offset),
                      reached(fence.monitored.segment, fence.monitored.offset));
    }

    /// AMB-11: no page says where page numbers start when the request names a segment. They are taken as in page-table
    /// entries (GVA-18): from the start of the segment, and from 0 in system memory. What lies in an aperture is not
    /// mapped.
    constexpr void store_mmu_map(hw::mmu_range const& range) const noexcept {
        bool const local = range.segment == this->at.local_segment;
        if (!local && !is_system_memory(range.segment)) {
            return store_mmu_unmap(range);
        }
        store_mapped(range, (local ? policies.local_in_entries : 0) + byte_address(range.first), local);
    }

    /// Operation 22, IoMmuUnmap: whatever the blitter still has in progress completes here, and translations are
    /// dropped. Other engines have flushed their caches already: a driver ends every batch like that, or its fences
    /// would mean nothing.
    static constexpr bytes iommu_unmap_max{u64{1} << 44};
    static constexpr dwords iommu_unmap_dwords = flush_and_forget::length;
    constexpr void encode_notify_iommu_unmap(u32* to, hw::alloc_notice const&) const noexcept {
        flush_and_forget::encode(to, this->at.scratch_virtual);
    }

private:
    /// Entries cannot name the aperture: the system names its pages as system memory (GVA-18). An entry that names it
    /// nevertheless becomes one that faults, so that it does not reach something else.
    [[nodiscard]] constexpr entry_attributes attributes_at(u32 level, leaf_kind kind, pte_flags flags,
                                                           u64 bits) const noexcept {
        if (!flags.zero() && flags.segment().n != 0 && flags.segment() != this->at.local_segment) {
            return {0, intel::page_tables::nothing};
        }
        return leaf_attributes(level, kind, flags, bits);
    }
    [[nodiscard]] constexpr u64 listed(segment_id id, segment_offset offset) const noexcept {
        return id == this->at.local_segment ? policies.local_in_entries + offset.n + 1 : 0;
    }
    /// Where the paging context finds a place, in a segment or in system memory.
    [[nodiscard]] constexpr address reached(segment_id id, segment_offset offset) const noexcept {
        return is_system_memory(id) ? address{this->at.system_virtual + offset.n} : this->from_segment(id, offset);
    }
};

}  // namespace wddmcore::examples::intel
