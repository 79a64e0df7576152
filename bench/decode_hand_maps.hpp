// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "decode_hand.hpp"

/// The hand loops of decode.op that map memory and give notice of it: operations 5, 6, 17, 19, 20 and 22.
namespace bench::decode_op::by_hand {

/// Whether a range of entries lies in an aperture.
template <class Hw>
WDDMCORE_INLINE bool is_in_aperture(Hw const& hw, u32 segment, u64 offset, u64 count) {
    u64 const all = hw.place({segment}).size.n / page_bytes;
    return count - 1 < 0xFFFF'FFFF && offset < all && count <= all - offset && hw.is_aperture({segment});
}

/// Entries of an aperture, without a buffer at once: then all pages are judged before the first store.
template <class Hw, class Page>
WDDMCORE_INLINE ntstatus map_entries(Hw& hw, arguments& args, u32 segment, u64 offset, u64 pages, bool coherent,
                                     Page page_of) {
    u32 const count = static_cast<u32>(pages);
    if (args.pDmaBuffer == nullptr || args.DmaSize == 0) {
        u64 seen = 0;
        for (u32 i = args.MultipassOffset; i < count; ++i) {
            seen |= page_of(i);
        }
        if (seen > last_page || args.MultipassOffset > count) {
            return status::invalid_parameter;
        }
        for (u32 i = args.MultipassOffset; i < count; ++i) {
            hw.store_aperture_entry({segment}, offset + i, {page_of(i)}, coherent);
        }
        args.MultipassOffset = count;
        return status::success;
    }
    return put_pages<Hw::aperture_entry_dwords.n>(args, count, page_of, [&](u32* at, u32 i, u64 page) {
        hw.encode_aperture_entry(at, {segment}, offset + i, {page}, coherent);
    });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus map_aperture_segment(Hw& hw, arguments& args) {
    auto const& request = args.MapApertureSegment;
    usize const* const list = pages_of(request.pMdl, request.MdlOffset, request.NumberOfPages);
    if (!is_in_aperture(hw, request.SegmentId, request.OffsetInPages, request.NumberOfPages) || list == nullptr) {
        return status::invalid_parameter;
    }
    return map_entries(hw, args, request.SegmentId, request.OffsetInPages, request.NumberOfPages,
                       request.Flags.CacheCoherent != 0, [list](u32 i) { return u64{list[i]}; });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus map_aperture_segment2(Hw& hw, arguments& args) {
    auto const& request = args.MapApertureSegment2;
    u64 const count = request.NumberOfPages;
    u64 const first = request.AdlOffset;
    bool const contiguous = request.Adl.Flags.Contiguous != 0;
    u64 const base = request.Adl.BasePageNumber;
    if (!is_in_aperture(hw, request.SegmentId, request.OffsetInPages, count) || first + count > request.Adl.PageCount ||
        (contiguous ? base > last_page || first + count - 1 > last_page - base : request.Adl.Pages == nullptr)) {
        return status::invalid_parameter;
    }
    usize const* const list = contiguous ? nullptr : request.Adl.Pages;
    return map_entries(hw, args, request.SegmentId, request.OffsetInPages, count, request.Flags.CacheCoherent != 0,
                       [=](u32 i) { return list == nullptr ? base + first + i : u64{list[first + i]}; });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus unmap_aperture_segment(Hw& hw, arguments& args) {
    auto const& request = args.UnmapApertureSegment;
    u64 const dummy = static_cast<u64>(request.DummyPage.QuadPart) >> page_shift_lg2;
    if (!is_in_aperture(hw, request.SegmentId, request.OffsetInPages, request.NumberOfPages)) {
        return status::invalid_parameter;
    }
    return map_entries(hw, args, request.SegmentId, request.OffsetInPages, request.NumberOfPages, false,
                       [dummy](u32) { return dummy; });
}

template <class Hw>
WDDMCORE_INLINE bool is_mappable(Hw const& hw, u32 mmu, u64 address, u32 count, u32 token) {
    return hw.is_mmu(mmu) && count != 0 && address % page_bytes == 0 &&
           address + (u64{count} * page_bytes - 1) >= address && token <= count;
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus map_mmu(Hw& hw, arguments& args) {
    auto const& request = args.MmapMmu;
    u32 const count = request.Adl.PageCount;
    bool const contiguous = request.Adl.Flags.Contiguous != 0;
    u64 const base = request.Adl.BasePageNumber;
    if (!is_mappable(hw, request.MmuId, request.VirtualAddress, count, args.MultipassOffset) ||
        (contiguous ? base > last_page || count - 1 > last_page - base : request.Adl.Pages == nullptr)) {
        return status::invalid_parameter;
    }
    usize const* const list = contiguous ? nullptr : request.Adl.Pages;
    u64 seen = 0;
    for (u32 i = args.MultipassOffset; !contiguous && i != count; ++i) {
        seen |= list[i];
    }
    u32 index = args.MultipassOffset;
    if (seen > last_page || index == count) {
        return index == count ? status::success : status::invalid_parameter;
    }
    if (!is_ready<Hw::mmu_dwords.n>(args)) {
        return not_ready(args);
    }
    u32* at = static_cast<u32*>(args.pDmaBuffer);
    for (u32 fit = args.DmaSize / (Hw::mmu_dwords.n * 4); fit != 0 && index != count; --fit) {
        u64 const first = contiguous ? base + index : list[index];
        u32 const most = count - index < Hw::mmu_max.n ? count - index : static_cast<u32>(Hw::mmu_max.n);
        u32 length = contiguous ? most : 1;
        while (length != most && list[index + length] == first + length) {
            ++length;
        }
        hw.encode_mmu_map(at, {request.MmuId,
                               request.hAllocation,
                               request.VirtualAddress + index * page_bytes,
                               {length},
                               {first},
                               {request.SegmentId},
                               request.AllocationOffsetInPages,
                               index});
        at += Hw::mmu_dwords.n;
        index += length;
    }
    args.pDmaBuffer = at;
    args.MultipassOffset = index;
    return index == count ? status::success : status::graphics_insufficient_dma_buffer;
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus unmap_mmu(Hw& hw, arguments& args) {
    auto const& request = args.UnmapMmu;
    if (!is_mappable(hw, request.MmuId, request.VirtualAddress, request.NumberOfPages, args.MultipassOffset)) {
        return status::invalid_parameter;
    }
    return put_chunks<Hw::mmu_dwords.n>(args, request.NumberOfPages, Hw::mmu_max.n, [&](u32* at, u64 done, u64 length) {
        u64 const address = request.VirtualAddress + done * page_bytes;
        hw.encode_mmu_unmap(
            at, {request.MmuId, request.hAllocation, address, {length}, {0}, {0}, request.AllocationOffset, done});
    });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus notify_alloc(Hw& hw, arguments& args) {
    constexpr u64 block = Hw::eviction_block.n;
    auto const& request = args.NotifyAllocation;
    u64 const size = request.SizeInBytes;
    u64 const offset = request.OffsetInBytes;
    u64 const place = request.GpuVirtualAddressAtOffset;
    if (request.Flags.Eviction == 0 || request.Flags.IoMmuUnmap != 0 || size == 0 ||
        request.hKmdProcessHandle != nullptr || place + (size - 1) < place || offset + (size - 1) < offset ||
        offset % block != 0 || place % Hw::eviction_alignment.n != 0 || (size - 1) / block >= most_pages) {
        return status::invalid_parameter;
    }
    return put_chunks<Hw::eviction_dwords.n>(
        args, (size - 1) / block + 1, Hw::eviction_max.n / block, [&](u32* at, u64 done, u64 length) {
            u64 const begin = done * block;
            u64 const whole = length * block;
            hw.encode_notify_eviction(at, {hw::alloc_event::eviction,
                                           request.hAllocation,
                                           nullptr,
                                           offset + begin,
                                           {place + begin},
                                           {whole < size - begin ? whole : size - begin}});
        });
}

}  // namespace bench::decode_op::by_hand
