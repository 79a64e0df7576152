// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "amd_gfx10_page_table_commands.hpp"

/// AMD gfx10: contexts, residency, native fences, other MMUs and allocations that are evicted or unmapped.
///
/// What these operations mean is up to the system and the driver. Here is one plain way for each, with records that the
/// driver's firmware reads. The records lie where the addresses of the stream can reach them.
namespace wddmcore::examples::amd {

/// WRITE_LINEAR, as short as its data.
struct sdma_write {
    static constexpr void encode_head(u32* at, address destination, u32 count) noexcept {
        sdma_table_writer::encode_write_head(at, destination, dwords{count});
    }
};

/// The first content of a context allocation.
struct context_image {
    void* allocation = nullptr;  ///< the handle that the request is going to name (AMB-34)
    u32 const* words = nullptr;
    u32 word_count = 0;
};

/// One dword that an update writes; DxgkCbUpdateContextAllocation gets an array of these as its private data.
struct context_word {
    u32 offset = 0;  ///< bytes from the start of the context allocation, a multiple of 4
    u32 value = 0;
};

/// Contexts: operations 10 and 13.
struct sdma_contexts {
    context_image const* images = nullptr;
    u32 image_count = 0;

    [[nodiscard]] constexpr context_image image_of(void* allocation) const noexcept {
        for (u32 i = 0; i != image_count; ++i) {
            if (images[i].allocation == allocation) {
                return images[i];
            }
        }
        return {};
    }
    [[nodiscard]] constexpr bytes context_image_bytes(void* allocation) const noexcept {
        return {u64{image_of(allocation).word_count} * 4};
    }

    static constexpr bytes context_piece_max{64};
    static constexpr dwords context_piece_dwords{4 + 16};
    constexpr void encode_context_piece(u32* at, address place, hw::context_piece const& piece) const noexcept {
        u32 const count = static_cast<u32>(piece.size / 4);
        u32 const* const words = image_of(piece.allocation).words + piece.offset / 4;
        sdma_write::encode_head(at, place, count);
        for (u32 i = 0; i != count; ++i) {
            put32(at + 4 + i, words[i]);
        }
        sdma_stream::encode_padding(at + 4 + count, {16 - count});
    }

    [[nodiscard]] static constexpr context_word const* words_of(hw::context_update const& update) noexcept {
        return static_cast<context_word const*>(update.data);
    }
    [[nodiscard]] static constexpr u32 context_update_count(hw::context_update const& update) noexcept {
        return update.data_bytes / u32{sizeof(context_word)};
    }
    [[nodiscard]] static constexpr hw::context_write context_update_at(hw::context_update const& update,
                                                                       u32 index) noexcept {
        return {words_of(update)[index].offset, 4};
    }
    static constexpr dwords context_update_dwords{4 + 1};
    static constexpr void encode_context_update(u32* at, address place, hw::context_update const& update,
                                                u32 index) noexcept {
        sdma_write::encode_head(at, place, 1);
        put32(at + 4, words_of(update)[index].value);
    }
};

/// An allocation whose pages an engine without page tables looks up in a list. Each page has 8 bytes: its GPU address
/// and b0 if the engine can reach it, otherwise 0.
struct page_list {
    void* allocation = nullptr;
    u64 address = 0;  ///< of the list
    u32 pages = 0;    ///< of the allocation, at most 0x3FFFF
};

/// Residency: operations 15 and 21. One generated run writes all entries of a change. For an allocation without a list
/// nothing is written.
struct sdma_residency {
    page_list const* lists = nullptr;
    u32 list_count = 0;

    static constexpr dwords residency_dwords = sdma_table_generator::generate_dwords;
    static constexpr dwords residency_range_dwords = sdma_table_generator::generate_dwords;

