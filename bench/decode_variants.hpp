// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <gate/decode_requests.hpp>

/// Longer and malformed requests, over which the hand loops of decode.op are compared with the library before anything
/// is measured: a loop that is fast because it is wrong, or because it checks nothing, is no comparison.
namespace bench::decode_op {

using namespace wddmcore;
using ::decode::arguments;

struct variant {
    paging_operation operation;
    void (*change)(arguments&);
};

inline mirror::v3_2::dxgk_buildpagingbuffer_copy_range overlapping_ranges[] = {{100, 0x1000'0000, 0x1000'0000, 0, 30},
                                                                               {0, 0x1000'0000, 0x2000'0000, 0, 0},
                                                                               {100, 0x1000'0000, 0x1000'0000, 45, 5},
                                                                               {50, 0x1000'0000, 0x1000'0000, 7, 7},
                                                                               {512, 0x1000'0000, 0x2000'0000, 0, 0}};
inline mirror::v3_2::dxgk_pte unclaimed_entry = [] {
    mirror::v3_2::dxgk_pte entry{};
    entry.Flags = 1 | 8;
    return entry;
}();
inline mirror::v3_2::dxgk_pte entry_of_no_segment = [] {
    mirror::v3_2::dxgk_pte entry{};
    entry.Flags = 1 | 7 << 5;
    return entry;
}();
inline usize far_pages[2] = {0x1000, usize{1} << 40};

/// Good requests of more than a page: joined runs, overlap in both directions, work that ends inside a page.
inline constexpr variant longer[] = {
    {paging_operation::transfer, [](arguments& a) { a.Transfer.TransferSize = 64 * page_bytes - 4; }},
    {paging_operation::transfer,
     [](arguments& a) {
         a.Transfer.TransferSize = 9 * page_bytes;
         a.Transfer.MdlOffset = 55;
         a.Transfer.TransferOffset = 0x7000;
     }},
    {paging_operation::transfer,
     [](arguments& a) {
         a.Transfer.Destination.pMdl = a.Transfer.Source.pMdl;
         a.Transfer.Destination.SegmentId = 0;
         a.Transfer.Source.SegmentId = 1;
         a.Transfer.Source.SegmentAddress.QuadPart = 0x80'0010'0000;
         a.Transfer.TransferSize = 3 * page_bytes + 8;
     }},
    {paging_operation::transfer,
     [](arguments& a) {
         a.Transfer.Source.SegmentId = 1;
         a.Transfer.Source.SegmentAddress.QuadPart = 0x80'0010'2000;
         a.Transfer.TransferSize = 7 * page_bytes + 8;
     }},
    {paging_operation::transfer, [](arguments& a) { a.Transfer.TransferSize = 0; }},
    {paging_operation::fill, [](arguments& a) { a.Fill.FillSize = 9 * mib.n + 4; }},
    {paging_operation::map_aperture_segment, [](arguments& a) { a.MapApertureSegment.NumberOfPages = 64; }},
    {paging_operation::map_aperture_segment, [](arguments& a) { a.pDmaBuffer = nullptr; }},
    {paging_operation::unmap_aperture_segment, [](arguments& a) { a.UnmapApertureSegment.NumberOfPages = 50; }},
    {paging_operation::special_lock_transfer,
     [](arguments& a) { a.SpecialLockTransfer.TransferSize = 5 * page_bytes; }},
    {paging_operation::virtual_transfer, [](arguments& a) { a.TransferVirtual.TransferSizeInBytes = 9 * mib.n + 16; }},
    {paging_operation::virtual_transfer,
     [](arguments& a) {
         a.TransferVirtual.TransferSizeInBytes = 20 * page_bytes - 4;
         a.TransferVirtual.DestinationVirtualAddress = a.TransferVirtual.SourceVirtualAddress + 3 * page_bytes;
     }},
    {paging_operation::virtual_transfer,
     [](arguments& a) {
         a.TransferVirtual.TransferSizeInBytes = 20 * page_bytes - 4;
         a.TransferVirtual.DestinationVirtualAddress = a.TransferVirtual.SourceVirtualAddress - 3 * page_bytes;
     }},
    {paging_operation::virtual_fill, [](arguments& a) { a.FillVirtual.FillSizeInBytes = 9 * mib.n + 4; }},
    {paging_operation::update_page_table,
     [](arguments& a) {
         a.UpdatePageTable.NumPageTableEntries = 64;
         a.UpdatePageTable.StartIndex = 448;
     }},
    {paging_operation::copy_page_table_entries,
     [](arguments& a) {
         a.CopyPageTableEntries.NumRanges = 5;
         a.CopyPageTableEntries.pRanges = overlapping_ranges;
     }},
    {paging_operation::notify_residency, [](arguments& a) { a.NotifyResidency.Resident = 0; }},
    {paging_operation::map_aperture_segment2, [](arguments& a) { a.MapApertureSegment2.Adl.Flags.Contiguous = 1; }},
    {paging_operation::map_mmu, [](arguments& a) { a.MmapMmu.Adl.PageCount = 1500; }},
    {paging_operation::unmap_mmu, [](arguments& a) { a.UnmapMmu.NumberOfPages = 1500; }},
    {paging_operation::notify_residency2, [](arguments& a) { a.NotifyResidency2.Resident = 0; }},
    {paging_operation::notify_alloc, [](arguments& a) { a.NotifyAllocation.SizeInBytes = 5 * mib.n + 100; }},
};

/// Requests that nobody may carry out. Of every operation, a buffer that is not at a dword and a token behind the work
/// are added to these.
inline constexpr variant malformed[] = {
    {paging_operation::transfer, [](arguments& a) { a.Transfer.MdlOffset = 64; }},
    {paging_operation::transfer, [](arguments& a) { a.Transfer.Destination.SegmentId = 3; }},
    {paging_operation::transfer, [](arguments& a) { a.Transfer.Destination.SegmentAddress.QuadPart = -4096; }},
    {paging_operation::transfer,
     [](arguments& a) {
         a.Transfer.Destination.SegmentId = 2;
         a.Transfer.Destination.SegmentAddress.QuadPart = -4096;
         a.Transfer.TransferOffset = 0x4000'1000;
     }},
    {paging_operation::transfer, [](arguments& a) { a.Transfer.TransferSize = page_bytes - 1; }},
    {paging_operation::transfer, [](arguments& a) { a.Transfer.Source.pMdl = nullptr; }},
    {paging_operation::fill, [](arguments& a) { a.Fill.FillSize = 0; }},
    {paging_operation::fill, [](arguments& a) { a.Fill.FillSize = 9 * gib.n; }},
    {paging_operation::fill,
     [](arguments& a) {
         a.Fill.Destination.SegmentId = 2;
         a.Fill.Destination.SegmentAddress.QuadPart = 0x4000'0000;
     }},
    {paging_operation::discard_content, [](arguments& a) { a.DiscardContent.SegmentId = 9; }},
    {paging_operation::read_physical, [](arguments& a) { a.ReadPhysical.PhysicalAddress.QuadPart = 5; }},
    {paging_operation::write_physical, [](arguments& a) { a.WritePhysical.SegmentId = 0; }},
    {paging_operation::map_aperture_segment, [](arguments& a) { a.MapApertureSegment.SegmentId = 1; }},
    {paging_operation::map_aperture_segment, [](arguments& a) { a.MapApertureSegment.NumberOfPages = 65; }},
    {paging_operation::unmap_aperture_segment, [](arguments& a) { a.UnmapApertureSegment.OffsetInPages = 1 << 17; }},
    {paging_operation::unmap_aperture_segment, [](arguments& a) { a.UnmapApertureSegment.DummyPage.QuadPart = -1; }},
    {paging_operation::special_lock_transfer, [](arguments& a) { a.SpecialLockTransfer.TransferSize = gib.n; }},
    {paging_operation::virtual_transfer, [](arguments& a) { a.TransferVirtual.TransferSizeInBytes = 0; }},
    {paging_operation::virtual_transfer,
     [](arguments& a) { a.TransferVirtual.DestinationVirtualAddress = a.TransferVirtual.SourceVirtualAddress + 64; }},
    {paging_operation::virtual_fill, [](arguments& a) { a.FillVirtual.DestinationVirtualAddress = ~u64{3}; }},
    {paging_operation::init_context_resource, [](arguments& a) { a.InitContextResource.Destination.SegmentId = 4; }},
    {paging_operation::update_page_table, [](arguments& a) { a.UpdatePageTable.StartIndex = 512; }},
    {paging_operation::update_page_table, [](arguments& a) { a.UpdatePageTable.pPageTableEntries = &unclaimed_entry; }},
    {paging_operation::update_page_table,
     [](arguments& a) { a.UpdatePageTable.pPageTableEntries = &entry_of_no_segment; }},
    {paging_operation::flush_tlb, [](arguments& a) { a.FlushTlb.EndVirtualAddress = 1; }},
    {paging_operation::flush_tlb, [](arguments& a) { a.FlushTlb.RootPageTableAddress.SegmentId = 9; }},
    {paging_operation::update_context_allocation,
     [](arguments& a) { a.UpdateContextAllocation.ContextAllocationSize = 14; }},
    {paging_operation::copy_page_table_entries, [](arguments& a) { a.CopyPageTableEntries.pRanges = nullptr; }},
    {paging_operation::notify_residency, [](arguments& a) { a.NotifyResidency.PhysicalAddress.SegmentId = 0; }},
    {paging_operation::signal_monitored_fence,
     [](arguments& a) { a.SignalMonitoredFence.MonitoredFenceGpuVa = 0x2004; }},
    {paging_operation::map_aperture_segment2, [](arguments& a) { a.MapApertureSegment2.AdlOffset = 1; }},
    {paging_operation::map_aperture_segment2, [](arguments& a) { a.MapApertureSegment2.Adl.Pages = far_pages + 1; }},
    {paging_operation::map_aperture_segment2,
     [](arguments& a) {
         a.MapApertureSegment2.Adl.Pages = far_pages + 1;
         a.pDmaBuffer = nullptr;
     }},
    {paging_operation::notify_fence_residency,
     [](arguments& a) { a.NotifyFenceResidency.FenceResidencyInfo = nullptr; }},
    {paging_operation::map_mmu, [](arguments& a) { a.MmapMmu.MmuId = 1; }},
    {paging_operation::map_mmu, [](arguments& a) { a.MmapMmu.Adl.BasePageNumber = usize{1} << 40; }},
    {paging_operation::unmap_mmu, [](arguments& a) { a.UnmapMmu.VirtualAddress = 8; }},
    {paging_operation::notify_residency2, [](arguments& a) { a.NotifyResidency2.SizeInPages = 0; }},
    {paging_operation::notify_alloc, [](arguments& a) { a.NotifyAllocation.Flags.IoMmuUnmap = 1; }},
    {paging_operation::notify_alloc, [](arguments& a) { a.NotifyAllocation.OffsetInBytes = page_bytes; }},
};

}  // namespace bench::decode_op
