// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mock_commands.hpp"

/// What the mock is told of allocations, fences, contexts and other MMUs: by command, and at once.
///
///   code  length  command         argument        dwords
///   0x0C  15      context piece   0               1-3 place, 4 bytes, 5-12 data, 13 offset in the image
///   0x0D  6       context update  0               1-3 place, 4 value
///   0x0E  7       residency       resident        1-2 allocation, 3 segment, 4-5 offset
///   0x0F  10      of a range      resident        1-2 allocation, 3 first page, 4 pages, 5 segment, 6-7 offset,
///                                                 8 pages of the list
///   0x10  11      native fence    0               1-2 fence, 3 current segment, 4-5 offset, 6 monitored segment,
///                                                 7-8 offset, 9 zero
///   0x11  9       map in an MMU   id              1-2 address, 3 pages, 4-5 first page, 6 segment, 7 zero
///   0x12  9       unmap           id              1-2 address, 3 pages, 4-7 zero
///   0x13  11      eviction        0               1-2 process, 3-4 address, 5 bytes, 6-7 offset, 8-9 allocation
///   0x14  7       IOMMU unmap     0               1-2 process, 3-4 address, 5 bytes
///
/// Dword i of an allocation's initial image is (low dword of its handle + i) * 0x9E3779B1. Eviction adds 0x35 to every
/// byte of a block of 12 KiB, so that a block that is handled twice is wrong. The tables of the MMUs 3 and 5 have 8
/// bytes a page: page number [43:0], segment [51:44], valid b63; 0 is nothing.
namespace wddmcore::inline WDDMCORE_ABI::testing::mock {

/// A handle as a number: a name, never followed.
[[nodiscard]] inline u64 handle_value(void const* handle) noexcept { return reinterpret_cast<usize>(handle); }

/// What was told at once: the code of the command that would have said it, and its values in the command's order.
struct told_at_once {
    u32 code;
    u32 argument;
    u64 values[6];
};

/// The notices, in their order; counts also what it cannot hold.
struct notice_log {
    static constexpr u32 limit = 16;
    told_at_once list[limit];
    u32 count;

    constexpr void add(told_at_once const& told) noexcept {
        if (count < limit) {
            list[count] = told;
        }
        ++count;
    }
};

/// Which allocations have an initial image, and how large it is; a test says so.
struct context_list {
    static constexpr u32 limit = 8;
    void* allocations[limit];
    u64 sizes[limit];
    u32 count;

    constexpr void set(void* allocation, bytes size) noexcept {
        if (count != limit) {
            allocations[count] = allocation;
            sizes[count++] = size.n;
        }
    }
    [[nodiscard]] constexpr bytes size_of(void* allocation) const noexcept {
        for (u32 i = 0; i != count; ++i) {
            if (allocations[i] == allocation) {
                return {sizes[i]};
            }
        }
        return {0};
    }
};

/// The tables of both MMUs, of as many pages each; a test owns them.
struct mmu_table_list {
    u64* of[2];
    u64 pages;
};

struct context_writes {
    static constexpr bytes context_piece_max{32};
    static constexpr dwords context_piece_dwords{15};
    static void encode_context_piece(u32* at, address place, hw::context_piece const& piece) noexcept {
        line out{at, 0};
        out.head(0x0C, 0, context_piece_dwords);
        out.short_place(place);
        out.put(static_cast<u32>(piece.size));
        for (u64 i = 0; i != context_piece_max.n; i += 4) {
            out.put(i < piece.size ? image_dword(piece.allocation, piece.offset + i) : 0);
        }
        out.put(static_cast<u32>(piece.offset));
        out.end();
    }
    static void store_context_piece(void* place, hw::context_piece const& piece) noexcept {
        u32* const to = static_cast<u32*>(place);
        for (u64 i = 0; i != piece.size; i += 4) {
            to[i / 4] = image_dword(piece.allocation, piece.offset + i);
        }
    }

    /// An element of the private data of an update.
    struct item {
        u32 offset;
        u32 value;
    };
    [[nodiscard]] static constexpr u32 context_update_count(hw::context_update const& update) noexcept {
        return update.data_bytes / u32{sizeof(item)};
    }
    [[nodiscard]] static hw::context_write context_update_at(hw::context_update const& update, u32 index) noexcept {
        return {static_cast<item const*>(update.data)[index].offset, 4};
    }
    static constexpr dwords context_update_dwords{6};
    static void encode_context_update(u32* at, address place, hw::context_update const& update, u32 index) noexcept {
        line out{at, 0};
        out.head(0x0D, 0, context_update_dwords);
        out.short_place(place);
        out.put(static_cast<item const*>(update.data)[index].value);
        out.end();
    }

private:
    [[nodiscard]] static u32 image_dword(void const* allocation, u64 offset) noexcept {
        return (low_dword(handle_value(allocation)) + static_cast<u32>(offset / 4)) * 0x9E37'79B1u;
    }
};

struct residency_commands {
    static constexpr dwords residency_dwords{7};
    static void encode_residency(u32* at, hw::residency_change const& change) noexcept {
        line out{at, 0};
        out.head(0x0E, change.resident, residency_dwords);
        out.wide(handle_value(change.allocation));
        out.put(change.segment.n);
        out.wide(change.offset.n);
        out.end();
    }

