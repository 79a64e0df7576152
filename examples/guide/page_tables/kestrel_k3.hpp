// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hardware_type/kestrel.hpp"

/// The Kestrel K3, as its data sheet in page_tables.md describes it: the K2's commands on virtual addresses, and page
/// tables that the CPU writes.
namespace guide {

struct kestrel_k3 : kestrel, hw::coherent_page_table_store {
    // region: claims
    static constexpr capabilities caps{.version = wddm::v2_0,
                                       .addresses = paging_addresses::gpu_virtual,
                                       .aperture = aperture_forms::mdl,
                                       .gpu_mmu = claim::yes,
                                       .page_tables = update_modes::cpu_virtual,
                                       .highest_visible_address = (u64{1} << 39) - 1};
    // end: claims

    // region: virtual
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept { return {va.n}; }
    // end: virtual

    // region: geometry
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 3, .levels = {{9, 8}, {9, 8}, {9, 8}}};
    // end: geometry

    // region: place
    static constexpr gpuva::page_table_segments table_segments = gpuva::every_level_in(segment_id{0}, segment_id{0});
    static constexpr gpuva::page_table_placement table_places = gpuva::placement_of(segment::view{}, table_segments);
    static_assert(gpuva::check_placement<page_tables, table_places, caps.page_tables>());
    // end: place

    // region: entry
    using pte_valid = bit_field<u64, 0>;
    using pte_read_only = bit_field<u64, 1>;  // of leaf entries, as the next
    using pte_snoop = bit_field<u64, 2>;
    using pte_page = bit_field<u64, 35, 8>;  // the chip's address / 4096

    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{.read_only = true, .cache_coherent = true};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 27};

    /// Where the chip sees a byte of a segment, or of host memory.
    [[nodiscard]] constexpr address chip_address(segment_id id, segment_offset at) const noexcept {
        return id.n == 0 ? address{host_window + at.n} : from_segment(id, at);
    }
    [[nodiscard]] constexpr page_table_entry entry_for(pte_target to, u64 bits) const noexcept {
        if (!to.flags.valid()) {
            return {0, 0};
        }
        address const a = chip_address(to.flags.segment(), {byte_address(page_number{to.page})});
        return {pte_valid::mask | pte_page::place(a.n / page_bytes) | bits, 0};
    }
    // end: entry

    // region: leaf
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind, u32, pte_target page, u64) const noexcept {
        return entry_for(page,
                         pte_read_only::place(page.flags.read_only()) | pte_snoop::place(page.flags.cache_coherent()));
    }
    [[nodiscard]] constexpr page_table_entry encode_directory(u32, pte_target table, pte_target) const noexcept {
        return entry_for(table, 0);
    }
    // end: leaf

    // region: flush
    static constexpr opcode invalidate{9};
    static constexpr dwords flush_dwords{3};
    constexpr void encode_flush(u32* at, hw::tlb_flush const& flush) const noexcept {
        put32(at, head(invalidate, flush_dwords.n, 1));
        put64(at + 1, chip_address(flush.root.segment, flush.root.offset).n);
    }
    // end: flush
};

}  // namespace guide
