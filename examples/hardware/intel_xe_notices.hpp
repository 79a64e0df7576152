// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "intel_xe_page_table_commands.hpp"

/// Intel Xe2: contexts, residency, native fences and the global page table.
///
/// What these operations mean is up to the system and the driver. Here is one plain way for each, with records that the
/// driver's firmware reads.
namespace wddmcore::examples::intel {

/// The first content of a context allocation.
struct context_image {
    void* allocation = nullptr;  ///< the handle that the request will name (AMB-34)
    u32 const* words = nullptr;
    u32 word_count = 0;
};

/// One dword that an update writes; DxgkCbUpdateContextAllocation gets an array of these as its private data.
struct context_word {
    u32 offset = 0;  ///< bytes from the start of the context allocation, a multiple of 4
    u32 value = 0;
};

/// Contexts: operations 10 and 13, with a flush followed by MI_STORE_DATA_IMM of dwords.
struct mi_contexts {
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
    static constexpr dwords context_piece_dwords{4 + 3 + 16};
    constexpr void encode_context_piece(u32* at, address place, hw::context_piece const& piece) const noexcept {
        u32 const count = static_cast<u32>(piece.size / 4);
        u32 const* const words = image_of(piece.allocation).words + piece.offset / 4;
        encode_store_head(at, place, count);
        for (u32 i = 0; i != count; ++i) {
            put32(at + 7 + i, words[i]);
        }
        batch::encode_padding(at + 7 + count, {16 - count});
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
    static constexpr dwords context_update_dwords{4 + 3 + 1};
    static constexpr void encode_context_update(u32* at, address place, hw::context_update const& update,
                                                u32 index) noexcept {
        encode_store_head(at, place, 1);
        put32(at + 7, words_of(update)[index].value);
    }

    static constexpr void encode_store_head(u32* at, address place, u32 count) noexcept {
        plain_flush::encode(at);
        put32(at + 4, mi_store_dwords(count));
        put64(at + 5, place.n);
    }
};

/// An allocation whose pages an engine without page tables looks up in a list. Each page has 8 bytes: its number in the
/// GPU's own memory and b0 if it is there, otherwise 0.
struct page_list {
    void* allocation = nullptr;
    u64* entries = nullptr;  ///< the CPU's view of the list
    u32 pages = 0;           ///< of the allocation
};

/// Residency: operations 15 and 21, stored by the CPU. For an allocation without a list nothing is stored.
///
/// A list changes when the paging buffer is built, not when it is executed, and commands that were queued earlier may
/// still be running (PGB-20). So the firmware may look an allocation up only after the fence of that paging buffer.
struct cpu_residency {
    page_list const* lists = nullptr;
    u32 list_count = 0;

    /// @param first  of the first page; 0 for pages that are not there
    constexpr void store_pages(void* allocation, u32 from, u32 count, u64 first) const noexcept {
        for (u32 i = 0; i != list_count; ++i) {
            if (lists[i].allocation == allocation && from < lists[i].pages) {
                u32 const end = from + lesser(count, lists[i].pages - from);
                for (u32 page = from; page != end; ++page) {
                    u64 const entry = first == 0 ? 0 : first + (page - from) * page_bytes;
                    hw::coherent_page_table_store::store_entry_word(lists[i].entries + page, entry);
                }
                return;
            }
        }
    }
};

/// Where the firmware looks up the two values of a native fence: two addresses of the paging context, current and
/// monitored.
struct fence_record {
    void* fence = nullptr;
    u64 address = 0;  ///< of the record, as the paging context sees it
};

/// Native fences: operation 18, a flush followed by one MI_STORE_DATA_IMM of two quadwords. For a fence without a
/// record nothing is written.
struct mi_fence_places {
    fence_record const* records = nullptr;
    u32 record_count = 0;

    static constexpr dwords fence_residency_dwords{4 + 3 + 4};
    constexpr void encode_places(u32* at, void* fence, address current, address monitored) const noexcept {
        for (u32 i = 0; i != record_count; ++i) {
            if (records[i].fence == fence) {
                mi_table_writer::encode_write_head(at, {records[i].address}, dwords{4});
                put64(at + 7, current.n);
                put64(at + 9, monitored.n);
                return;
            }
        }
        batch::encode_padding(at, fence_residency_dwords);
    }
};

/// The global page table, an MMU of the driver's QUERYMMUS answer: one entry of 8 bytes for each 4-KiB page.
struct global_table {
    u32 id = 0;
    u64* entries = nullptr;      ///< the CPU's view, in the BAR
    u32 pat = 0;                 ///< the caching policy of its pages, 0 to 3
    void (*forget)() = nullptr;  ///< the driver's invalidation of translations; it also drains stores
};

/// Mappings in it: operations 19 and 20, stored by the CPU as the public driver does. Unmapped entries are 0.
struct cpu_global_mmu {
    global_table global{};

    [[nodiscard]] constexpr bool is_mmu(u32 id) const noexcept { return id == global.id && global.entries != nullptr; }

    /// An entry of the global table: present b0, device memory b1, address, caching policy [53:52].
    [[nodiscard]] constexpr u64 global_entry(u64 place, bool local) const noexcept {
        return (place & page_tables::address::mask) | 1 | bit_field<u64, 1>::place(local) |
               bit_field<u64, 53, 52>::place(global.pat);
    }
    /// @param first  the number of the first page, as entries count
    constexpr void store_mapped(hw::mmu_range const& range, u64 first, bool local) const noexcept {
        for (u64 i = 0; i != range.length.n; ++i) {
            store(range.address / page_bytes + i, global_entry(first + i * page_bytes, local));
        }
        finish();
    }
    constexpr void store_mmu_unmap(hw::mmu_range const& range) const noexcept {
        for (u64 i = 0; i != range.length.n; ++i) {
            store(range.address / page_bytes + i, 0);
        }
        finish();
    }

private:
    constexpr void store(u64 index, u64 entry) const noexcept {
        hw::coherent_page_table_store::store_entry_word(global.entries + index, entry);
    }
    constexpr void finish() const noexcept {
        if (global.forget != nullptr) {
            global.forget();
        }
    }
};

}  // namespace wddmcore::examples::intel
