// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "twin.hpp"

/// The twin of constant evaluation with the arguments of the operations that came with WDDM 1.2 and later.
namespace wddmcore::inline WDDMCORE_ABI::testing {

struct twin_physical_address {
    u32 SegmentId;
    u64 SegmentOffset;
};
struct twin_fence {
    void* hGlobalNativeFence;
    twin_physical_address CurrentValuePhysicalAddress;
    twin_physical_address MonitoredValuePhysicalAddress;
    void* CurrentValueKernelCpuVa;
    void* MonitoredValueKernelCpuVa;
};

struct twin_pte {
    u64 Flags;
    u64 PageAddress;
};

struct wddm2_arguments : twin_arguments {
    struct {
        void* hAllocation;
        struct {
            u32 SegmentId;
            twin_integer SegmentAddress;
            twin_mdl const* pMdl;
            void* VirtualAddress;
            u64 GpuVirtualAddress;
        } Destination;
    } InitContextResource;
    struct {
        u32 PageTableLevel;
        struct {
            u64* CpuVirtual;
            u64 GpuVirtual;
            twin_physical_address GpuPhysical;
        } PageTableAddress;
        twin_pte const* pPageTableEntries;
        u32 StartIndex;
        u32 NumPageTableEntries;
        struct {
            u32 Repeat;
            u32 Use64KBPages;
        } Flags;
        u64 DriverProtection;
        u32 UpdateMode;
        twin_pte const* pPageTableEntries64KB;
    } UpdatePageTable;
    struct {
        twin_physical_address RootPageTableAddress;
        void* hProcess;
        u64 StartVirtualAddress;
        u64 EndVirtualAddress;
    } FlushTlb;
    struct {
        u64 ContextAllocation;
        u64 ContextAllocationSize;
        void* pDriverPrivateData;
        u32 DriverPrivateDataSize;
    } UpdateContextAllocation;
    struct {
        void* hAllocation;
        twin_physical_address PhysicalAddress;
        u32 Resident;
    } NotifyResidency;
    struct {
        u64 MonitoredFenceGpuVa;
        u64 MonitoredFenceValue;
    } SignalMonitoredFence;
    struct {
        u32 NumFences;
        twin_fence const* FenceResidencyInfo;
    } NotifyFenceResidency;
    struct {
        void* hAllocation;
        u64 VirtualAddress;
        u16 MmuId;
        u16 SegmentId;
        u32 AllocationOffsetInPages;
        twin_adl Adl;
    } MmapMmu;
    struct {
        void* hAllocation;
        u64 VirtualAddress;
        u16 MmuId;
        u32 AllocationOffset;
        u32 NumberOfPages;
    } UnmapMmu;
    struct {
        void* hAllocation;
        u32 AllocationOffsetInPages;
        u32 SizeInPages;
        u16 SegmentId;
        twin_physical_address PhysicalAddress;
        twin_mdl const* Mdl;
        u32 Resident;
    } NotifyResidency2;
    struct {
        void* hAllocation;
        void* hKmdProcessHandle;
        struct {
            u32 Eviction;
            u32 IoMmuUnmap;
        } Flags;
        u64 OffsetInBytes;
        u64 SizeInBytes;
        u64 GpuVirtualAddressAtOffset;
    } NotifyAllocation;
};

/// Arguments of one operation, all zero.
[[nodiscard]] constexpr wddm2_arguments wddm2_twin_of(paging_operation operation) {
    wddm2_arguments args{};
    args.Operation = static_cast<u32>(operation);
    return args;
}

/// Runs an operation and gathers its records' values.
///
/// @tparam Room  dwords of each buffer
/// @return how many records there were, all of `kind`; ~0 when a pass was not as it should be
template <u32 Room, class Hw, u32 Capacity>
[[nodiscard]] constexpr u32 records_in_constant_evaluation(Hw& hw, wddm2_arguments const& args, record_kind kind,
                                                           recorded_command (&records)[Capacity]) {
    u32 count = 0;
    bool right = true;
    bool const done = run_in_constant_evaluation<Room>(hw, args, [&](recorded_command const& one) {
        right = right && one.kind == kind && count < Capacity;
        if (right) {
            records[count++] = one;
        }
    });
    return done && right && hw.faults == 0 ? count : ~u32{0};
}

}  // namespace wddmcore::testing
