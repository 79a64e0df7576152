// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <gate/decode_requests.hpp>

/// The paging operations as a driver's first version has them: nothing of a request is judged, a page, block, piece or
/// entry at a time, and room is asked for before each packet. For good requests of one page the packets are the
/// library's; of longer requests there would be more of them, because nothing is joined.
namespace bench::decode_op::first_version {

using namespace wddmcore;
using ::decode::arguments;

template <class Encode>
ntstatus each(arguments& args, u64 count, dwords packet, Encode encode) {
    u32* at = static_cast<u32*>(args.pDmaBuffer);
    u32 left = args.DmaSize / 4;
    for (u32 index = args.MultipassOffset; index != count; ++index) {
        if (left < packet.n) {
            args.pDmaBuffer = at;
            args.MultipassOffset = index;
            return status::graphics_insufficient_dma_buffer;
        }
        encode(at, index);
        at += packet.n;
        left -= packet.n;
    }
    args.pDmaBuffer = at;
    args.MultipassOffset = static_cast<u32>(count);
    return status::success;
}

template <class Encode>
ntstatus once(arguments& args, dwords packet, Encode encode) {
    return each(args, 1, packet, [&encode](u32* at, u32) { encode(at); });
}

inline usize const* pages_of(mirror::v3_2::mdl const* mdl) { return reinterpret_cast<usize const*>(mdl + 1); }

template <class Hw>
typename Hw::address at_place(Hw const& hw, u32 segment, u64 address) {
    return hw.from_segment({segment}, {address - hw.place({segment}).base.n});
}

/// A side of a transfer, of which one page is wanted.
template <class Hw, class Side>
typename Hw::address side_at(Hw const& hw, Side const& side, u32 offset, u32 mdl_offset, u32 index) {
    return side.SegmentId == 0 ? hw.from_page({pages_of(side.pMdl)[mdl_offset + index]})
                               : at_place(hw, side.SegmentId, static_cast<u64>(side.SegmentAddress.QuadPart) + offset) +
                                     to_bytes(pages{index});
}

template <class Hw, class Transfer>
ntstatus copy(Hw const& hw, arguments& args, Transfer const& transfer, u32 mdl_offset) {
    u64 const count = transfer.TransferSize / page_bytes;
    return each(args, count, Hw::copy_dwords, [&](u32* at, u32 i) {
        hw.encode_copy(at, side_at(hw, transfer.Destination, transfer.TransferOffset, mdl_offset, i),
                       side_at(hw, transfer.Source, transfer.TransferOffset, mdl_offset, i), bytes{page_bytes});
    });
}

template <class Hw>
ntstatus update_table(Hw const& hw, arguments& args) {
    auto const& update = args.UpdatePageTable;
    u32 const words = update.NumPageTableEntries * 2;
    u32* at = static_cast<u32*>(args.pDmaBuffer);
    if (args.DmaSize / 4 < Hw::write_head_dwords.n + words) {
        return status::graphics_insufficient_dma_buffer;
    }
    u64 const place = update.PageTableAddress.GpuVirtual + update.StartIndex * u64{8};
    hw.encode_write_head(at, hw.from_virtual({place}), {words});
    at += Hw::write_head_dwords.n;
    for (u32 i = 0; i != update.NumPageTableEntries; ++i) {
        auto const& entry = update.pPageTableEntries[i];
        u64 value = 0;
        if (entry.Valid) {
            value |= 1;
        }
        value |= u64{entry.PageAddress} << 12;
        *at++ = static_cast<u32>(value);
        *at++ = static_cast<u32>(value >> 32);
    }
    args.pDmaBuffer = at;
    args.MultipassOffset = update.NumPageTableEntries;
    return status::success;
}

template <class Hw>
ntstatus copy_entries(Hw const& hw, arguments& args) {
    auto const& request = args.CopyPageTableEntries;
    u32* at = static_cast<u32*>(args.pDmaBuffer);
    if (args.DmaSize / 4 < request.NumRanges * Hw::copy_entries_dwords.n) {
        return status::graphics_insufficient_dma_buffer;
    }
    for (u32 i = 0; i != request.NumRanges; ++i) {
        auto const& range = request.pRanges[i];
        hw.encode_copy_entries(at, hw.from_virtual({range.DstPageTableAddress + range.DstStartPteIndex * u64{8}}),
                               hw.from_virtual({range.SrcPageTableAddress + range.SrcStartPteIndex * u64{8}}),
                               bytes{range.NumPageTableEntries * u64{8}});
        at += Hw::copy_entries_dwords.n;
    }
    args.pDmaBuffer = at;
    args.MultipassOffset = request.NumRanges << 9;  // the library's token: the range above nine bits of its entry
    return status::success;
}

template <class Hw>
ntstatus init_context(Hw const& hw, arguments& args) {
    auto const& request = args.InitContextResource;
    u64 const size = hw.context_image_bytes(request.hAllocation).n;
    auto const to =
        at_place(hw, request.Destination.SegmentId, static_cast<u64>(request.Destination.SegmentAddress.QuadPart));
    constexpr u64 step = Hw::context_piece_max.n;
    return each(args, (size + step - 1) / step, Hw::context_piece_dwords, [&](u32* at, u32 i) {
        u64 const offset = i * step;
        u64 const length = size - offset < step ? size - offset : step;
        hw.encode_context_piece(at, to + bytes{offset}, {request.hAllocation, offset, length});
    });
}

template <class Hw>
ntstatus update_context(Hw const& hw, arguments& args) {
    auto const& request = args.UpdateContextAllocation;
    hw::context_update const update{
        {request.ContextAllocationSize}, request.pDriverPrivateData, request.DriverPrivateDataSize};
    return each(args, hw.context_update_count(update), Hw::context_update_dwords, [&](u32* at, u32 i) {
        hw::context_write const write = hw.context_update_at(update, i);
        hw.encode_context_update(at, hw.from_virtual({request.ContextAllocation + write.offset}), update, i);
    });
}

template <class Address>
hw::fence_value_place fence_value(Address const& address, void* cpu) {
    return {{address.SegmentId}, {address.SegmentOffset}, cpu};
}

template <class Hw>
ntstatus fences(Hw const& hw, arguments& args) {
    auto const& request = args.NotifyFenceResidency;
    return each(args, request.NumFences, Hw::fence_residency_dwords, [&](u32* at, u32 i) {
        auto const& fence = request.FenceResidencyInfo[i];
        hw.encode_fence_residency(at,
                                  {fence.hGlobalNativeFence,
                                   fence_value(fence.CurrentValuePhysicalAddress, fence.CurrentValueKernelCpuVa),
                                   fence_value(fence.MonitoredValuePhysicalAddress, fence.MonitoredValueKernelCpuVa)});
    });
}

template <class Hw>
ntstatus map_mmu(Hw const& hw, arguments& args) {
    auto const& request = args.MmapMmu;
    return each(args, request.Adl.PageCount, Hw::mmu_dwords, [&](u32* at, u32 i) {
        u64 const page = request.Adl.Flags.Contiguous ? request.Adl.BasePageNumber + i : request.Adl.Pages[i];
        hw.encode_mmu_map(at, {request.MmuId,
                               request.hAllocation,
                               request.VirtualAddress + i * page_bytes,
                               {1},
                               {page},
                               {request.SegmentId},
                               request.AllocationOffsetInPages,
                               i});
    });
}

template <class Hw>
ntstatus unmap_mmu(Hw const& hw, arguments& args) {
    auto const& request = args.UnmapMmu;
    return each(args, request.NumberOfPages, Hw::mmu_dwords, [&](u32* at, u32 i) {
        u64 const address = request.VirtualAddress + i * page_bytes;
        hw.encode_mmu_unmap(at,
                            {request.MmuId, request.hAllocation, address, {1}, {0}, {0}, request.AllocationOffset, i});
    });
}

template <class Hw>
ntstatus notify_alloc(Hw const& hw, arguments& args) {
    auto const& request = args.NotifyAllocation;
    constexpr u64 block = Hw::eviction_block.n;
    return each(args, (request.SizeInBytes + block - 1) / block, Hw::eviction_dwords, [&](u32* at, u32 i) {
        u64 const offset = i * block;
        u64 const left = request.SizeInBytes - offset;
        hw.encode_notify_eviction(at, {hw::alloc_event::eviction,
                                       request.hAllocation,
                                       request.hKmdProcessHandle,
                                       request.OffsetInBytes + offset,
                                       {request.GpuVirtualAddressAtOffset + offset},
                                       {left < block ? left : block}});
    });
}

template <class Hw>
ntstatus residency_range(Hw const& hw, arguments& args) {
    auto const& request = args.NotifyResidency2;
    hw::residency_range range{};
    range.allocation = request.hAllocation;
    range.first_page = request.AllocationOffsetInPages;
    range.page_count = request.SizeInPages;
    range.resident = request.Resident != 0;
    range.segment.n = request.SegmentId;
    range.offset.n = request.PhysicalAddress.SegmentOffset;
    return once(args, Hw::residency_range_dwords, [&](u32* at) { hw.encode_residency_range(at, range); });
}

/// The whole of DxgkDdiBuildPagingBuffer.
template <class Hw>
ntstatus build(Hw& hw, arguments& args) {
    using enum paging_operation;
    switch (static_cast<paging_operation>(args.Operation)) {
        case transfer: return copy(hw, args, args.Transfer, args.Transfer.MdlOffset);
        case fill:
            return each(args, args.Fill.FillSize / page_bytes, Hw::fill_dwords, [&](u32* at, u32 i) {
                u64 const address = static_cast<u64>(args.Fill.Destination.SegmentAddress.QuadPart);
                hw.encode_fill(at, at_place(hw, args.Fill.Destination.SegmentId, address + i * page_bytes),
                               bytes{page_bytes}, args.Fill.FillPattern);
            });
        case discard_content:
            return once(args, Hw::discard_dwords, [&](u32* at) {
                auto const& request = args.DiscardContent;
                hw.encode_discard(at,
                                  at_place(hw, request.SegmentId, static_cast<u64>(request.SegmentAddress.QuadPart)),
                                  request.hAllocation);
            });
        case read_physical:
            return once(args, Hw::access_dwords, [&](u32* at) {
                auto const& request = args.ReadPhysical;
                hw.encode_read(at, at_place(hw, request.SegmentId, static_cast<u64>(request.PhysicalAddress.QuadPart)));
            });
        case write_physical:
            return once(args, Hw::access_dwords, [&](u32* at) {
                auto const& request = args.WritePhysical;
                hw.encode_write(at,
                                at_place(hw, request.SegmentId, static_cast<u64>(request.PhysicalAddress.QuadPart)));
            });
        case map_aperture_segment:
            return each(args, args.MapApertureSegment.NumberOfPages, Hw::aperture_entry_dwords, [&](u32* at, u32 i) {
                auto const& request = args.MapApertureSegment;
                hw.encode_aperture_entry(at, {request.SegmentId}, request.OffsetInPages + i,
                                         {pages_of(request.pMdl)[request.MdlOffset + i]},
                                         request.Flags.CacheCoherent != 0);
            });
        case unmap_aperture_segment:
            return each(args, args.UnmapApertureSegment.NumberOfPages, Hw::aperture_entry_dwords, [&](u32* at, u32 i) {
                auto const& request = args.UnmapApertureSegment;
                hw.encode_aperture_entry(at, {request.SegmentId}, request.OffsetInPages + i,
                                         {static_cast<u64>(request.DummyPage.QuadPart) >> page_shift_lg2}, false);
            });
        case special_lock_transfer: return copy(hw, args, args.SpecialLockTransfer, 0);
        case virtual_transfer:
            return each(
                args, args.TransferVirtual.TransferSizeInBytes / page_bytes, Hw::copy_dwords, [&](u32* at, u32 i) {
                    auto const& request = args.TransferVirtual;
                    hw.encode_copy(at, hw.from_virtual({request.DestinationVirtualAddress + i * page_bytes}),
                                   hw.from_virtual({request.SourceVirtualAddress + i * page_bytes}), bytes{page_bytes});
                });
        case virtual_fill:
            return each(args, args.FillVirtual.FillSizeInBytes / page_bytes, Hw::fill_dwords, [&](u32* at, u32 i) {
                auto const& request = args.FillVirtual;
                hw.encode_fill(at, hw.from_virtual({request.DestinationVirtualAddress + i * page_bytes}),
                               bytes{page_bytes}, request.FillPattern);
            });
        case init_context_resource: return init_context(hw, args);
        case update_page_table: return update_table(hw, args);
        case flush_tlb:
            return once(args, Hw::flush_dwords, [&](u32* at) {
                auto const& root = args.FlushTlb.RootPageTableAddress;
                hw.encode_flush(at, {{{root.SegmentId}, {root.SegmentOffset}}, args.FlushTlb.hProcess, {0}, {0}});
            });
        case update_context_allocation: return update_context(hw, args);
        case copy_page_table_entries: return copy_entries(hw, args);
        case notify_residency:
            return once(args, Hw::residency_dwords, [&](u32* at) {
                auto const& request = args.NotifyResidency;
                hw.encode_residency(at, {request.hAllocation,
                                         request.Resident != 0,
                                         {request.PhysicalAddress.SegmentId},
                                         {request.PhysicalAddress.SegmentOffset}});
            });
        case signal_monitored_fence:
            return once(args, Hw::fence_dwords, [&](u32* at) {
                auto const& request = args.SignalMonitoredFence;
                hw.encode_fence(at, hw.from_virtual({request.MonitoredFenceGpuVa}), request.MonitoredFenceValue);
            });
        case map_aperture_segment2:
            return each(args, args.MapApertureSegment2.NumberOfPages, Hw::aperture_entry_dwords, [&](u32* at, u32 i) {
                auto const& request = args.MapApertureSegment2;
                u64 const index = request.AdlOffset + i;
                u64 const page =
                    request.Adl.Flags.Contiguous ? request.Adl.BasePageNumber + index : request.Adl.Pages[index];
                hw.encode_aperture_entry(at, {request.SegmentId}, request.OffsetInPages + i, {page},
                                         request.Flags.CacheCoherent != 0);
            });
        case notify_fence_residency: return fences(hw, args);
        case paging_operation::map_mmu: return first_version::map_mmu(hw, args);
        case paging_operation::unmap_mmu: return first_version::unmap_mmu(hw, args);
        case notify_residency2: return residency_range(hw, args);
        case paging_operation::notify_alloc: return first_version::notify_alloc(hw, args);
    }
    return status::invalid_parameter;
}

}  // namespace bench::decode_op::first_version
