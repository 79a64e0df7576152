// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "cpu.hpp"

/// The records of a processor under a WDDM 2.0 to 3.2 driver, in addition to those of cpu.hpp:
///
///   code  length  record                                                            dwords
///   6     4 + n   page-table entries                1: n, 2-3: destination, 4...: the entries
///   7     8       run of entries                    1: count, 2-3: destination, 4-5: the first, 6-7: step
///   8     8       drop translations                 1: root's segment id, 2-3: root's offset, 4-5: first byte,
///                                                   6-7: last byte; both 0 for a whole address space
///   9     6       store 64 bits                     1: b0 interrupt for fences, 2-3: place, 4-5: value
///   10    8       residency                         1: b0 resident, segment id [15:8], 2-3: allocation, 4-5: offset,
///                                                   6-7: zero
///   11    10      residency of a part               1: as for 10, 2-3: allocation, 4: first page, 5: pages,
///                                                   6-7: offset, 8-9: pages of the list
///   12    8       where a native fence is           1: segment ids, current [7:0], monitored [15:8], 2-3: fence,
///                                                   4-5: current offset, 6-7: monitored offset
///   13    8       drop what is cached of a range    1: zero, 2-3: virtual address, 4-5: bytes, 6-7: process
namespace wddmcore::examples::cpu {

enum class wddm2_record : u32 {
    entries = 6,
    entry_run = 7,
    drop_translations = 8,
    store = 9,
    residency = 10,
    residency_range = 11,
    fence_residency = 12,
    drop_caches = 13,
};

/// The head of such a record, with its dword 1.
[[nodiscard]] constexpr u64 wddm2_head(wddm2_record code, dwords length, u32 argument) noexcept {
    return dword_pair(head(static_cast<record>(code), length), argument);
}

/// A handle as a record carries it: a name that is never dereferenced.
[[nodiscard]] inline u64 handle_value(void* handle) noexcept { return reinterpret_cast<usize>(handle); }

/// Entries written by records.
struct entry_records {
    static constexpr dwords write_max{240};
    static constexpr dwords write_head_dwords{4};
    static constexpr void encode_write_head(u32* at, address destination, dwords entries) noexcept {
        put64(at, wddm2_head(wddm2_record::entries, write_head_dwords + entries, entries.n));
        put64(at + 2, destination.n);
    }

    static constexpr u32 generate_max = 0x1'0000;
    static constexpr u32 generate_entry_bytes = 8;
    static constexpr dwords generate_dwords{8};
    static constexpr void encode_generate(u32* at, address destination, entry_run const& run) noexcept {
        put64(at, wddm2_head(wddm2_record::entry_run, generate_dwords, run.count));
        put64(at + 2, destination.n);
        put64(at + 4, run.add + run.start);
        put64(at + 6, run.step);
    }
};

/// Translations and whatever else the processor may have cached.
struct cache_records {
    static constexpr dwords flush_dwords{8};
    static constexpr void encode_flush(u32* at, hw::tlb_flush const& flush) noexcept {
        put64(at, wddm2_head(wddm2_record::drop_translations, flush_dwords, flush.root.segment.n));
        put64(at + 2, flush.root.offset.n);
        put64(at + 4, flush.first.n);
        put64(at + 6, flush.last.n);
    }
    static constexpr bytes flush_granule{page_bytes};
    static constexpr dwords flush_range_dwords = flush_dwords;
    static constexpr void encode_flush_range(u32* at, hw::tlb_flush const& flush) noexcept { encode_flush(at, flush); }

    static constexpr bytes iommu_unmap_max = 1 * gib;
    static constexpr dwords iommu_unmap_dwords{8};
    static void encode_notify_iommu_unmap(u32* at, hw::alloc_notice const& notice) noexcept {
        put64(at, wddm2_head(wddm2_record::drop_caches, iommu_unmap_dwords, 0));
        put64(at + 2, notice.place.n);
        put64(at + 4, notice.size.n);
        put64(at + 6, handle_value(notice.process));
    }
};

/// What the processor is told about allocations and fences. It passes everything on in the order of the stream.
struct notice_records {
    [[nodiscard]] static constexpr u32 place_and_state(segment_id segment, bool resident) noexcept {
        return bit_field<u32, 0>::place(resident) | bit_field<u32, 15, 8>::place(segment.n);
    }

