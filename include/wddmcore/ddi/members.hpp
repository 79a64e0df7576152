// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "operation.hpp"

/// Which operations a DXGKARG_BUILDPAGINGBUFFER can carry, told by the names of its members.
///
/// Each concept lists every member that the algorithm reads, so that an older structure that merely shares a name does
/// not match (build 9600 has an abandoned TransferVirtual). Each operation is asked about here and nowhere else.
namespace wddmcore::inline WDDMCORE_ABI::members {

/// One side of a physical transfer or fill: a segment address (base included) or an MDL, told apart by SegmentId.
template <class Side>
concept transfer_side = requires(Side const& side) {
    side.SegmentId;
    side.SegmentAddress.QuadPart;
    side.pMdl;
};

template <class Args>
concept envelope = requires(Args& args) {
    args.pDmaBuffer;
    args.DmaSize;
    args.pDmaBufferPrivateData;
    args.DmaBufferPrivateDataSize;
    args.Operation;
    args.MultipassOffset;
};

/// What a physical transfer and one for a special lock have in common.
template <class Transfer>
concept two_sided = requires(Transfer& transfer) {
    transfer.hAllocation;
    transfer.TransferOffset;
    transfer.TransferSize;
    requires transfer_side<decltype(transfer.Source)>;
    requires transfer_side<decltype(transfer.Destination)>;
    transfer.Flags.Swizzle;
    transfer.Flags.Unswizzle;
    transfer.Flags.AllocationIsIdle;
};

template <class Args>
concept transfer = requires(Args& args) {
    requires two_sided<decltype(args.Transfer)>;
    args.Transfer.MdlOffset;
};

template <class Args>
concept fill = requires(Args& args) {
    args.Fill.FillSize;
    args.Fill.FillPattern;
    args.Fill.Destination.SegmentId;
    args.Fill.Destination.SegmentAddress.QuadPart;
};

template <class Args>
concept discard_content = requires(Args& args) {
    args.DiscardContent.hAllocation;
    args.DiscardContent.Flags.AllocationIsIdle;
    args.DiscardContent.SegmentId;
    args.DiscardContent.SegmentAddress.QuadPart;
};

template <class Args>
concept read_physical = requires(Args& args) {
    args.ReadPhysical.SegmentId;
    args.ReadPhysical.PhysicalAddress.QuadPart;
};

template <class Args>
concept write_physical = requires(Args& args) {
    args.WritePhysical.SegmentId;
    args.WritePhysical.PhysicalAddress.QuadPart;
};

template <class Args>
concept map_aperture_segment = requires(Args& args) {
    args.MapApertureSegment.SegmentId;
    args.MapApertureSegment.OffsetInPages;
    args.MapApertureSegment.NumberOfPages;
    args.MapApertureSegment.pMdl;
    args.MapApertureSegment.Flags.CacheCoherent;
    args.MapApertureSegment.MdlOffset;
};

template <class Args>
concept unmap_aperture_segment = requires(Args& args) {
    args.UnmapApertureSegment.SegmentId;
    args.UnmapApertureSegment.OffsetInPages;
    args.UnmapApertureSegment.NumberOfPages;
    args.UnmapApertureSegment.DummyPage.QuadPart;
};

template <class Args>
concept special_lock_transfer = requires(Args& args) {
    requires two_sided<decltype(args.SpecialLockTransfer)>;
    args.SpecialLockTransfer.SwizzlingRangeId;
    args.SpecialLockTransfer.SwizzlingRangeData;
};

template <class Args>
concept virtual_transfer = requires(Args& args) {
    args.TransferVirtual.hAllocation;
    args.TransferVirtual.AllocationOffsetInBytes;
    args.TransferVirtual.TransferSizeInBytes;
    args.TransferVirtual.SourceVirtualAddress;
    args.TransferVirtual.DestinationVirtualAddress;
    args.TransferVirtual.SourcePageTable;
    args.TransferVirtual.TransferDirection;
    args.TransferVirtual.Flags.Src64KBPages;
    args.TransferVirtual.Flags.Dst64KBPages;
    args.TransferVirtual.DestinationPageTable;
};

template <class Args>
concept virtual_fill = requires(Args& args) {
    args.FillVirtual.hAllocation;
    args.FillVirtual.AllocationOffsetInBytes;
    args.FillVirtual.FillSizeInBytes;
    args.FillVirtual.FillPattern;
    args.FillVirtual.DestinationVirtualAddress;
    requires virtual_transfer<Args>;  // build 9600 has a FillVirtual of the same members beside its abandoned twin
};

template <class Args>
concept init_context_resource = requires(Args& args) {
    args.InitContextResource.hAllocation;
    args.InitContextResource.Destination.SegmentId;
    args.InitContextResource.Destination.SegmentAddress.QuadPart;
    args.InitContextResource.Destination.pMdl;
    args.InitContextResource.Destination.VirtualAddress;
};

/// The same with an address of the paging process, from WDDM 2.0 on (OP10-02).
template <class Args>
concept init_context_by_virtual_address =
    init_context_resource<Args> && requires(Args& args) { args.InitContextResource.Destination.GpuVirtualAddress; };

template <class Args>
concept update_page_table = requires(Args& args) {
    args.UpdatePageTable.PageTableLevel;
    args.UpdatePageTable.PageTableAddress.CpuVirtual;
    args.UpdatePageTable.PageTableAddress.GpuVirtual;
    args.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId;
    args.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset;
    args.UpdatePageTable.pPageTableEntries->Flags;
    args.UpdatePageTable.pPageTableEntries->PageAddress;
    args.UpdatePageTable.Flags.Repeat;
    args.UpdatePageTable.Flags.Use64KBPages;
    args.UpdatePageTable.DriverProtection;
    args.UpdatePageTable.StartIndex;
    args.UpdatePageTable.NumPageTableEntries;
    args.UpdatePageTable.UpdateMode;
    args.UpdatePageTable.pPageTableEntries64KB;
};

template <class Args>
concept flush_tlb = requires(Args& args) {
    args.FlushTlb.RootPageTableAddress.SegmentId;
    args.FlushTlb.RootPageTableAddress.SegmentOffset;
    args.FlushTlb.hProcess;
    args.FlushTlb.StartVirtualAddress;
    args.FlushTlb.EndVirtualAddress;
};

template <class Args>
concept update_context_allocation = requires(Args& args) {
    args.UpdateContextAllocation.ContextAllocation;
    args.UpdateContextAllocation.ContextAllocationSize;
    args.UpdateContextAllocation.pDriverPrivateData;
    args.UpdateContextAllocation.DriverPrivateDataSize;
};

template <class Args>
concept copy_page_table_entries = requires(Args& args) {
    args.CopyPageTableEntries.NumRanges;
    args.CopyPageTableEntries.pRanges->NumPageTableEntries;
    args.CopyPageTableEntries.pRanges->SrcPageTableAddress;
    args.CopyPageTableEntries.pRanges->DstPageTableAddress;
    args.CopyPageTableEntries.pRanges->SrcStartPteIndex;
    args.CopyPageTableEntries.pRanges->DstStartPteIndex;
};

template <class Args>
concept notify_residency = requires(Args& args) {
    args.NotifyResidency.hAllocation;
    args.NotifyResidency.PhysicalAddress.SegmentId;
    args.NotifyResidency.PhysicalAddress.SegmentOffset;
    args.NotifyResidency.Resident;
};

template <class Args>
concept signal_monitored_fence = requires(Args& args) {
    args.SignalMonitoredFence.MonitoredFenceGpuVa;
    args.SignalMonitoredFence.MonitoredFenceValue;
};

template <class Args>
concept map_aperture_segment2 = requires(Args& args) {
    args.MapApertureSegment2.SegmentId;
    args.MapApertureSegment2.OffsetInPages;
    args.MapApertureSegment2.NumberOfPages;
    args.MapApertureSegment2.Adl.PageCount;
    args.MapApertureSegment2.Adl.Flags.Contiguous;
    args.MapApertureSegment2.Adl.BasePageNumber;
    args.MapApertureSegment2.Adl.Pages;
    args.MapApertureSegment2.Flags.CacheCoherent;
    args.MapApertureSegment2.AdlOffset;
    args.MapApertureSegment2.CpuVisibleAddress;
};

/// One value of a native fence in a record.
template <class Record>
concept fence_residency_record = requires(Record const& record) {
    record.hGlobalNativeFence;
    record.CurrentValuePhysicalAddress.SegmentId;
    record.CurrentValuePhysicalAddress.SegmentOffset;
    record.MonitoredValuePhysicalAddress.SegmentId;
    record.MonitoredValuePhysicalAddress.SegmentOffset;
    record.CurrentValueKernelCpuVa;
    record.MonitoredValueKernelCpuVa;
};

template <class Args>
concept notify_fence_residency = requires(Args& args) {
    args.NotifyFenceResidency.NumFences;
    args.NotifyFenceResidency.FenceResidencyInfo;
    requires fence_residency_record<decltype(*args.NotifyFenceResidency.FenceResidencyInfo)>;
};

template <class Args>
concept map_mmu = requires(Args& args) {
    args.MmapMmu.hAllocation;
    args.MmapMmu.VirtualAddress;
    args.MmapMmu.MmuId;
    args.MmapMmu.SegmentId;
    args.MmapMmu.AllocationOffsetInPages;
    args.MmapMmu.Adl.PageCount;
    args.MmapMmu.Adl.Flags.Contiguous;
    args.MmapMmu.Adl.BasePageNumber;
    args.MmapMmu.Adl.Pages;
};

template <class Args>
concept unmap_mmu = requires(Args& args) {
    args.UnmapMmu.hAllocation;
    args.UnmapMmu.VirtualAddress;
    args.UnmapMmu.MmuId;
    args.UnmapMmu.AllocationOffset;
    args.UnmapMmu.NumberOfPages;
};

/// The form of build 26100. A later kit is said to have dropped the address and the size (AMB-12): a structure without
/// them does not match, whatever its interface version (OP21-02).
template <class Args>
concept notify_residency2 = requires(Args& args) {
    args.NotifyResidency2.hAllocation;
    args.NotifyResidency2.AllocationOffsetInPages;
    args.NotifyResidency2.SizeInPages;
    args.NotifyResidency2.SegmentId;
    args.NotifyResidency2.PhysicalAddress.SegmentOffset;
    args.NotifyResidency2.Mdl;
    args.NotifyResidency2.Resident;
};

template <class Args>
concept notify_alloc = requires(Args& args) {
    args.NotifyAllocation.hAllocation;
    args.NotifyAllocation.hKmdProcessHandle;
    args.NotifyAllocation.Flags.Eviction;
    args.NotifyAllocation.Flags.IoMmuUnmap;
    args.NotifyAllocation.OffsetInBytes;
    args.NotifyAllocation.SizeInBytes;
    args.NotifyAllocation.GpuVirtualAddressAtOffset;
};

/// A structure that holds its pages in a member. Tests use it for an MDL in constant evaluation, where the array past
/// the MDL's header cannot be reached.
template <class Mdl>
concept pages_in_member = requires(Mdl const& mdl) {
    mdl.Pages;
    mdl.ByteCount;
    mdl.ByteOffset;
};

}  // namespace wddmcore::members
