// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/wddmcore.hpp>
#include <wddmcore/wdk/bind.hpp>

#include "driven.hpp"

#include <hardware/cpu_virtual.hpp>

/// Hardware that promises and claims everything that there is at one interface version, so that every operation and every
/// query is instantiated with the structures of the included DDI header.
namespace strict {

using namespace wddmcore;

inline constexpr wddm version = header_binding::version;
inline constexpr u64 reach = (u64{1} << 44) - 1;
inline constexpr segment_id gart{1};
inline constexpr segment_id vram{2};

/// Everything that the structures of the included header can carry. Native fences need the operation's arguments, which
/// headers before build 26100 lack although they have the interface version.
inline constexpr capabilities every_claim{
    .version = version,
    .oldest = wddm::vista,
    .addresses = paging_addresses::both,
    .aperture = version >= wddm::v2_9 ? aperture_forms::either : aperture_forms::mdl,
    .gpu_mmu = claim::at_run_time,
    .page_tables = update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical,
    .alternate_address_lock = claim::at_run_time,
    .context_allocations = claim::at_run_time,
    .tiled_resources = claim::at_run_time,
    .residency_notification = claim::at_run_time,
    .monitored_fence_signal = claim::at_run_time,
    .native_fences = has_arguments<_DXGKARG_BUILDPAGINGBUFFER>(paging_operation::notify_fence_residency)
                         ? claim::at_run_time
                         : claim::no,
    .mmu_mapping = claim::at_run_time,
    .allocation_notification = claim::at_run_time,
    .highest_visible_address = reach};

constexpr capabilities without_tables(capabilities claims) {
    claims.gpu_mmu = claim::no;
    claims.page_tables = update_modes::none;
    claims.tiled_resources = claim::no;
    return claims;
}
inline constexpr capabilities every_claim_without_tables = without_tables(every_claim);

/// Page tables and notices of the example processor; a swizzle, a discard and a record of submissions beside them.
struct described_gpu : examples::cpu::virtual_processor<every_claim>, driven {
    using address = examples::cpu::address;

    static constexpr scheduling_capabilities scheduling{.multi_engine_aware = claim::at_run_time};
    static constexpr preemption_engine engines[1] = {{.other = {other_preemption_granularity::none}}};
    static constexpr iommu::capabilities iommu{.isolation = version >= wddm::v2_4 ? claim::at_run_time : claim::no};
    static constexpr gpuva::page_table_segments table_segments = gpuva::every_level_in(segment_id{0}, vram);
    static constexpr bool dirty_bits_performant = true;

    static constexpr dwords discard_dwords{4};
    static constexpr void encode_discard(u32* at, address place, void*) noexcept {
        put64(at, 0);
        put64(at + 2, place.n);
    }
    static constexpr dwords swizzle_dwords{8};
    static constexpr void encode_swizzled_copy(u32* at, hw::swizzled_copy<described_gpu> const& copy) noexcept {
        encode_copy(at, copy.destination, copy.source, bytes{copy.size});
    }
    static constexpr bytes record_bytes{sizeof(paging_record)};
    static constexpr void encode_record(void* at, paging_record const& record) noexcept {
        *static_cast<paging_record*>(at) = record;
    }
    static constexpr bool decrements_dma_size = true;
    static constexpr bytes paging_private_data_size{sizeof(paging_record)};

    void* busy;
    capabilities chosen;
    scheduling_capabilities chosen_scheduling;
    wddmcore::iommu::capabilities chosen_iommu;
    segment::table<2> tables[2];
    u32 link;
    u64 reaches[2];
    gpuva::paging_space_request space;
    mmu_description mmu;
    wddmcore::iommu::physical_memory_range range;

