// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "decode_hand_maps.hpp"
#include "decode_hand_memory.hpp"

#include <cstring>

/// The hand loops of decode.op for contexts, page tables and fences, operations 10, 11, 13, 14 and 18, and the choice
/// of the operation.
namespace bench::decode_op::by_hand {

template <class Hw>
WDDMCORE_NOINLINE ntstatus init_context_resource(Hw& hw, arguments& args) {
    constexpr u64 step = Hw::context_piece_max.n;
    static_assert(page_bytes % step == 0, "no piece lies in two pages");
    auto const& request = args.InitContextResource;
    auto const& destination = request.Destination;
    u64 const size = hw.context_image_bytes(request.hAllocation).n;
    u32 const count = static_cast<u32>((size + step - 1) / step);
    auto const piece_at = [&](u64 offset) {
        return hw::context_piece{request.hAllocation, offset, size - offset < step ? size - offset : step};
    };
    if (destination.SegmentId == 0) {
        usize const* const list = pages_of(destination.pMdl, 0, pages_in(size));
        if (list == nullptr) {
            return status::invalid_parameter;
        }
        return put_pages<Hw::context_piece_dwords.n>(
            args, count, [list](u32 i) { return u64{list[i * step / page_bytes]}; },
            [&](u32* at, u32 i, u64 page) {
                u64 const offset = i * step;
                hw.encode_context_piece(at, hw.from_page({page}) + bytes{offset % page_bytes}, piece_at(offset));
            });
    }
    u64 const address = static_cast<u64>(destination.SegmentAddress.QuadPart);
    spot const place = find(hw, destination.SegmentId, address, size);
    if (!place.good || address % 4 != 0) {
        return status::invalid_parameter;
    }
    auto const to = hw.from_segment({destination.SegmentId}, {place.offset});
    return put_chunks<Hw::context_piece_dwords.n>(args, count, 1, [&](u32* at, u64 done, u64) {
        hw.encode_context_piece(at, to + bytes{done * step}, piece_at(done * step));
    });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus update_context_allocation(Hw& hw, arguments& args) {
    auto const& request = args.UpdateContextAllocation;
    u64 const size = request.ContextAllocationSize;
    u64 const to = request.ContextAllocation;
    hw::context_update const update{{size}, request.pDriverPrivateData, request.DriverPrivateDataSize};
    if ((update.data == nullptr && update.data_bytes != 0) || (size != 0 && to + (size - 1) < to)) {
        return status::invalid_parameter;
    }
    u32 const count = hw.context_update_count(update);
    for (u32 i = args.MultipassOffset; i < count; ++i) {
        hw::context_write const write = hw.context_update_at(update, i);
        if (write.offset > size || write.size > size - write.offset) {
            return status::invalid_parameter;
        }
    }
    return put_chunks<Hw::context_update_dwords.n>(args, count, 1, [&](u32* at, u64 i, u64) {
        u32 const index = static_cast<u32>(i);
        u64 const offset = hw.context_update_at(update, index).offset;
        hw.encode_context_update(at, hw.from_virtual({to + offset}), update, index);
    });
}

/// Leaf tables by command, at an address of the paging process: a head for as many entries as there is room for. Flags
/// are or-ed and judged once, behind the entries; segments, which an or would mix, when they change.
template <class Hw>
WDDMCORE_NOINLINE ntstatus update_page_table(Hw& hw, arguments& args) {
    constexpr u64 refused =
        pte_flags::known & ~(pte_flags::valid_bit | pte_flags::segment_field::mask | pte_flags::page_size_field::mask);
    constexpr u32 head = Hw::write_head_dwords.n;
    static_assert(Hw::write_max.n >= 1024, "a table fits one write");
    auto const& update = args.UpdatePageTable;
    u32 const count = update.NumPageTableEntries;
    u64 const place = update.PageTableAddress.GpuVirtual + update.StartIndex * u64{8};
    u32 const first = args.MultipassOffset;
    if (update.UpdateMode != static_cast<u32>(page_table_update_mode::gpu_virtual) || update.PageTableLevel != 0 ||
        update.Flags.Use64KBPages != 0 || update.Flags.Repeat != 0 || count == 0 ||
        u64{update.StartIndex} + count > 512 || update.pPageTableEntries == nullptr || place % 8 != 0 ||
        place + (u64{count} * 8 - 1) < update.PageTableAddress.GpuVirtual || first > count) {
        return status::invalid_parameter;
    }
    if (first == count) {
        return status::success;
    }
    if (!is_ready<head + 2>(args)) {
        return not_ready(args);
    }
    u32 const fit = (args.DmaSize / 4 - head) / 2;
    u32 const end = count - first < fit ? count : first + fit;
    u32* at = static_cast<u32*>(args.pDmaBuffer);
    hw.encode_write_head(at, hw.from_virtual({place + first * u64{8}}), {(end - first) * 2});
    at += head;
    u64 seen = 0;
    u64 segment = 0;
    bool known = true;
    for (u32 i = first; i != end; ++i, at += 2) {
        u64 const flags = update.pPageTableEntries[i].Flags;
        u64 const page = update.pPageTableEntries[i].PageAddress;
        if ((flags & pte_flags::valid_bit) != 0) {
            seen |= flags;
            if (pte_flags::segment_field::of(flags) != segment) {
                segment = pte_flags::segment_field::of(flags);
                known = known && (segment == 0 || holds(hw, static_cast<u32>(segment), 0, 1));
            }
        }
        known = known && page >> Hw::entry_limits.page_number_bits == 0;
        u64 const value = (page << Hw::entry_page_shift) + (flags & pte_flags::valid_bit);
        std::memcpy(at, &value, sizeof value);
    }
    if (!known || (seen & refused) != 0) {
        return status::invalid_parameter;
    }
    args.pDmaBuffer = at;
    args.MultipassOffset = end;
    return end == count ? status::success : status::graphics_insufficient_dma_buffer;
}

/// The token: the range above nine bits of the entry inside it. Ranges of one table that overlap are copied in pieces
/// as long as their distance, from the end that is not yet overwritten.
template <class Hw>
WDDMCORE_NOINLINE ntstatus copy_page_table_entries(Hw& hw, arguments& args) {
    constexpr u32 entries = 512;
    constexpr u32 bits = 9;
    constexpr u64 alignment = 0x1'0000;
    static_assert(Hw::copy_entries_max.n == entries * 8, "a table is one copy");
    auto const& request = args.CopyPageTableEntries;
    u32 range = args.MultipassOffset >> bits;
    u32 done = args.MultipassOffset & (entries - 1);
    if (request.NumRanges == 0 || request.NumRanges >> (32 - bits) != 0 || request.pRanges == nullptr ||
        range > request.NumRanges || (range == request.NumRanges && done != 0)) {
        return status::invalid_parameter;
    }
    if (range == request.NumRanges) {
        return status::success;
    }
    if (!is_ready<Hw::copy_entries_dwords.n>(args)) {
        return not_ready(args);
    }
    u32* at = static_cast<u32*>(args.pDmaBuffer);
    u32 fit = args.DmaSize / (Hw::copy_entries_dwords.n * 4);
    for (; range != request.NumRanges; ++range, done = 0) {
        auto const& one = request.pRanges[range];
        u32 const from = one.SrcStartPteIndex;
        u32 const to = one.DstStartPteIndex;
        u64 const source = one.SrcPageTableAddress;
        u64 const destination = one.DstPageTableAddress;
        u32 count = one.NumPageTableEntries;
        if ((source | destination) % alignment != 0 || u64{from} + count > entries || u64{to} + count > entries) {
            return status::invalid_parameter;
        }
        u32 most = entries;
        u32 const distance = to > from ? to - from : from - to;
        bool const overlaps = source == destination && distance < count;
        if (overlaps) {
            count = distance == 0 ? 0 : count;
            most = distance;
        }
        if (done != 0 && done >= count) {
            return status::invalid_parameter;
        }
        while (done != count) {
            if (fit-- == 0) {
                args.pDmaBuffer = at;
                args.MultipassOffset = range << bits | done;
                return status::graphics_insufficient_dma_buffer;
            }
            u32 const length = count - done < most ? count - done : most;
            u64 const begin = overlaps && to > from ? count - done - length : done;
            hw.encode_copy_entries(at, hw.from_virtual({destination + (to + begin) * 8}),
                                   hw.from_virtual({source + (from + begin) * 8}), {u64{length} * 8});
            at += Hw::copy_entries_dwords.n;
            done += length;
        }
    }
    args.pDmaBuffer = at;
    args.MultipassOffset = range << bits;
    return status::success;
}

template <class Hw, class Address>
WDDMCORE_INLINE bool is_fence_place(Hw const& hw, Address const& address) {
    return address.SegmentId == 0 || address.SegmentId == 31 || holds(hw, address.SegmentId, address.SegmentOffset, 8);
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus notify_fence_residency(Hw& hw, arguments& args) {
    auto const& request = args.NotifyFenceResidency;
    u32 const count = request.NumFences;
    auto const* const fences = request.FenceResidencyInfo;
    if (count == 0 || fences == nullptr) {
        return status::invalid_parameter;
    }
    for (u32 i = args.MultipassOffset; i < count; ++i) {
        if (!is_fence_place(hw, fences[i].CurrentValuePhysicalAddress) ||
            !is_fence_place(hw, fences[i].MonitoredValuePhysicalAddress)) {
            return status::invalid_parameter;
        }
    }
    return put_chunks<Hw::fence_residency_dwords.n>(args, count, 1, [&](u32* at, u64 i, u64) {
        auto const& fence = fences[i];
        auto const& current = fence.CurrentValuePhysicalAddress;
        auto const& monitored = fence.MonitoredValuePhysicalAddress;
        hw.encode_fence_residency(
            at, {fence.hGlobalNativeFence,
                 {{current.SegmentId}, {current.SegmentOffset}, fence.CurrentValueKernelCpuVa},
                 {{monitored.SegmentId}, {monitored.SegmentOffset}, fence.MonitoredValueKernelCpuVa}});
    });
}

/// The whole of DxgkDdiBuildPagingBuffer for this hardware.
template <class Hw>
ntstatus build(Hw& hw, arguments& args) {
    switch (static_cast<paging_operation>(args.Operation)) {
        case paging_operation::transfer: return transfer(hw, args);
        case paging_operation::fill: return fill(hw, args);
        case paging_operation::discard_content: return discard_content(hw, args);
        case paging_operation::read_physical: return read_physical(hw, args);
        case paging_operation::write_physical: return write_physical(hw, args);
        case paging_operation::map_aperture_segment: return map_aperture_segment(hw, args);
        case paging_operation::unmap_aperture_segment: return unmap_aperture_segment(hw, args);
        case paging_operation::special_lock_transfer: return special_lock_transfer(hw, args);
        case paging_operation::virtual_transfer: return virtual_transfer(hw, args);
        case paging_operation::virtual_fill: return virtual_fill(hw, args);
        case paging_operation::init_context_resource: return init_context_resource(hw, args);
        case paging_operation::update_page_table: return update_page_table(hw, args);
        case paging_operation::flush_tlb: return flush_tlb(hw, args);
        case paging_operation::update_context_allocation: return update_context_allocation(hw, args);
        case paging_operation::copy_page_table_entries: return copy_page_table_entries(hw, args);
        case paging_operation::notify_residency: return notify_residency(hw, args);
        case paging_operation::signal_monitored_fence: return signal_monitored_fence(hw, args);
        case paging_operation::map_aperture_segment2: return map_aperture_segment2(hw, args);
        case paging_operation::notify_fence_residency: return notify_fence_residency(hw, args);
        case paging_operation::map_mmu: return map_mmu(hw, args);
        case paging_operation::unmap_mmu: return unmap_mmu(hw, args);
        case paging_operation::notify_residency2: return notify_residency2(hw, args);
        case paging_operation::notify_alloc: return notify_alloc(hw, args);
    }
    return status::invalid_parameter;
}

}  // namespace bench::decode_op::by_hand
