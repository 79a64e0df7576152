// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../ddi/mirror/mirror.hpp"
#include "../../../ddi/operation.hpp"
#include "../checks/rules.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// An array that an argument structure points at; it lives as long as the call.
struct handed_array {
    std::vector<std::byte> bytes;
    char const* name = "the array";
    vidmm_rule outside = vidmm_rule::pgb_02;  ///< broken by an access beside it

    template <class T>
    void assign(std::vector<T> const& elements, char const* what, vidmm_rule rule) {
        auto const whole = std::as_bytes(std::span(elements));
        bytes.assign(whole.begin(), whole.end());
        name = what;
        outside = rule;
    }
};

/// What operations 10 to 16 and 18 to 22 have beside allocation, size and array.
struct wddm2_request {
    // UpdatePageTable and FlushTlb.
    std::uint32_t level = 0;
    page_table_update_mode mode{};
    std::uint32_t segment = 0;         ///< of the table or the root
    std::uint64_t segment_offset = 0;  ///< of the table or the root
    std::byte* cpu = nullptr;          ///< of the table, in CPU-virtual mode
    std::uint64_t address = 0;         ///< GPU virtual: of the table, the context allocation, the fence, the notice
    std::vector<mirror::vista::dxgk_pte> entries;
    std::uint32_t start = 0;       ///< StartIndex
    std::uint32_t count = 0;       ///< NumPageTableEntries
    std::uint64_t protection = 0;  ///< DriverProtection
    bool repeat = false;
    bool initial = false;
    bool eviction = false;  ///< NotifyEviction, and Eviction of operation 22
    void* process = nullptr;
    std::uint64_t first_address = 0;                   ///< FirstPteVirtualAddress, StartVirtualAddress
    std::uint64_t end_address = 0;                     ///< EndVirtualAddress
    bool use_64k = false;                              ///< Use64KBPages: the table has 64-KiB entries
    std::vector<mirror::vista::dxgk_pte> entries_64k;  ///< pPageTableEntries64KB, of level 1 with dual tables
    bool child_64k = false;    ///< a directory's entry leads to a table of 64-KiB entries; not in any request
    bool converted = false;    ///< a table of 64-KiB entries has become one of 4-KiB entries; not in any request
    bool moved_child = false;  ///< a directory's entry leads to a table that lay elsewhere; not in any request
    // CopyPageTableEntries.
    std::vector<mirror::v2_0::dxgk_buildpagingbuffer_copy_range> ranges;
    bool copies_64k = false;    ///< of tables of 64-KiB entries too; not in any request
    bool copies_large = false;  ///< of large pages too; not in any request
    // The others.
    bool resident = false;
    std::uint64_t value = 0;
    std::uint32_t mmu = 0;
    std::uint32_t first_page = 0;  ///< AllocationOffsetInPages
};