    /// @param reachable  whether the pages lie in a segment, contiguously from `first` on
    constexpr void encode_pages(u32* at, void* allocation, u32 from, u32 count, bool reachable,
                                address first) const noexcept {
        for (u32 i = 0; i != list_count; ++i) {
            if (lists[i].allocation == allocation && from < lists[i].pages) {
                sdma_table_generator::encode_entries(at, {lists[i].address + u64{from} * 8}, reachable ? 1 : 0,
                                                     reachable ? first.n : 0, reachable ? page_bytes : 0,
                                                     lesser(count, lists[i].pages - from));
                return;
            }
        }
        sdma_stream::encode_padding(at, sdma_table_generator::generate_dwords);
    }
};

/// Where the firmware looks up the two values of a native fence: two GPU addresses, current and monitored.
struct fence_record {
    void* fence = nullptr;
    u64 address = 0;
};

/// Native fences: operation 18, one WRITE_LINEAR of both addresses. For a fence without a record nothing is written.
struct sdma_fence_places {
    fence_record const* records = nullptr;
    u32 record_count = 0;

    static constexpr dwords fence_residency_dwords{4 + 4};
    constexpr void encode_places(u32* at, void* fence, address current, address monitored) const noexcept {
        for (u32 i = 0; i != record_count; ++i) {
            if (records[i].fence == fence) {
                sdma_write::encode_head(at, {records[i].address}, 4);
                put64(at + 4, current.n);
                put64(at + 6, monitored.n);
                return;
            }
        }
        sdma_stream::encode_padding(at, fence_residency_dwords);
    }
};

/// Another hub's flat page table, an MMU of the driver's QUERYMMUS answer: a GPUVM entry for each 4-KiB page.
struct flat_table {
    u32 id = 0;
    u64 address = 0;            ///< GPU address of the entry of virtual address 0
    invalidation_engine hub{};  ///< of the hub whose table this is, not of the memory hub
};

/// Mappings in that table: operations 19 and 20. The entries are followed by a flush of that hub, because it may have
/// cached old ones; the flush also waits for the entries. Unmapped entries are 0, so an access through them faults.
struct sdma_flat_mmu {
    flat_table flat{};

    [[nodiscard]] constexpr bool is_mmu(u32 id) const noexcept { return id == flat.id && flat.address != 0; }

    static constexpr pages mmu_max{sdma_table_generator::generate_max};
    static constexpr dwords mmu_dwords = sdma_table_generator::generate_dwords + gpuvm_tlb::flush_dwords;

    [[nodiscard]] constexpr address entry_of(u64 virtual_address) const noexcept {
        return {flat.address + virtual_address / page_bytes * 8};
    }
    /// @param first  the number of the first page, as entries count
    constexpr void encode_mapped(u32* at, hw::mmu_range const& range, bool in_system, u64 first) const noexcept {
        // The documentation does not say whether the mapping is coherent; snooped entries are right in either case.
        u64 const in_vram = gart_entries::entry(page_number{0}, false) & ~gart_entries::system;
        u64 const flags = in_system ? gart_entries::entry(page_number{0}, true) : in_vram;
        encode_entries_and_flush(at, range, flags, first, page_bytes);
    }
    constexpr void encode_unmapped(u32* at, hw::mmu_range const& range) const noexcept {
        encode_entries_and_flush(at, range, 0, 0, 0);
    }

private:
    constexpr void encode_entries_and_flush(u32* at, hw::mmu_range const& range, u64 flags, u64 first,
                                            u32 step) const noexcept {
        sdma_table_generator::encode_entries(at, entry_of(range.address), flags, first, step,
                                             static_cast<u32>(range.length.n));
        gpuvm_tlb::encode_flush_by(at + sdma_table_generator::generate_dwords.n, flat.hub);
    }
};

/// Allocations that leave the IOMMU: operation 22. GCR_REQ, 5 dwords, writes all caches back and empties them, because
/// the addresses of a notice belong to another address space (AMB-39). There is no eviction form, because nothing has
/// to be decompressed before an eviction.
struct sdma_cache_flush {
    static constexpr u32 op_cache_request = 17;
    // GL2: write back b15, empty b14; GL1 b9, vector b8, scalar b7, metadata b5: empty; instructions [1:0] = 1: empty.
    static constexpr u32 everything = 0xC3A1;

    static constexpr bytes iommu_unmap_max{u64{1} << 44};
    static constexpr dwords iommu_unmap_dwords{5};
    static constexpr void encode_notify_iommu_unmap(u32* at, hw::alloc_notice const&) noexcept {
        put64(at, dword_pair(op_cache_request, 0));
        put64(at + 2, dword_pair(bit_field<u32, 31, 16>::place(everything), 0));
        put32(at + 4, 0);
    }
};

}  // namespace wddmcore::examples::amd
