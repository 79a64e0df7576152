// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "paging_rig.hpp"
#include "requests.hpp"

/// Operations 10, 13, 15, 16 and 18 to 22: contexts, fences, residency, other MMUs, notices.
namespace images {

template <class Rig>
void check_contexts(Rig& rig) {
    using enum paging_operation;
    if constexpr (comes<Rig, init_context_resource>) {
        auto args = Rig::request(init_context_resource);
        args.InitContextResource.hAllocation = handle_of(1);
        args.InitContextResource.Destination.GpuVirtualAddress = virtual_base + 0x2000;
        rig.play("OP10: the first content of a context", args,
                 [&](gpu_memory& m) { rig.machine.begin_context(m, virtual_base + 0x2000); });
    }
    if constexpr (comes<Rig, update_context_allocation>) {
        auto args = Rig::request(update_context_allocation);
        args.UpdateContextAllocation.ContextAllocation = virtual_base + 0x7000;
        args.UpdateContextAllocation.ContextAllocationSize = 0x1000;
        rig.machine.update_context(args);
        rig.play("OP13: an update of a context", args,
                 [&](gpu_memory& m) { rig.machine.apply_update(m, virtual_base + 0x7000); });
    }
}

template <class Rig>
void check_fences(Rig& rig) {
    using enum paging_operation;
    if constexpr (comes<Rig, signal_monitored_fence>) {
        auto args = Rig::request(signal_monitored_fence);
        args.SignalMonitoredFence.MonitoredFenceGpuVa = virtual_base + 0x3458;
        args.SignalMonitoredFence.MonitoredFenceValue = 0x0123'4567'89AB'CDEF;
        rig.play("OP16: a signal", args,
                 [&](gpu_memory& m) { rig.machine.signal(m, virtual_base + 0x3458, 0x0123'4567'89AB'CDEF); });
    }
    if constexpr (comes<Rig, notify_fence_residency>) {
        mirror::v2_9::dxgk_fence_residency_info info{};
        info.hGlobalNativeFence = handle_of(3);
        info.CurrentValuePhysicalAddress.SegmentId = memory_segment.n;
        info.CurrentValuePhysicalAddress.SegmentOffset = 0x40;
        info.MonitoredValuePhysicalAddress.SegmentOffset = 0x5'5008;
        info.CurrentValueKernelCpuVa = handle_of(4);
        info.MonitoredValueKernelCpuVa = handle_of(5);
        auto args = Rig::request(notify_fence_residency);
        args.NotifyFenceResidency.NumFences = 1;
        args.NotifyFenceResidency.FenceResidencyInfo = &info;
        rig.play("OP18: where a native fence is", args,
                 [&](gpu_memory& m) { rig.machine.tell_fence(m, memory_base + 0x40, system_base + 0x5'5008); });
    }
}

template <class Rig>
void check_residency(Rig& rig) {
    using enum paging_operation;
    constexpr bool states[] = {true, false};
    for (bool const resident : states) {
        if constexpr (comes<Rig, notify_residency>) {
            auto args = Rig::request(notify_residency);
            args.NotifyResidency.hAllocation = handle_of(2);
            args.NotifyResidency.Resident = resident;
            args.NotifyResidency.PhysicalAddress.SegmentId = resident ? memory_segment.n : 0;
            args.NotifyResidency.PhysicalAddress.SegmentOffset = 0x3000;
            rig.play("OP15: residency", args,
                     [&](gpu_memory& m) { rig.machine.tell_residency(m, 0, 10, resident, memory_base + 0x3000); });
        }
        if constexpr (comes<Rig, notify_residency2>) {
            auto args = Rig::request(notify_residency2);
            args.NotifyResidency2.hAllocation = handle_of(2);
            args.NotifyResidency2.AllocationOffsetInPages = 7;
            args.NotifyResidency2.SizeInPages = 2;
            args.NotifyResidency2.SegmentId = static_cast<u16>(memory_segment.n);
            args.NotifyResidency2.PhysicalAddress.SegmentId = memory_segment.n;
            args.NotifyResidency2.PhysicalAddress.SegmentOffset = 0x3000;
            args.NotifyResidency2.Resident = resident;
            rig.play("OP21: residency of pages", args,
                     [&](gpu_memory& m) { rig.machine.tell_residency(m, 7, 2, resident, memory_base + 0x3000); });
        }
    }
}

template <class Rig>
void check_mmus(Rig& rig) {
    using enum paging_operation;
    if constexpr (comes<Rig, map_mmu>) {
        auto args = Rig::request(map_mmu);
        args.MmapMmu.VirtualAddress = 0x5000;
        args.MmapMmu.MmuId = static_cast<u16>(rig.machine.mmu);
        args.MmapMmu.Adl.PageCount = list_length;
        args.MmapMmu.Adl.Pages = list_pages;
        rig.play("OP19: pages of another MMU", args, [&](gpu_memory& m) {
            for (u32 i = 0; i != list_length; ++i) {
                rig.machine.map_mmu(m, 5 + i, list_pages[i], true);
            }
        });
    }
    if constexpr (comes<Rig, unmap_mmu>) {
        auto args = Rig::request(unmap_mmu);
        args.UnmapMmu.VirtualAddress = 0x6000;
        args.UnmapMmu.MmuId = static_cast<u16>(rig.machine.mmu);
        args.UnmapMmu.NumberOfPages = 3;
        rig.play("OP20: no pages of another MMU", args, [&](gpu_memory& m) {
            for (u32 i = 0; i != 3; ++i) {
                rig.machine.map_mmu(m, 6 + i, 0, false);
            }
        });
    }
}

template <class Rig>
void check_notices(Rig& rig) {
    if constexpr (comes<Rig, paging_operation::notify_alloc>) {
        auto args = Rig::request(paging_operation::notify_alloc);
        args.NotifyAllocation.Flags.IoMmuUnmap = 1;
        args.NotifyAllocation.hAllocation = handle_of(6);
        args.NotifyAllocation.hKmdProcessHandle = handle_of(7);
        args.NotifyAllocation.SizeInBytes = 0x5000;
        args.NotifyAllocation.GpuVirtualAddressAtOffset = virtual_base;
        rig.play("OP22: an allocation that leaves the IOMMU", args, [](gpu_memory&) {});
    }
}

}  // namespace images
