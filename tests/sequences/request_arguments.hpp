// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "request.hpp"

#include <cstring>
#include <memory>
#include <vector>

namespace sequences {

/// The arguments of a request, with the lists that they point at.
template <class Args>
class request_arguments {
public:
    Args args;

    explicit request_arguments(request const& r) : args(law_parts::request_of<Args>(r.operation)), list_(r.pages) {
        switch (r.operation) {
            case paging_operation::transfer:
            case paging_operation::special_lock_transfer: transfer(r); return;
            case paging_operation::fill: fill(r); return;
            case paging_operation::discard_content:
                args.DiscardContent.hAllocation = r.allocation;
                args.DiscardContent.Flags.AllocationIsIdle = r.idle;
                args.DiscardContent.SegmentId = r.segment;
                args.DiscardContent.SegmentAddress.QuadPart = static_cast<i64>(r.address);
                return;
            case paging_operation::read_physical:
                args.ReadPhysical.SegmentId = r.segment;
                args.ReadPhysical.PhysicalAddress.QuadPart = static_cast<i64>(r.address);
                return;
            case paging_operation::write_physical:
                args.WritePhysical.SegmentId = r.segment;
                args.WritePhysical.PhysicalAddress.QuadPart = static_cast<i64>(r.address);
                return;
            case paging_operation::map_aperture_segment: map_aperture(r); return;
            case paging_operation::unmap_aperture_segment:
                args.UnmapApertureSegment.SegmentId = r.segment;
                args.UnmapApertureSegment.OffsetInPages = static_cast<usize>(r.offset);
                args.UnmapApertureSegment.NumberOfPages = static_cast<usize>(r.size);
                args.UnmapApertureSegment.DummyPage.QuadPart = static_cast<i64>(r.address);
                return;
            default: later(r); return;
        }
    }
    request_arguments(request_arguments const&) = delete;
    request_arguments& operator=(request_arguments const&) = delete;

private:
    void transfer(request const& r) {
        transfer_ = std::make_unique<law_parts::transfer_arguments<Args>>(r.operation, r.from, r.to,
                                                                          static_cast<u32>(r.offset), r.size, r.skip);
        args = transfer_->args;
        if (r.operation == paging_operation::transfer) {
            args.Transfer.hAllocation = r.allocation;
            args.Transfer.Flags.AllocationIsIdle = r.idle;
        } else {
            args.SpecialLockTransfer.hAllocation = r.allocation;
            args.SpecialLockTransfer.Flags.AllocationIsIdle = r.idle;
        }
    }

    void fill(request const& r) {
        args.Fill.FillSize = static_cast<usize>(r.size);
        args.Fill.FillPattern = static_cast<u32>(r.value);
        args.Fill.Destination.SegmentId = r.segment;
        args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(r.address);
    }

    void map_aperture(request const& r) {
        auto& map = args.MapApertureSegment;
        map.SegmentId = r.segment;
        map.OffsetInPages = static_cast<usize>(r.offset);
        map.NumberOfPages = static_cast<usize>(r.size);
        map.pMdl = list_.get();
        map.MdlOffset = r.skip;
        map.Flags.CacheCoherent = r.set;
    }

    template <class Adl>
    void list(Adl& adl, request const& r) {
        adl = {};
        adl.PageCount = static_cast<u32>(r.pages.size());
        adl.Flags.Contiguous = r.contiguous;
        if (r.contiguous) {
            adl.BasePageNumber = r.pages[0];
        } else {
            adl.Pages = r.pages.data();
        }
    }

    /// Operations that came after the first version: each is there where the structure has it.
    void later(request const& r) {
        if constexpr (requires { args.InitContextResource; }) {
            if (r.operation == paging_operation::init_context_resource) {
                return init_context(r);
            }
        }
        if constexpr (requires { args.UpdatePageTable; }) {
            second(r);
        }
        if constexpr (requires { args.SignalMonitoredFence; }) {
            if (r.operation == paging_operation::signal_monitored_fence) {
                args.SignalMonitoredFence.MonitoredFenceGpuVa = r.address;
                args.SignalMonitoredFence.MonitoredFenceValue = r.value;
            }
        }
        if constexpr (requires { args.MapApertureSegment2; }) {
            ninth(r);
        }
        if constexpr (requires { args.NotifyAllocation; }) {
            latest(r);
        }
    }

    void init_context(request const& r) {
        auto& destination = args.InitContextResource.Destination;
        args.InitContextResource.hAllocation = r.allocation;
        if constexpr (requires { destination.GpuVirtualAddress; }) {
            destination.GpuVirtualAddress = r.source;
        }
        destination.SegmentId = r.segment;
        destination.VirtualAddress = r.cpu;
        if (r.segment == 0 && !r.pages.empty()) {
            destination.pMdl = list_.get();
        } else {
            destination.SegmentAddress.QuadPart = static_cast<i64>(r.address);
        }
    }

