// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "decode_gpu.hpp"
#include <wddmcore/mirror.hpp>

#include <wddmcore/mirror.hpp>

/// One good request of each operation, of one page, entry or range.
namespace decode {

using namespace wddmcore;
using arguments = mirror::v3_2::dxgkarg_buildpagingbuffer;

/// What the requests point at, and the buffer that they are built into.
class requests {
public:
    u32 buffer[4096] = {};

    requests() {
        for (usize i = 0; i != 64; ++i) {
            list_.pages[i] = 0x1000 + i * 2;
            entries_[i].Flags = 1;
            entries_[i].PageAddress = 0x1000 + i * 2;
        }
        list_.header.ByteCount = 64 * 4096;
        range_.NumPageTableEntries = 64;
        range_.SrcPageTableAddress = 0x1000'0000;
        range_.DstPageTableAddress = 0x2000'0000;
        fence_.hGlobalNativeFence = &allocation_;
        fence_.CurrentValuePhysicalAddress.SegmentId = 1;
        fence_.MonitoredValuePhysicalAddress.SegmentId = 1;
        fence_.CurrentValueKernelCpuVa = private_data_;
        fence_.MonitoredValueKernelCpuVa = private_data_ + 2;
    }
    requests(requests const&) = delete;
    requests& operator=(requests const&) = delete;

