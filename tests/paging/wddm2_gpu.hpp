// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "recorder.hpp"

#include <wddmcore/gpuva.hpp>

#include <initializer_list>

/// The recording hardware with the promises of the operations that came with WDDM 1.2 and later: each is a part that a
/// test takes or leaves. A record of theirs is its head and 64-bit values.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Writes a record of 64-bit values.
constexpr void record_values(u32* at, record_kind kind, dwords length, std::initializer_list<u64> values) {
    record_writer to{at};
    to.head(kind, length);
    for (u64 const value : values) {
        to.wide(value);
    }
}

/// What was told at once: its kind and the values that a record of it would have.
struct told {
    record_kind kind;
    u64 values[7];
    friend constexpr bool operator==(told const&, told const&) = default;
};

/// Where told things go; counts also what it cannot hold.
struct told_log {
    static constexpr u32 capacity = 64;
    told list[capacity] = {};
    u32 count = 0;
    constexpr void add(record_kind kind, std::initializer_list<u64> values) {
        if (count < capacity) {
            list[count].kind = kind;
            u32 i = 0;
            for (u64 const value : values) {
                list[count].values[i++] = value;
            }
        }
        ++count;
    }
};

/// Two levels of 8-byte entries that the CPU stores: what hardware with page tables has at least.
struct page_table_part : hw::coherent_page_table_store {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 2, .levels = {{9, 8}, {0, 8}}, .virtual_address_bits = 32};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 40};
    [[nodiscard]] static constexpr page_table_entry encode_leaf(leaf_kind, u32, pte_target target, u64) {
        return {target.page << page_shift_lg2 | (target.flags.valid() ? 1 : 0), 0};
    }
    [[nodiscard]] static constexpr page_table_entry encode_directory(u32, pte_target table, pte_target) {
        return {table.page << page_shift_lg2 | (table.flags.valid() ? 1 : 0), 0};
    }
};

struct flush_part {
    static constexpr dwords flush_dwords{7};
    static constexpr void encode_flush(u32* at, hw::tlb_flush const& flush) {
        record_values(at, record_kind::flush, flush_dwords,
                      {flush.root.segment.n, flush.root.offset.n, handle_bits(flush.process)});
    }
};

template <u64 Granule>
struct flush_range_part {
    static constexpr bytes flush_granule{Granule};
    static constexpr dwords flush_range_dwords{9};
    static constexpr void encode_flush_range(u32* at, hw::tlb_flush const& flush) {
        record_values(at, record_kind::flush_range, flush_range_dwords,
                      {flush.root.segment.n, flush.root.offset.n, flush.first.n, flush.last.n});
    }
};

/// Flushes at once.
struct flush_at_once_part {
    told_log* flushed = nullptr;
    constexpr void flush_at_once(hw::tlb_flush const& flush) {
        flushed->add(record_kind::flush, {flush.root.segment.n, flush.root.offset.n, handle_bits(flush.process),
                                          flush.first.n, flush.last.n});
    }
};

template <u64 Granule>
struct flush_range_at_once_part : flush_at_once_part {
    static constexpr bytes flush_granule{Granule};
};

template <u64 Width>
struct fence_part {
    static constexpr bytes fence_bytes{Width};
    static constexpr dwords fence_dwords{7};
    static constexpr void encode_fence(u32* at, recorded_address place, u64 value) {
        record_values(at, record_kind::fence, fence_dwords, {place.n, place.space, value});
    }
};

template <u64 Block, u64 Alignment, u64 Most>
struct eviction_part {
    static constexpr bytes eviction_block{Block};
    static constexpr bytes eviction_alignment{Alignment};
    static constexpr bytes eviction_max{Most};
    static constexpr dwords eviction_dwords{13};
    static constexpr void encode_notify_eviction(u32* at, hw::alloc_notice const& notice) {
        record_values(at, record_kind::eviction, eviction_dwords,
                      {handle_bits(notice.allocation), handle_bits(notice.process), notice.offset, notice.place.n,
                       notice.size.n, static_cast<u64>(notice.event)});
    }
};

template <u64 Most>
struct iommu_unmap_part {
    static constexpr bytes iommu_unmap_max{Most};
    static constexpr dwords iommu_unmap_dwords{13};
    static constexpr void encode_notify_iommu_unmap(u32* at, hw::alloc_notice const& notice) {
        record_values(at, record_kind::iommu_unmap, iommu_unmap_dwords,
                      {handle_bits(notice.allocation), handle_bits(notice.process), notice.offset, notice.place.n,
                       notice.size.n, static_cast<u64>(notice.event)});
    }
};

template <u64 Most>
struct context_part {
    static constexpr bytes context_piece_max{Most};
    static constexpr dwords context_piece_dwords{11};
    static constexpr void encode_context_piece(u32* at, recorded_address place, hw::context_piece const& piece) {
        record_values(at, record_kind::context_piece, context_piece_dwords,
                      {place.n, place.space, handle_bits(piece.allocation), piece.offset, piece.size});
    }
};

struct residency_part {
    static constexpr dwords residency_dwords{9};
    static constexpr void encode_residency(u32* at, hw::residency_change const& change) {
        record_values(at, record_kind::residency, residency_dwords,
                      {handle_bits(change.allocation), change.resident, change.segment.n, change.offset.n});
    }
};

struct residency_range_part {
    static constexpr dwords residency_range_dwords{15};
    static constexpr void encode_residency_range(u32* at, hw::residency_range const& range) {
        record_values(at, record_kind::residency_range, residency_range_dwords,
                      {range.first_page, range.page_count, range.resident, range.segment.n, range.offset.n,
                       range.list_pages, range.page_list == nullptr ? 0 : u64{*range.page_list}});
    }
};

struct fence_residency_part {
    static constexpr dwords fence_residency_dwords{15};
    static constexpr void encode_fence_residency(u32* at, hw::fence_residency const& fence) {
        record_values(at, record_kind::fence_residency, fence_residency_dwords,
                      {handle_bits(fence.fence), fence.current.segment.n, fence.current.offset.n,
                       handle_bits(fence.current.cpu), fence.monitored.segment.n, fence.monitored.offset.n,
                       handle_bits(fence.monitored.cpu)});
    }
};

template <u64 Most>
struct mmu_part_by_command {
    static constexpr pages mmu_max{Most};
    static constexpr dwords mmu_dwords{15};
    static constexpr void encode_mmu_map(u32* at, hw::mmu_range const& range) {
        record_values(at, record_kind::mmu_map, mmu_dwords,
                      {range.mmu, range.address, range.length.n, range.first.n, range.segment.n, range.allocation_start,
                       range.position});
    }
    static constexpr void encode_mmu_unmap(u32* at, hw::mmu_range const& range) {
        record_values(at, record_kind::mmu_unmap, mmu_dwords,
                      {range.mmu, range.address, range.length.n, range.first.n, range.segment.n, range.allocation_start,
                       range.position});
    }
};

/// Recording hardware of a shape with more parts.
template <engine_shape const& Shape, class... Parts>
struct wddm2_gpu : recorder<Shape>, Parts... {};

/// Hardware with the segments of every test.
template <class Hw>
[[nodiscard]] constexpr Hw with_segments() {
    Hw hw{};
    auto const plain = recorder_with_segments<Hw::shape>();
    for (u32 id = 0; id != recorder_segments; ++id) {
        hw.places[id] = plain.places[id];
        hw.apertures[id] = plain.apertures[id];
    }
    return hw;
}

}  // namespace wddmcore::testing