    /// What came with WDDM 2.0.
    void second(request const& r) {
        if (r.operation == paging_operation::virtual_transfer) {
            args.TransferVirtual.hAllocation = r.allocation;
            args.TransferVirtual.TransferSizeInBytes = r.size;
            args.TransferVirtual.SourceVirtualAddress = r.source;
            args.TransferVirtual.DestinationVirtualAddress = r.address;
        } else if (r.operation == paging_operation::virtual_fill) {
            args.FillVirtual.FillSizeInBytes = r.size;
            args.FillVirtual.FillPattern = static_cast<u32>(r.value);
            args.FillVirtual.DestinationVirtualAddress = r.address;
        } else if (r.operation == paging_operation::update_page_table) {
            update(r);
        } else if (r.operation == paging_operation::flush_tlb) {
            args.FlushTlb.RootPageTableAddress.SegmentId = r.segment;
            args.FlushTlb.RootPageTableAddress.SegmentOffset = r.offset;
            args.FlushTlb.hProcess = r.process;
            args.FlushTlb.StartVirtualAddress = r.address;
            args.FlushTlb.EndVirtualAddress = r.size;
        } else if (r.operation == paging_operation::update_context_allocation) {
            args.UpdateContextAllocation.ContextAllocation = r.address;
            args.UpdateContextAllocation.ContextAllocationSize = r.size;
            args.UpdateContextAllocation.pDriverPrivateData = const_cast<std::byte*>(r.data.data());
            args.UpdateContextAllocation.DriverPrivateDataSize = static_cast<u32>(r.data.size());
        } else if (r.operation == paging_operation::copy_page_table_entries) {
            copies(r);
        } else if (r.operation == paging_operation::notify_residency) {
            args.NotifyResidency.hAllocation = r.allocation;
            args.NotifyResidency.PhysicalAddress.SegmentId = r.segment;
            args.NotifyResidency.PhysicalAddress.SegmentOffset = r.offset;
            args.NotifyResidency.Resident = r.set;
        }
    }

    void update(request const& r) {
        auto& u = args.UpdatePageTable;
        u.PageTableLevel = r.update.level;
        u.hProcess = r.process;
        u.UpdateMode = r.update.mode;
        u.StartIndex = r.update.start;
        u.NumPageTableEntries = r.update.count;
        u.Flags.Repeat = r.update.repeat;
        u.Flags.InitialUpdate = r.update.initial;
        u.Flags.NotifyEviction = r.update.eviction;
        u.Flags.Use64KBPages = r.update.of_64k;
        u.DriverProtection = r.value;
        if (r.update.mode == 0) {
            u.PageTableAddress.CpuVirtual = r.update.cpu;
        } else if (r.update.mode == 1) {
            u.PageTableAddress.GpuVirtual = r.address;
        } else {
            u.PageTableAddress.GpuPhysical = {};
            u.PageTableAddress.GpuPhysical.SegmentId = r.segment;
            u.PageTableAddress.GpuPhysical.SegmentOffset = r.offset;
        }
        u.pPageTableEntries = entries(r.update.entries);
        u.pPageTableEntries64KB = entries(r.update.entries_64k);
    }

    /// An array of entries, exactly as long as it may be read.
    [[nodiscard]] auto entries(std::vector<plain_pte> const& all) {
        using pte = std::remove_pointer_t<decltype(args.UpdatePageTable.pPageTableEntries)>;
        static_assert(sizeof(pte) == sizeof(plain_pte));
        if (all.empty()) {
            return static_cast<pte*>(nullptr);
        }
        arrays_.push_back(std::make_unique<u64[]>(all.size() * 2));
        std::memcpy(arrays_.back().get(), all.data(), all.size() * sizeof(plain_pte));
        return reinterpret_cast<pte*>(arrays_.back().get());
    }

    void copies(request const& r) {
        using range = std::remove_pointer_t<decltype(args.CopyPageTableEntries.pRanges)>;
        arrays_.push_back(std::make_unique<u64[]>((r.copies.size() * sizeof(range) + 7) / 8));
        auto* const ranges = reinterpret_cast<range*>(arrays_.back().get());
        for (std::size_t i = 0; i != r.copies.size(); ++i) {
            range one{};
            one.NumPageTableEntries = r.copies[i].count;
            one.SrcPageTableAddress = r.copies[i].source;
            one.DstPageTableAddress = r.copies[i].destination;
            one.SrcStartPteIndex = r.copies[i].from;
            one.DstStartPteIndex = r.copies[i].to;
            std::memcpy(static_cast<void*>(ranges + i), &one, sizeof one);
        }
        args.CopyPageTableEntries.NumRanges = static_cast<u32>(r.copies.size());
        args.CopyPageTableEntries.pRanges = ranges;
    }