    [[nodiscard]] arguments of(paging_operation operation) {
        arguments args{};
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        args.Operation = static_cast<u32>(operation);
        switch (operation) {
            case paging_operation::transfer:
                args.Transfer = {};
                args.Transfer.hAllocation = &allocation_;
                args.Transfer.TransferSize = page_bytes;
                args.Transfer.Source.pMdl = &list_.header;
                args.Transfer.Destination.SegmentId = 1;
                args.Transfer.Destination.SegmentAddress.QuadPart = 0x80'0010'0000;
                break;
            case paging_operation::fill:
                args.Fill = {};
                args.Fill.FillSize = page_bytes;
                args.Fill.Destination.SegmentId = 1;
                args.Fill.Destination.SegmentAddress.QuadPart = 0x80'0010'0000;
                break;
            case paging_operation::discard_content:
                args.DiscardContent = {};
                args.DiscardContent.hAllocation = &allocation_;
                args.DiscardContent.SegmentId = 1;
                args.DiscardContent.SegmentAddress.QuadPart = 0x80'0010'0000;
                break;
            case paging_operation::read_physical:
                args.ReadPhysical = {};
                args.ReadPhysical.SegmentId = 1;
                args.ReadPhysical.PhysicalAddress.QuadPart = 0x80'0010'0000;
                break;
            case paging_operation::write_physical:
                args.WritePhysical = {};
                args.WritePhysical.SegmentId = 1;
                args.WritePhysical.PhysicalAddress.QuadPart = 0x80'0010'0000;
                break;
            case paging_operation::map_aperture_segment:
                args.MapApertureSegment = {};
                args.MapApertureSegment.SegmentId = 2;
                args.MapApertureSegment.OffsetInPages = 16;
                args.MapApertureSegment.NumberOfPages = 1;
                args.MapApertureSegment.pMdl = &list_.header;
                break;
            case paging_operation::unmap_aperture_segment:
                args.UnmapApertureSegment = {};
                args.UnmapApertureSegment.SegmentId = 2;
                args.UnmapApertureSegment.OffsetInPages = 16;
                args.UnmapApertureSegment.NumberOfPages = 1;
                args.UnmapApertureSegment.DummyPage.QuadPart = 0x1000;
                break;
            case paging_operation::special_lock_transfer:
                args.SpecialLockTransfer = {};
                args.SpecialLockTransfer.hAllocation = &allocation_;
                args.SpecialLockTransfer.TransferSize = page_bytes;
                args.SpecialLockTransfer.Source.pMdl = &list_.header;
                args.SpecialLockTransfer.Destination.SegmentId = 1;
                args.SpecialLockTransfer.Destination.SegmentAddress.QuadPart = 0x80'0010'0000;
                break;
            case paging_operation::virtual_transfer:
                args.TransferVirtual = {};
                args.TransferVirtual.TransferSizeInBytes = page_bytes;
                args.TransferVirtual.SourceVirtualAddress = 0x1000'0000;
                args.TransferVirtual.DestinationVirtualAddress = 0x2000'0000;
                break;
            case paging_operation::virtual_fill:
                args.FillVirtual = {};
                args.FillVirtual.FillSizeInBytes = page_bytes;
                args.FillVirtual.DestinationVirtualAddress = 0x2000'0000;
                break;
            case paging_operation::init_context_resource:
                args.InitContextResource = {};
                args.InitContextResource.hAllocation = &allocation_;
                args.InitContextResource.Destination.SegmentId = 1;
                args.InitContextResource.Destination.SegmentAddress.QuadPart = 0x80'0010'0000;
                args.InitContextResource.Destination.GpuVirtualAddress = 0x2000'0000;
                break;
            case paging_operation::update_page_table:
                args.UpdatePageTable = {};
                args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x1000'0000;
                args.UpdatePageTable.UpdateMode = 1;
                args.UpdatePageTable.pPageTableEntries = entries_;
                args.UpdatePageTable.NumPageTableEntries = 1;
                break;
            case paging_operation::flush_tlb:
                args.FlushTlb = {};
                args.FlushTlb.RootPageTableAddress.SegmentId = 1;
                args.FlushTlb.RootPageTableAddress.SegmentOffset = 0x1000;
                args.FlushTlb.StartVirtualAddress = 0x1000'0000;
                args.FlushTlb.EndVirtualAddress = 0x1000'FFFF;
                break;
            case paging_operation::update_context_allocation:
                args.UpdateContextAllocation = {};
                args.UpdateContextAllocation.ContextAllocation = 0x70'0000;
                args.UpdateContextAllocation.ContextAllocationSize = 0x100;
                args.UpdateContextAllocation.pDriverPrivateData = private_data_;
                args.UpdateContextAllocation.DriverPrivateDataSize = sizeof private_data_;
                break;
            case paging_operation::copy_page_table_entries:
                args.CopyPageTableEntries = {};
                args.CopyPageTableEntries.NumRanges = 1;
                args.CopyPageTableEntries.pRanges = &range_;
                break;
            case paging_operation::notify_residency:
                args.NotifyResidency = {};
                args.NotifyResidency.hAllocation = &allocation_;
                args.NotifyResidency.PhysicalAddress.SegmentId = 1;
                args.NotifyResidency.PhysicalAddress.SegmentOffset = 0x1000;
                args.NotifyResidency.Resident = 1;
                break;
            case paging_operation::signal_monitored_fence:
                args.SignalMonitoredFence = {};
                args.SignalMonitoredFence.MonitoredFenceGpuVa = 0x2000;
                args.SignalMonitoredFence.MonitoredFenceValue = 9;
                break;
            case paging_operation::map_aperture_segment2:
                args.MapApertureSegment2 = {};
                args.MapApertureSegment2.SegmentId = 2;
                args.MapApertureSegment2.OffsetInPages = 16;
                args.MapApertureSegment2.NumberOfPages = 1;
                args.MapApertureSegment2.Adl.PageCount = 1;
                args.MapApertureSegment2.Adl.Pages = list_.pages;
                break;
            case paging_operation::notify_fence_residency:
                args.NotifyFenceResidency = {};
                args.NotifyFenceResidency.NumFences = 1;
                args.NotifyFenceResidency.FenceResidencyInfo = &fence_;
                break;
            case paging_operation::map_mmu:
                args.MmapMmu = {};
                args.MmapMmu.VirtualAddress = 0x1000'0000;
                args.MmapMmu.SegmentId = 1;
                args.MmapMmu.Adl.PageCount = 1;
                args.MmapMmu.Adl.Flags.Contiguous = 1;
                args.MmapMmu.Adl.BasePageNumber = 0x1000;
                break;
            case paging_operation::unmap_mmu:
                args.UnmapMmu = {};
                args.UnmapMmu.VirtualAddress = 0x1000'0000;
                args.UnmapMmu.NumberOfPages = 1;
                break;
            case paging_operation::notify_residency2:
                args.NotifyResidency2 = {};
                args.NotifyResidency2.hAllocation = &allocation_;
                args.NotifyResidency2.SizeInPages = 1;
                args.NotifyResidency2.SegmentId = 1;
                args.NotifyResidency2.PhysicalAddress.SegmentId = 1;
                args.NotifyResidency2.PhysicalAddress.SegmentOffset = 0x1000;
                args.NotifyResidency2.Resident = 1;
                break;
            case paging_operation::notify_alloc:
                args.NotifyAllocation = {};
                args.NotifyAllocation.hAllocation = &allocation_;
                args.NotifyAllocation.SizeInBytes = page_bytes;
                args.NotifyAllocation.GpuVirtualAddressAtOffset = 0x2000'0000;
                args.NotifyAllocation.Flags.Eviction = 1;
                break;
        }
        return args;
    }

private:
    struct memory_list {
        mirror::v3_2::mdl header{};
        usize pages[64] = {};
    };
    memory_list list_;
    mirror::v3_2::dxgk_pte entries_[64] = {};
    mirror::v3_2::dxgk_buildpagingbuffer_copy_range range_{};
    mirror::v3_2::dxgk_fence_residency_info fence_{};
    u32 private_data_[8] = {};
    int allocation_ = 0;
};

}  // namespace decode