    [[nodiscard]] bool allocation_is_busy(void* allocation) const noexcept { return allocation == busy; }
    [[nodiscard]] segment::view segments(u32 index) const { return tables[index].all(); }
    [[nodiscard]] u32 physical_adapters() const { return link; }
    [[nodiscard]] u64 highest_visible_address(u32 index) const { return reaches[index]; }
    [[nodiscard]] gpuva::paging_space_request paging_space(u32) const { return space; }
    [[nodiscard]] bytes frame_buffer_save_size() const { return {reaches[0]}; }
    [[nodiscard]] span<wddmcore::iommu::physical_memory_range const> reserved_ranges() const { return {&range, 1}; }
    [[nodiscard]] span<mmu_description const> mmus(u32) const { return {&mmu, 1}; }
    [[nodiscard]] u64 vgpu_resources_page_size(segment_id) const { return page_bytes; }
    [[nodiscard]] u32 dirty_bit_page_size(segment_id) const { return link; }
    void store_host_aperture_entry(segment_id, u32 aperture_page, u64 memory_page) {
        reaches[aperture_page & 1] = memory_page;
    }
    void clear_host_aperture_entry(segment_id, u32 aperture_page) { reaches[aperture_page & 1] = 0; }

    static void flush_at_once(hw::tlb_flush const&) noexcept {}
};

/// What described_gpu does by command is done at once here, and the other way round.
struct other_gpu : examples::cpu::processor<every_claim_without_tables> {
    using address = examples::cpu::address;
    static constexpr dwords value_dwords{3};
    static void put_value(u32* at, u64 value) noexcept {
        put32(at, 0);
        put64(at + 1, value);
    }
    u64 told;