    static constexpr dwords residency_dwords{8};
    static void encode_residency(u32* at, hw::residency_change const& change) noexcept {
        put64(at,
              wddm2_head(wddm2_record::residency, residency_dwords, place_and_state(change.segment, change.resident)));
        put64(at + 2, handle_value(change.allocation));
        put64(at + 4, change.offset.n);
        put64(at + 6, 0);
    }

    static constexpr dwords residency_range_dwords{10};
    static void encode_residency_range(u32* at, hw::residency_range const& range) noexcept {
        put64(at, wddm2_head(wddm2_record::residency_range, residency_range_dwords,
                             place_and_state(range.segment, range.resident)));
        put64(at + 2, handle_value(range.allocation));
        put64(at + 4, dword_pair(range.first_page, range.page_count));
        put64(at + 6, range.offset.n);
        put64(at + 8, range.list_pages);
    }

    static constexpr dwords fence_residency_dwords{8};
    static void encode_fence_residency(u32* at, hw::fence_residency const& fence) noexcept {
        u32 const places = bit_field<u32, 7, 0>::place(fence.current.segment.n) |
                           bit_field<u32, 15, 8>::place(fence.monitored.segment.n);
        put64(at, wddm2_head(wddm2_record::fence_residency, fence_residency_dwords, places));
        put64(at + 2, handle_value(fence.fence));
        put64(at + 4, fence.current.offset.n);
        put64(at + 6, fence.monitored.offset.n);
    }
};

/// What DxgkCbUpdateContextAllocation was given as private data: an array of these.
struct context_item {
    u64 offset;  ///< bytes from the start of the context allocation, a multiple of 8
    u64 value;
};

/// Stores of 64 bits: fences, and updates of contexts. An initial image is all zeroes.
struct stores_and_contexts {
    bytes context_image = {0};  ///< of every context allocation; a multiple of 4

    static constexpr dwords store_dwords{6};
    static constexpr void encode_store(u32* at, address place, u64 value, bool interrupts) noexcept {
        put64(at, wddm2_head(wddm2_record::store, store_dwords, bit_field<u32, 0>::place(interrupts)));
        put64(at + 2, place.n);
        put64(at + 4, value);
    }

    static constexpr bytes fence_bytes{8};
    static constexpr dwords fence_dwords = store_dwords;
    static constexpr void encode_fence(u32* at, address place, u64 value) noexcept {
        encode_store(at, place, value, true);
    }

    [[nodiscard]] constexpr bytes context_image_bytes(void*) const noexcept { return context_image; }
    static constexpr bytes context_piece_max{page_bytes};
    static constexpr dwords context_piece_dwords{8};
    static constexpr void encode_context_piece(u32* at, address place, hw::context_piece const& piece) noexcept {
        put64(at, head(record::fill, context_piece_dwords));
        put64(at + 2, place.n);
        put64(at + 4, piece.size);
        put64(at + 6, 0);
    }

    [[nodiscard]] static constexpr u32 context_update_count(hw::context_update const& update) noexcept {
        return update.data_bytes / u32{sizeof(context_item)};
    }
    [[nodiscard]] static context_item item(hw::context_update const& update, u32 index) noexcept {
        return static_cast<context_item const*>(update.data)[index];
    }
    [[nodiscard]] static hw::context_write context_update_at(hw::context_update const& update, u32 index) noexcept {
        return {item(update, index).offset, sizeof(u64)};
    }
    static constexpr dwords context_update_dwords = store_dwords;
    static void encode_context_update(u32* at, address place, hw::context_update const& update, u32 index) noexcept {
        encode_store(at, place, item(update, index).value, false);
    }
};

}  // namespace wddmcore::examples::cpu