/// Fills the arguments of operations 10 to 16 and 18 to 22 into a structure that holds junk.
template <class Args, class Request, class List>
void fill_wddm2_build(Args& to, Request const& r, List const& list) {
    wddm2_request const& late = r.late;
    auto const place = [&late](auto& address) {
        address.SegmentId = late.segment;
        address.SegmentOffset = late.segment_offset;
    };
    switch (r.operation) {
        case paging_operation::init_context_resource:
            if constexpr (requires { to.InitContextResource; }) {
                auto& init = to.InitContextResource;
                init.hAllocation = r.allocation_handle;
                init.Destination.SegmentId = r.destination.segment;
                if (r.destination.segment == 0) {
                    init.Destination.pMdl = list.mdl();
                } else {
                    init.Destination.SegmentAddress.QuadPart = static_cast<i64>(r.destination.address);
                }
                init.Destination.VirtualAddress = nullptr;
                if constexpr (requires { init.Destination.GpuVirtualAddress; }) {
                    init.Destination.GpuVirtualAddress = late.address;
                }
            }
            break;
        case paging_operation::update_page_table:
            if constexpr (requires { to.UpdatePageTable; }) {
                auto& u = to.UpdatePageTable;
                u.PageTableLevel = late.level;
                u.hAllocation = r.allocation_handle;
                switch (late.mode) {
                    case page_table_update_mode::cpu_virtual: u.PageTableAddress.CpuVirtual = late.cpu; break;
                    case page_table_update_mode::gpu_virtual: u.PageTableAddress.GpuVirtual = late.address; break;
                    case page_table_update_mode::gpu_physical: place(u.PageTableAddress.GpuPhysical); break;
                }
                u.pPageTableEntries = reinterpret_cast<mirror::vista::dxgk_pte*>(list.array());
                // Without dual tables nobody may look at it: it stays junk (OP11-06).
                if (list.array_64k() != nullptr) {
                    u.pPageTableEntries64KB = reinterpret_cast<mirror::vista::dxgk_pte*>(list.array_64k());
                }
                u.StartIndex = late.start;
                u.NumPageTableEntries = late.count;
                u.Flags = {};
                u.Flags.Repeat = late.repeat ? 1 : 0;
                u.Flags.InitialUpdate = late.initial ? 1 : 0;
                u.Flags.NotifyEviction = late.eviction ? 1 : 0;
                u.Flags.Use64KBPages = late.use_64k ? 1 : 0;
                u.DriverProtection = late.protection;
                u.AllocationOffsetInBytes = r.offset;
                u.hProcess = late.process;
                u.UpdateMode = static_cast<u32>(late.mode);
                u.FirstPteVirtualAddress = late.first_address;
            }
            break;
        case paging_operation::flush_tlb:
            if constexpr (requires { to.FlushTlb; }) {
                place(to.FlushTlb.RootPageTableAddress);
                to.FlushTlb.hProcess = late.process;
                to.FlushTlb.StartVirtualAddress = late.first_address;
                to.FlushTlb.EndVirtualAddress = late.end_address;
            }
            break;
        case paging_operation::update_context_allocation:
            if constexpr (requires { to.UpdateContextAllocation; }) {
                to.UpdateContextAllocation.ContextAllocation = late.address;
                to.UpdateContextAllocation.ContextAllocationSize = r.size;
                to.UpdateContextAllocation.pDriverPrivateData = list.array();
                to.UpdateContextAllocation.DriverPrivateDataSize = static_cast<u32>(r.array.bytes.size());
            }
            break;
        case paging_operation::copy_page_table_entries:
            if constexpr (requires { to.CopyPageTableEntries; }) {
                to.CopyPageTableEntries.NumRanges = static_cast<u32>(late.ranges.size());
                to.CopyPageTableEntries.pRanges =
                    reinterpret_cast<mirror::v2_0::dxgk_buildpagingbuffer_copy_range*>(list.array());
            }
            break;
        case paging_operation::notify_residency:
            if constexpr (requires { to.NotifyResidency; }) {
                to.NotifyResidency.hAllocation = r.allocation_handle;
                place(to.NotifyResidency.PhysicalAddress);
                to.NotifyResidency.Reserved = 0;  // of the same union, so it comes first
                to.NotifyResidency.Resident = late.resident ? 1 : 0;
            }
            break;
        case paging_operation::signal_monitored_fence:
            if constexpr (requires { to.SignalMonitoredFence; }) {
                to.SignalMonitoredFence.MonitoredFenceGpuVa = late.address;
                to.SignalMonitoredFence.MonitoredFenceValue = late.value;
            }
            break;
        case paging_operation::notify_fence_residency:
            if constexpr (requires { to.NotifyFenceResidency; }) {
                using record = mirror::v2_9::dxgk_fence_residency_info;
                to.NotifyFenceResidency.NumFences = static_cast<u32>(r.array.bytes.size() / sizeof(record));
                to.NotifyFenceResidency.Flags = {};
                to.NotifyFenceResidency.FenceResidencyInfo = reinterpret_cast<record*>(list.array());
            }
            break;
        case paging_operation::map_mmu:
            if constexpr (requires { to.MmapMmu; }) {
                to.MmapMmu.hAllocation = r.allocation_handle;
                to.MmapMmu.VirtualAddress = late.address;
                to.MmapMmu.MmuId = static_cast<u16>(late.mmu);
                to.MmapMmu.SegmentId = 0;
                to.MmapMmu.AllocationOffsetInPages = late.first_page;
                to.MmapMmu.Adl.PageCount = static_cast<u32>(r.list.numbers.size());
                to.MmapMmu.Adl.Flags.Value = r.list.contiguous ? 1 : 0;
                if (r.list.contiguous) {
                    to.MmapMmu.Adl.BasePageNumber = static_cast<usize>(r.list.numbers.front());
                } else {
                    to.MmapMmu.Adl.Pages = list.numbers();
                }
            }
            break;
        case paging_operation::unmap_mmu:
            if constexpr (requires { to.UnmapMmu; }) {
                to.UnmapMmu.hAllocation = r.allocation_handle;
                to.UnmapMmu.VirtualAddress = late.address;
                to.UnmapMmu.MmuId = static_cast<u16>(late.mmu);
                to.UnmapMmu.Reserved0 = 0;
                to.UnmapMmu.AllocationOffset = late.first_page;
                to.UnmapMmu.NumberOfPages = late.count;
            }
            break;
        case paging_operation::notify_residency2:
            if constexpr (requires { to.NotifyResidency2; }) {
                to.NotifyResidency2.hAllocation = r.allocation_handle;
                to.NotifyResidency2.AllocationOffsetInPages = late.first_page;
                to.NotifyResidency2.SizeInPages = late.count;
                to.NotifyResidency2.SegmentId = static_cast<u16>(late.segment);
                to.NotifyResidency2.Padding0 = 0;
                place(to.NotifyResidency2.PhysicalAddress);
                to.NotifyResidency2.Resident = late.resident ? 1 : 0;
                to.NotifyResidency2.Reserved = 0;
            }
            break;
        case paging_operation::notify_alloc:
            if constexpr (requires { to.NotifyAllocation; }) {
                to.NotifyAllocation.hAllocation = r.allocation_handle;
                to.NotifyAllocation.hKmdProcessHandle = late.process;
                to.NotifyAllocation.Flags.Value = late.eviction ? 1 : 2;  // NTF-03: exactly one
                to.NotifyAllocation.OffsetInBytes = r.offset;
                to.NotifyAllocation.SizeInBytes = r.size;
                to.NotifyAllocation.GpuVirtualAddressAtOffset = late.address;
            }
            break;
        default: break;  // the others are filled elsewhere, and probes send codes that have no arguments
    }
}

}  // namespace wddmcore::testing::vidmm_parts