    static constexpr bytes fence_bytes{8};
    static constexpr dwords fence_dwords = value_dwords;
    static void encode_fence(u32* at, address place, u64 value) noexcept { put_value(at, place.n + value); }
    static constexpr bytes eviction_block{0x1'0000};
    static constexpr bytes eviction_alignment{0x1000};
    static constexpr bytes eviction_max{0x10'0000};
    static constexpr dwords eviction_dwords = value_dwords;
    static void encode_notify_eviction(u32* at, hw::alloc_notice const& notice) noexcept {
        put_value(at, notice.place.n);
    }
    void notify_iommu_unmap(hw::alloc_notice const& notice) noexcept { told += notice.place.n; }
    static constexpr dwords residency_dwords = value_dwords;
    static void encode_residency(u32* at, hw::residency_change const& change) noexcept {
        put_value(at, change.offset.n);
    }
    void notify_residency(hw::residency_change const& change) noexcept { told += change.offset.n; }
    static constexpr dwords residency_range_dwords = value_dwords;
    static void encode_residency_range(u32* at, hw::residency_range const& range) noexcept {
        put_value(at, range.offset.n);
    }
    void notify_residency_range(hw::residency_range const& range) noexcept { told += range.list_pages; }
    static constexpr dwords fence_residency_dwords = value_dwords;
    static void encode_fence_residency(u32* at, hw::fence_residency const& fence) noexcept {
        put_value(at, fence.current.offset.n);
    }
    void notify_fence_residency(hw::fence_residency const& fence) noexcept { told += fence.current.offset.n; }

    [[nodiscard]] static bytes context_image_bytes(void*) noexcept { return bytes{0x3000}; }
    static constexpr bytes context_piece_max{64};
    static constexpr dwords context_piece_dwords = value_dwords;
    static void encode_context_piece(u32* at, address place, hw::context_piece const&) noexcept {
        put_value(at, place.n);
    }
    static void store_context_piece(void* place, hw::context_piece const& piece) noexcept {
        *static_cast<u32*>(place) = static_cast<u32>(piece.offset);
    }
    [[nodiscard]] static u32 context_update_count(hw::context_update const& update) noexcept {
        return update.data_bytes / 8;
    }
    [[nodiscard]] static hw::context_write context_update_at(hw::context_update const&, u32 index) noexcept {
        return {u64{index} * 4, 4};
    }
    static constexpr dwords context_update_dwords = value_dwords;
    static void encode_context_update(u32* at, address place, hw::context_update const&, u32) noexcept {
        put_value(at, place.n);
    }
    [[nodiscard]] static bool is_mmu(u32 id) noexcept { return id < 4; }
    static constexpr pages mmu_max{512};
    static constexpr dwords mmu_dwords = value_dwords;
    static void encode_mmu_map(u32* at, hw::mmu_range const& range) noexcept { put_value(at, range.address); }
    static void encode_mmu_unmap(u32* at, hw::mmu_range const& range) noexcept { put_value(at, range.address); }
    void store_mmu_map(hw::mmu_range const& range) noexcept { told += range.first.n; }
    void store_mmu_unmap(hw::mmu_range const& range) noexcept { told += range.address; }
};

inline constexpr paging_addresses newest_addresses =
    version >= wddm::v2_0 ? paging_addresses::gpu_virtual : paging_addresses::physical;

/// Is never asked for the operations of older drivers.
using virtual_gpu = examples::cpu::processor<capabilities{
    .version = version, .addresses = newest_addresses, .aperture = every_claim.aperture}>;

constexpr claim from(wddm first) { return version >= first ? claim::yes : claim::no; }

/// Claims every bit of DXGK_VIDSCHCAPS that the interface version and the header's generation have.
struct scheduling_gpu {
    static constexpr bool has_optimized = members::vidschcaps_optimized_native_fence<_DXGK_VIDSCHCAPS>;

    static constexpr capabilities caps{.version = version, .oldest = version, .addresses = newest_addresses};
    static constexpr scheduling_capabilities scheduling{
        .multi_engine_aware = claim::yes,
        .preemption_aware = from(wddm::win8),
        .cancel_command_aware = from(wddm::win8),
        .virtual_addressing = from(wddm::v2_0),
        .no_dma_patching = from(wddm::v2_0),
        .no_64_bit_atomics = from(wddm::v2_0),
        .low_irql_preempt_command = from(wddm::v2_0),
        .hw_queue_packet_cap = version >= wddm::v2_3 ? 8u : 0u,
        .native_gpu_fence = version >= wddm::v3_1 ? claim::at_run_time : claim::no,
        .optimized_native_fence_signaled_interrupt =
            version >= wddm::v3_1 && has_optimized ? claim::at_run_time : claim::no};
    static constexpr preemption_engine engines[1] = {{.other = {other_preemption_granularity::none}}};
};

/// A device without an engine for paging: the processor executes operations.
struct executing_gpu {
    static constexpr capabilities caps{.version = version,
                                       .oldest = wddm::vista,
                                       .addresses = paging_addresses::both,
                                       .aperture = version >= wddm::v2_9 ? aperture_forms::either : aperture_forms::mdl,
                                       .alternate_address_lock = claim::yes};
    static constexpr bool paged_by_cpu = true;
    segment_place places[3];
    u64* entries;

    [[nodiscard]] segment_place place(segment_id id) const noexcept {
        return id.n - 1 < 3 ? places[id.n - 1] : segment_place{{0}, {0}};
    }
    [[nodiscard]] static bool is_aperture(segment_id id) noexcept { return id.n == 1; }
    void store_aperture_entry(segment_id, u64 index, page_number page, bool coherent) const noexcept {
        entries[index] = byte_address(page) | coherent;
    }
    [[nodiscard]] static disposition on_paging_fault(paging_fault const&) noexcept { return disposition::stop; }
};

struct cpu_mappings {
    static constexpr pages map_max{512};
    u8* memory;

    [[nodiscard]] void* map_pages(page_number first, pages) const noexcept {
        return memory + static_cast<usize>(byte_address(first));
    }
    [[nodiscard]] void* map_segment(segment_id, segment_offset offset, bytes) const noexcept {
        return memory + static_cast<usize>(offset.n);
    }
    [[nodiscard]] void* map_virtual(gpu_virtual_address va, bytes) const noexcept {
        return memory + static_cast<usize>(va.n);
    }
    static void unmap(void*, bytes) noexcept {}
};

}  // namespace strict