    static constexpr dwords residency_range_dwords{10};
    static void encode_residency_range(u32* at, hw::residency_range const& range) noexcept {
        line out{at, 0};
        out.head(0x0F, range.resident, residency_range_dwords);
        out.wide(handle_value(range.allocation));
        out.put(range.first_page);
        out.put(range.page_count);
        out.put(range.segment.n);
        out.wide(range.offset.n);
        out.put(low_dword(range.list_pages));
        out.end();
    }

    static constexpr dwords fence_residency_dwords{11};
    static void encode_fence_residency(u32* at, hw::fence_residency const& fence) noexcept {
        line out{at, 0};
        out.head(0x10, 0, fence_residency_dwords);
        out.wide(handle_value(fence.fence));
        out.put(fence.current.segment.n);
        out.wide(fence.current.offset.n);
        out.put(fence.monitored.segment.n);
        out.wide(fence.monitored.offset.n);
        out.put(0);
        out.end();
    }
};

struct mmu_commands {
    [[nodiscard]] static constexpr bool is_mmu(u32 id) noexcept { return id == 3 || id == 5; }

    static constexpr pages mmu_max{5};
    static constexpr dwords mmu_dwords{9};
    static constexpr void encode_mmu_map(u32* at, hw::mmu_range const& range) noexcept {
        encode(at, 0x11, range, range.first.n, range.segment.n);
    }
    static constexpr void encode_mmu_unmap(u32* at, hw::mmu_range const& range) noexcept {
        encode(at, 0x12, range, 0, 0);
    }

private:
    static constexpr void encode(u32* at, u32 code, hw::mmu_range const& range, u64 first, u32 segment) noexcept {
        line out{at, 0};
        out.head(code, range.mmu, mmu_dwords);
        out.wide(range.address);
        out.put(static_cast<u32>(range.length.n));
        out.wide(first);
        out.put(segment);
        out.put(0);
        out.end();
    }
};

struct leaving_commands {
    static constexpr bytes eviction_block = 12 * kib;
    static constexpr bytes eviction_alignment{page_bytes};
    static constexpr bytes eviction_max{40'000};
    static constexpr dwords eviction_dwords{11};
    static void encode_notify_eviction(u32* at, hw::alloc_notice const& notice) noexcept {
        line out{at, 0};
        out.head(0x13, 0, eviction_dwords);
        range(out, notice);
        out.wide(notice.offset);
        out.wide(handle_value(notice.allocation));
        out.end();
    }

    static constexpr bytes iommu_unmap_max{20'000};
    static constexpr dwords iommu_unmap_dwords{7};
    static void encode_notify_iommu_unmap(u32* at, hw::alloc_notice const& notice) noexcept {
        line out{at, 0};
        out.head(0x14, 0, iommu_unmap_dwords);
        range(out, notice);
        out.end();
    }

private:
    static void range(line& out, hw::alloc_notice const& notice) noexcept {
        out.wide(handle_value(notice.process));
        out.wide(notice.place.n);
        out.put(static_cast<u32>(notice.size.n));
    }
};

/// The same at once, into the log and into the tables of the MMUs.
struct listeners {
    notice_log notices{};
    context_list contexts{};
    mmu_table_list mmu_tables{};
    busy_list plain{};  ///< allocations that nothing has to be done for before they leave

    [[nodiscard]] constexpr bytes context_image_bytes(void* allocation) const noexcept {
        return contexts.size_of(allocation);
    }
    [[nodiscard]] constexpr bool has_work(hw::alloc_notice const& notice) const noexcept {
        return !plain.has(notice.allocation);
    }

    void notify_residency(hw::residency_change const& change) noexcept {
        notices.add({0x0E, change.resident, {handle_value(change.allocation), change.segment.n, change.offset.n}});
    }
    void notify_residency_range(hw::residency_range const& range) noexcept {
        notices.add({0x0F,
                     range.resident,
                     {handle_value(range.allocation), range.first_page, range.page_count, range.segment.n,
                      range.offset.n, range.list_pages}});
    }
    void notify_fence_residency(hw::fence_residency const& fence) noexcept {
        notices.add({0x10,
                     0,
                     {handle_value(fence.fence), fence.current.segment.n, fence.current.offset.n,
                      fence.monitored.segment.n, fence.monitored.offset.n}});
    }
    void notify_iommu_unmap(hw::alloc_notice const& notice) noexcept {
        notices.add({0x14, 0, {handle_value(notice.process), notice.place.n, notice.size.n}});
    }

    constexpr void store_mmu_map(hw::mmu_range const& range) noexcept {
        for (u64 i = 0; i != range.length.n; ++i) {
            store_mmu_entry(range, i,
                            bit_field<u64, 63>::mask | bit_field<u64, 51, 44>::place(range.segment.n) |
                                bit_field<u64, 43, 0>::place(range.first.n + i));
        }
    }
    constexpr void store_mmu_unmap(hw::mmu_range const& range) noexcept {
        for (u64 i = 0; i != range.length.n; ++i) {
            store_mmu_entry(range, i, 0);
        }
    }

private:
    constexpr void store_mmu_entry(hw::mmu_range const& range, u64 i, u64 entry) noexcept {
        u64 const index = range.address / page_bytes + i;
        if (index < mmu_tables.pages) {
            mmu_tables.of[range.mmu == 3 ? 0 : 1][index] = entry;
        }
    }
};

}  // namespace wddmcore::testing::mock
