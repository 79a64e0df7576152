// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "amd_gfx10_notices.hpp"
#include "amd_gfx10_page_table_format.hpp"

/// AMD gfx10 for drivers that own page tables: WDDM 2.0 to 3.2.
///
/// A buffer runs in one address space. Commands that name places need that of VMID 0, whose addresses are the adapter's
/// GPU addresses; commands that name addresses of the paging process need the process's own. A driver that claims both
/// reserves the GPU addresses in the paging process and maps them there one to one.
///
/// Not here: WDDM's linked adapters, and large pages of system memory.
namespace wddmcore::examples::amd {

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

/// The same with places only: page tables are named by their segments, and nothing is claimed that has only a virtual
/// address.
inline constexpr capabilities physical_memory{.version = wddm::v3_2,
                                              .oldest = wddm::v2_0,
                                              .addresses = paging_addresses::physical,
                                              .aperture = aperture_forms::either,
                                              .gpu_mmu = claim::yes,
                                              .page_tables = update_modes::cpu_virtual | update_modes::gpu_physical,
                                              .alternate_address_lock = claim::yes,
                                              .residency_notification = claim::yes,
                                              .native_fences = claim::yes,
                                              .mmu_mapping = claim::yes,
                                              .allocation_notification = claim::yes,
                                              .highest_visible_address = reach};

/// Both, with every update mode.
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

/// The hardware type: the engines of gfx10, the page tables, and a part with its own state for each further promise.
template <capabilities Caps = virtual_memory>
struct gfx10_virtual : gfx10<Caps>,
                       gpuvm_format,
                       sdma_table_writer,
                       sdma_table_generator,
                       sdma_table_copier,
                       bar_table_store,
                       gpuvm_tlb,
                       sdma_contexts,
                       sdma_residency,
                       sdma_fence_places,
                       sdma_flat_mmu,
                       sdma_cache_flush {
    using address = amd::address;
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps = claims(reported_mode(Caps.page_tables));

    u64 vram_in_entries = 0;  ///< the address of the memory segment's first byte, as page-table entries count

    [[nodiscard]] static constexpr gfx10_virtual started(windows const& where, u64 vram_number,
                                                         invalidation_engine const& engine) noexcept {
        gfx10_virtual hardware{};
        hardware.at = where;
        hardware.vram_in_entries = vram_number;
        hardware.invalidation = engine;
        return hardware;
    }

    /// Entries cannot name the aperture: the system names its pages as system memory (GVA-18). An entry that names it
    /// nevertheless becomes one that faults, so that it does not reach something else.
    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags,
                                                        u64 protection) const noexcept {
        if (!flags.zero() && !has_number(flags.segment())) {
            return {0, amd::page_tables::nothing};
        }
        return leaf_attributes(kind, flags, protection, in_entries(flags.segment()));
    }
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32, pte_target page,
                                                         u64 protection) const noexcept {
        entry_attributes const all = attributes(kind, page.flags, protection);
        return {((page.page << entry_page_shift) & all.mask) + all.add, 0};
    }
    /// Entries cannot name a table in the aperture either.
    [[nodiscard]] constexpr page_table_entry encode_directory(u32, pte_target table, pte_target) const noexcept {
        if (!has_number(table.flags.segment())) {
            return {amd::page_tables::nothing, 0};
        }
        return directory(table, in_entries(table.flags.segment()));
    }

    constexpr void encode_residency(u32* to, hw::residency_change const& change) const noexcept {
        encode_pages(to, change.allocation, 0, ~u32{0}, change.resident, reached(change.segment, change.offset));
    }
    /// Pages of system memory may lie anywhere; engines that look pages up in a list cannot reach them.
    constexpr void encode_residency_range(u32* to, hw::residency_range const& range) const noexcept {
        encode_pages(to, range.allocation, range.first_page, range.page_count,
                     range.resident && !is_system_memory(range.segment), reached(range.segment, range.offset));
    }
    constexpr void encode_fence_residency(u32* to, hw::fence_residency const& fence) const noexcept {
        encode_places(to, fence.fence, reached(fence.current.segment, fence.current.offset),
                      reached(fence.monitored.segment, fence.monitored.offset));
    }

    /// AMB-11: no page says where page numbers start when the request names a segment. They are taken as in page-table
    /// entries (GVA-18): from the start of the segment, and from 0 in system memory. What lies in an aperture is not
    /// mapped.
    constexpr void encode_mmu_map(u32* to, hw::mmu_range const& range) const noexcept {
        if (!has_number(range.segment)) {
            return encode_unmapped(to, range);
        }
        bool const in_system = is_system_memory(range.segment);
        encode_mapped(to, range, in_system, in_entries(range.segment) + byte_address(range.first));
    }
    constexpr void encode_mmu_unmap(u32* to, hw::mmu_range const& range) const noexcept { encode_unmapped(to, range); }

    /// An entry of the aperture, then a flush: what follows in the same buffer may go through the aperture (PGB-20).
    static constexpr dwords aperture_entry_dwords = gart_entries::aperture_entry_dwords + gpuvm_tlb::flush_dwords;
    constexpr void encode_aperture_entry(u32* to, segment_id id, u64 index, page_number page,
                                         bool coherent) const noexcept {
        gfx10<Caps>::encode_aperture_entry(to, id, index, page, coherent);
        this->encode_flush(to + gart_entries::aperture_entry_dwords.n, {});
    }

private:
    /// Whether entries can name a segment: system memory and the memory segment.
    [[nodiscard]] constexpr bool has_number(segment_id id) const noexcept {
        return is_system_memory(id) || id == this->at.vram_segment;
    }
    [[nodiscard]] constexpr u64 in_entries(segment_id id) const noexcept {
        return id == this->at.vram_segment ? vram_in_entries : 0;
    }
    /// Where the stream finds a place, in a segment or in system memory.
    [[nodiscard]] constexpr address reached(segment_id id, segment_offset offset) const noexcept {
        return is_system_memory(id) ? address{this->at.system_base + offset.n} : this->from_segment(id, offset);
    }
};

}  // namespace wddmcore::examples::amd
