// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "promise_requests.hpp"

/// Requests whose buffer the hardware type has to know, or that need private data or no buffer at all.
namespace promise_tests {

/// A paging buffer with room for any request of these tests, and private data.
struct paging_buffer {
    words at = words(1024, untouched);
    words records = words(64, untouched);

    /// What one pass wrote; nothing behind it was touched, and the pass ended the request.
    template <class Hw>
    [[nodiscard]] words commands_of(Hw& hw, arguments args) {
        at.assign(at.size(), untouched);
        args.pDmaBuffer = at.data();
        args.DmaSize = static_cast<u32>(at.size() * 4);
        args.pDmaBufferPrivateData = records.data();
        args.DmaBufferPrivateDataSize = static_cast<u32>(records.size() * 4);
        CHECK(build_paging_buffer(hw, args) == status::success);
        u32* const end = static_cast<u32*>(args.pDmaBuffer);
        bool clean = true;
        for (u32* behind = end; behind != at.data() + at.size(); ++behind) {
            clean = clean && *behind == untouched;
        }
        CHECK(clean);
        return words(at.data(), end);
    }
};

/// Carries out a request without a buffer: at once.
template <class Hw>
void expect_done_at_once(Hw& hw, arguments args) {
    CHECK(args.pDmaBuffer == nullptr);
    CHECK(build_paging_buffer(hw, args) == status::success);
}

/// An update by the CPU, without a buffer.
[[nodiscard]] inline arguments update_stored(void* table, u32 level, u32 start, std::vector<pte>& entries) {
    arguments args = update_of(level, start, entries, by_cpu);
    args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
    return args;
}

[[nodiscard]] inline arguments flush_of(u32 segment, u64 offset, u64 first, u64 end) {
    arguments args = request(12);
    args.FlushTlb = {};
    args.FlushTlb.RootPageTableAddress.SegmentId = segment;
    args.FlushTlb.RootPageTableAddress.SegmentOffset = offset;
    args.FlushTlb.StartVirtualAddress = first;
    args.FlushTlb.EndVirtualAddress = end;
    return args;
}

[[nodiscard]] inline arguments signal_of(u64 place, u64 value) {
    arguments args = request(16);
    args.SignalMonitoredFence = {};
    args.SignalMonitoredFence.MonitoredFenceGpuVa = place;
    args.SignalMonitoredFence.MonitoredFenceValue = value;
    return args;
}

/// Ranges of operation 14.
[[nodiscard]] inline arguments copies_of(std::vector<mirror::v3_2::dxgk_buildpagingbuffer_copy_range>& ranges) {
    arguments args = request(14);
    args.CopyPageTableEntries = {};
    args.CopyPageTableEntries.NumRanges = static_cast<u32>(ranges.size());
    args.CopyPageTableEntries.pRanges = ranges.data();
    return args;
}

/// A notice of operation 22: bit 0 of the flags is Eviction, bit 1 IoMmuUnmap.
[[nodiscard]] inline arguments leaving_of(u32 flags, void* allocation, void* process, u64 offset, u64 place, u64 size) {
    arguments args = request(22);
    args.NotifyAllocation = {};
    args.NotifyAllocation.hAllocation = allocation;
    args.NotifyAllocation.hKmdProcessHandle = process;
    args.NotifyAllocation.Flags.Value = flags;
    args.NotifyAllocation.OffsetInBytes = offset;
    args.NotifyAllocation.SizeInBytes = size;
    args.NotifyAllocation.GpuVirtualAddressAtOffset = place;
    return args;
}

[[nodiscard]] inline arguments residency_of(void* allocation, bool resident, u32 segment, u64 offset) {
    arguments args = request(15);
    args.NotifyResidency = {};
    args.NotifyResidency.hAllocation = allocation;
    args.NotifyResidency.Resident = resident;
    args.NotifyResidency.PhysicalAddress.SegmentId = segment;
    args.NotifyResidency.PhysicalAddress.SegmentOffset = offset;
    return args;
}

[[nodiscard]] inline arguments residency_of_pages(void* allocation, bool resident, u32 first, u32 count, u16 segment,
                                                  u64 offset) {
    arguments args = request(21);
    args.NotifyResidency2 = {};
    args.NotifyResidency2.hAllocation = allocation;
    args.NotifyResidency2.Resident = resident;
    args.NotifyResidency2.AllocationOffsetInPages = first;
    args.NotifyResidency2.SizeInPages = count;
    args.NotifyResidency2.SegmentId = segment;
    args.NotifyResidency2.PhysicalAddress.SegmentId = segment;
    args.NotifyResidency2.PhysicalAddress.SegmentOffset = offset;
    return args;
}

[[nodiscard]] inline arguments context_of(void* allocation, u64 place) {
    arguments args = request(10);
    args.InitContextResource = {};
    args.InitContextResource.hAllocation = allocation;
    args.InitContextResource.Destination.GpuVirtualAddress = place;
    return args;
}

template <class Item>
[[nodiscard]] arguments context_update_of(u64 place, u64 size, std::vector<Item>& items) {
    arguments args = request(13);
    args.UpdateContextAllocation = {};
    args.UpdateContextAllocation.ContextAllocation = place;
    args.UpdateContextAllocation.ContextAllocationSize = size;
    args.UpdateContextAllocation.pDriverPrivateData = items.data();
    args.UpdateContextAllocation.DriverPrivateDataSize = static_cast<u32>(items.size() * sizeof(Item));
    return args;
}

}  // namespace promise_tests
