// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/wddmcore.hpp>

/// Called where the first word of a packet would be stored. It does not return: what is counted ends with the call.
extern "C" void until_first_store(wddmcore::u32* at);

/// Hardware that keeps every promise, with encoders that only say that the first store is reached.
struct decode_gpu {
    struct address {
        wddmcore::u64 n;
        friend constexpr address operator+(address a, wddmcore::bytes b) noexcept { return {a.n + b.n}; }
    };
    using u32 = wddmcore::u32;
    using u64 = wddmcore::u64;
    using dwords = wddmcore::dwords;
    using bytes = wddmcore::bytes;

    static constexpr wddmcore::capabilities caps{
        .version = wddmcore::wddm::v3_2,
        .oldest = wddmcore::wddm::v1_3,
        .addresses = wddmcore::paging_addresses::both,
        .aperture = wddmcore::aperture_forms::either,
        .gpu_mmu = wddmcore::claim::yes,
        .page_tables = wddmcore::update_modes::cpu_virtual | wddmcore::update_modes::gpu_virtual,
        .alternate_address_lock = wddmcore::claim::yes,
        .context_allocations = wddmcore::claim::yes,
        .tiled_resources = wddmcore::claim::yes,
        .residency_notification = wddmcore::claim::yes,
        .monitored_fence_signal = wddmcore::claim::yes,
        .native_fences = wddmcore::claim::yes,
        .mmu_mapping = wddmcore::claim::yes,
        .allocation_notification = wddmcore::claim::yes,
        .highest_visible_address = (wddmcore::u64{1} << 48) - 1,
    };
    wddmcore::segment_place local{{0x80'0000'0000}, {wddmcore::u64{8} << 30}};
    wddmcore::segment_place aperture{{0x4000'0000}, {wddmcore::u64{1} << 29}};

    wddmcore::disposition on_paging_fault(wddmcore::paging_fault const&) { return wddmcore::disposition::stop; }
    address from_page(wddmcore::page_number page) const { return {wddmcore::byte_address(page)}; }
    address from_segment(wddmcore::segment_id id, wddmcore::segment_offset offset) const {
        return {place(id).base.n + offset.n};
    }
    address from_virtual(wddmcore::gpu_virtual_address va) const { return {va.n}; }
    wddmcore::segment_place place(wddmcore::segment_id id) const {
        return id.n == 1 ? local : id.n == 2 ? aperture : wddmcore::segment_place{{0}, {0}};
    }
    bool is_aperture(wddmcore::segment_id id) const { return id.n == 2; }
    static constexpr dwords unit_dwords{1};
    void encode_padding(u32* at, dwords) const { until_first_store(at); }

    static constexpr bytes copy_max{4 << 20};
    static constexpr bytes copy_alignment{4};
    static constexpr wddmcore::hw::overlap copy_overlap = wddmcore::hw::overlap::by_direction;
    static constexpr dwords copy_dwords{7};
    void encode_copy(u32* at, address, address, bytes) const { until_first_store(at); }
    static constexpr bytes fill_max{4 << 20};
    static constexpr bytes fill_alignment{4};
    static constexpr bytes fill_pattern_bytes{4};
    static constexpr dwords fill_dwords{5};
    void encode_fill(u32* at, address, bytes, u32) const { until_first_store(at); }

    static constexpr dwords access_dwords{6};
    void encode_read(u32* at, address) const { until_first_store(at); }
    void encode_write(u32* at, address) const { until_first_store(at); }
    static constexpr dwords discard_dwords{4};
    void encode_discard(u32* at, address, void*) const { until_first_store(at); }
    void store_aperture_entry(wddmcore::segment_id, u64, wddmcore::page_number, bool) {}
    static constexpr dwords aperture_entry_dwords{6};
    void encode_aperture_entry(u32* at, wddmcore::segment_id, u64, wddmcore::page_number, bool) const {
        until_first_store(at);
    }

    static constexpr dwords flush_dwords{4};
    void encode_flush(u32* at, wddmcore::hw::tlb_flush const&) const { until_first_store(at); }
    static constexpr bytes fence_bytes{8};
    static constexpr dwords fence_dwords{5};
    void encode_fence(u32* at, address, u64) const { until_first_store(at); }

    static constexpr bytes eviction_block{65536};
    static constexpr bytes eviction_alignment{4096};
    static constexpr bytes eviction_max{1 << 20};
    static constexpr dwords eviction_dwords{6};
    void encode_notify_eviction(u32* at, wddmcore::hw::alloc_notice const&) const { until_first_store(at); }

    bytes context_image_bytes(void*) const { return {4096}; }
    static constexpr bytes context_piece_max{64};
    static constexpr dwords context_piece_dwords{20};
    void encode_context_piece(u32* at, address, wddmcore::hw::context_piece const&) const { until_first_store(at); }
    u32 context_update_count(wddmcore::hw::context_update const&) const { return 4; }
    wddmcore::hw::context_write context_update_at(wddmcore::hw::context_update const&, u32 index) const {
        return {index * 4, 4};
    }
    static constexpr dwords context_update_dwords{5};
    void encode_context_update(u32* at, address, wddmcore::hw::context_update const&, u32) const {
        until_first_store(at);
    }

    static constexpr dwords residency_dwords{4};
    void encode_residency(u32* at, wddmcore::hw::residency_change const&) const { until_first_store(at); }
    static constexpr dwords residency_range_dwords{6};
    void encode_residency_range(u32* at, wddmcore::hw::residency_range const&) const { until_first_store(at); }
    static constexpr dwords fence_residency_dwords{8};
    void encode_fence_residency(u32* at, wddmcore::hw::fence_residency const&) const { until_first_store(at); }

    bool is_mmu(u32 id) const { return id == 0; }
    static constexpr wddmcore::pages mmu_max{512};
    static constexpr dwords mmu_dwords{6};
    void encode_mmu_map(u32* at, wddmcore::hw::mmu_range const&) const { until_first_store(at); }
    void encode_mmu_unmap(u32* at, wddmcore::hw::mmu_range const&) const { until_first_store(at); }

    static constexpr wddmcore::gpuva::page_table_geometry page_tables{.level_count = 4,
                                                                      .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}}};
    static constexpr wddmcore::gpuva::gpu_mmu_capabilities mmu_caps{};
    static constexpr wddmcore::page_table_entry_limits entry_limits{.page_number_bits = 36};
    wddmcore::page_table_entry encode_leaf(wddmcore::leaf_kind, u32, wddmcore::pte_target target, u64) const {
        return {target.page << 12 | target.flags.valid(), 0};
    }
    wddmcore::page_table_entry encode_directory(u32, wddmcore::pte_target table, wddmcore::pte_target) const {
        return {table.page << 12 | table.flags.valid(), 0};
    }
    static constexpr u32 entry_page_shift = 12;
    wddmcore::entry_attributes attributes(wddmcore::leaf_kind, wddmcore::pte_flags flags, u64) const {
        return {~u64{4095}, flags.valid()};
    }
    void store_entry_word(u64* at, u64 value) { *at = value; }
    void store_entry_word(u32* at, u32 value) { *at = value; }
    void finish_entry_stores() {}
    static constexpr dwords write_max{1024};
    static constexpr dwords write_head_dwords{4};
    void encode_write_head(u32* at, address, dwords) const { until_first_store(at); }
    static constexpr bytes copy_entries_max{4096};
    static constexpr dwords copy_entries_dwords{7};
    void encode_copy_entries(u32* at, address, address, bytes) const { until_first_store(at); }
};