    /// What came with WDDM 2.9.
    void ninth(request const& r) {
        if (r.operation == paging_operation::map_aperture_segment2) {
            auto& map = args.MapApertureSegment2;
            map.SegmentId = r.segment;
            map.OffsetInPages = static_cast<usize>(r.offset);
            map.NumberOfPages = static_cast<usize>(r.size);
            list(map.Adl, r);
            map.AdlOffset = r.skip;
            map.Flags.CacheCoherent = r.set;
        } else if (r.operation == paging_operation::notify_fence_residency) {
            using record = std::remove_pointer_t<decltype(args.NotifyFenceResidency.FenceResidencyInfo)>;
            arrays_.push_back(std::make_unique<u64[]>((r.fences.size() * sizeof(record) + 7) / 8));
            auto* const records = reinterpret_cast<record*>(arrays_.back().get());
            for (std::size_t i = 0; i != r.fences.size(); ++i) {
                record one{};
                one.hGlobalNativeFence = r.fences[i].fence;
                one.CurrentValuePhysicalAddress.SegmentId = r.fences[i].current_segment;
                one.CurrentValuePhysicalAddress.SegmentOffset = r.fences[i].current_offset;
                one.MonitoredValuePhysicalAddress.SegmentId = r.fences[i].monitored_segment;
                one.MonitoredValuePhysicalAddress.SegmentOffset = r.fences[i].monitored_offset;
                one.CurrentValueKernelCpuVa = r.fences[i].current_cpu;
                one.MonitoredValueKernelCpuVa = r.fences[i].monitored_cpu;
                std::memcpy(static_cast<void*>(records + i), &one, sizeof one);
            }
            args.NotifyFenceResidency.NumFences = static_cast<u32>(r.fences.size());
            args.NotifyFenceResidency.FenceResidencyInfo = records;
        }
    }

    /// What came with WDDM 3.2.
    void latest(request const& r) {
        if (r.operation == paging_operation::map_mmu) {
            args.MmapMmu.hAllocation = r.allocation;
            args.MmapMmu.VirtualAddress = r.address;
            args.MmapMmu.MmuId = static_cast<u16>(r.mmu);
            args.MmapMmu.SegmentId = static_cast<u16>(r.segment);
            args.MmapMmu.AllocationOffsetInPages = static_cast<u32>(r.offset);
            list(args.MmapMmu.Adl, r);
        } else if (r.operation == paging_operation::unmap_mmu) {
            args.UnmapMmu.hAllocation = r.allocation;
            args.UnmapMmu.VirtualAddress = r.address;
            args.UnmapMmu.MmuId = static_cast<u16>(r.mmu);
            args.UnmapMmu.AllocationOffset = static_cast<u32>(r.offset);
            args.UnmapMmu.NumberOfPages = static_cast<u32>(r.size);
        } else if (r.operation == paging_operation::notify_residency2) {
            args.NotifyResidency2.hAllocation = r.allocation;
            args.NotifyResidency2.AllocationOffsetInPages = static_cast<u32>(r.offset);
            args.NotifyResidency2.SizeInPages = static_cast<u32>(r.size);
            args.NotifyResidency2.SegmentId = static_cast<u16>(r.segment);
            args.NotifyResidency2.Resident = r.set;
            if (r.segment == 0) {
                args.NotifyResidency2.Mdl = list_.get();
            } else {
                args.NotifyResidency2.PhysicalAddress.SegmentId = r.segment;
                args.NotifyResidency2.PhysicalAddress.SegmentOffset = r.address;
            }
        } else if (r.operation == paging_operation::notify_alloc) {
            args.NotifyAllocation.hAllocation = r.allocation;
            args.NotifyAllocation.hKmdProcessHandle = r.process;
            args.NotifyAllocation.Flags.Eviction = r.set;
            args.NotifyAllocation.Flags.IoMmuUnmap = !r.set;
            args.NotifyAllocation.OffsetInBytes = r.offset;
            args.NotifyAllocation.SizeInBytes = r.size;
            args.NotifyAllocation.GpuVirtualAddressAtOffset = r.address;
        }
    }

    law_parts::mdl_of<Args> list_;
    std::unique_ptr<law_parts::transfer_arguments<Args>> transfer_;
    std::vector<std::unique_ptr<u64[]>> arrays_;
};

}  // namespace sequences
