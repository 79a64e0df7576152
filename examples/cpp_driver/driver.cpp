// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The driver of c_driver/ in C++: its start and its stop.

#include "functions.hpp"

namespace wdk = wddmcore::wdk;

extern "C" DRIVER_INITIALIZE DriverEntry;

#if defined(_MSC_VER)
#    pragma alloc_text("INIT", DriverEntry)
#    pragma alloc_text("PAGE", DdiAddDevice)
#    pragma alloc_text("PAGE", DdiStartDevice)
#    pragma alloc_text("PAGE", DdiStopDevice)
#    pragma alloc_text("PAGE", DdiRemoveDevice)
#    pragma alloc_text("PAGE", DdiCreateDevice)
#    pragma alloc_text("PAGE", DdiDestroyDevice)
#endif

extern "C" {

NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath) {
    DRIVER_INITIALIZATION_DATA data{};
    data.Version = DXGKDDI_INTERFACE_VERSION;
    data.DxgkDdiAddDevice = DdiAddDevice;
    data.DxgkDdiStartDevice = DdiStartDevice;
    data.DxgkDdiStopDevice = DdiStopDevice;
    data.DxgkDdiRemoveDevice = DdiRemoveDevice;
    data.DxgkDdiCreateDevice = DdiCreateDevice;
    data.DxgkDdiDestroyDevice = DdiDestroyDevice;
    data.DxgkDdiQueryAdapterInfo = DdiQueryAdapterInfo;
    data.DxgkDdiBuildPagingBuffer = DdiBuildPagingBuffer;
    data.DxgkDdiCreateAllocation = DdiCreateAllocation;
    data.DxgkDdiDestroyAllocation = DdiDestroyAllocation;
    data.DxgkDdiBeginExclusiveAccess = DdiBeginExclusiveAccess;
    data.DxgkDdiEndExclusiveAccess = DdiEndExclusiveAccess;
    data.DxgkDdiMapCpuHostAperture = DdiMapCpuHostAperture;
    data.DxgkDdiUnmapCpuHostAperture = DdiUnmapCpuHostAperture;
    data.DxgkDdiCreateContext = DdiCreateContext;
    data.DxgkDdiDestroyContext = DdiDestroyContext;
    data.DxgkDdiSetRootPageTable = DdiSetRootPageTable;
    data.DxgkDdiSubmitCommandVirtual = DdiSubmitCommandVirtual;
    data.DxgkDdiPreemptCommand = DdiPreemptCommand;
    data.DxgkDdiCancelCommand = DdiCancelCommand;
    data.DxgkDdiQueryCurrentFence = DdiQueryCurrentFence;
    data.DxgkDdiInterruptRoutine = DdiInterruptRoutine;
    data.DxgkDdiDpcRoutine = DdiDpcRoutine;
    data.DxgkDdiQueryEngineStatus = DdiQueryEngineStatus;
    data.DxgkDdiQueryDependentEngineGroup = DdiQueryDependentEngineGroup;
    data.DxgkDdiResetEngine = DdiResetEngine;
    data.DxgkDdiResetFromTimeout = DdiResetFromTimeout;
    data.DxgkDdiRestartFromTimeout = DdiRestartFromTimeout;
    return DxgkInitialize(DriverObject, RegistryPath, &data);
}

NTSTATUS APIENTRY DdiAddDevice(const PDEVICE_OBJECT, PVOID* MiniportDeviceContext) {
    PAGED_CODE();
    void* const memory = gpu::allocate_nonpaged(sizeof(wdk::device<gpu>));
    if (memory == nullptr) {
        return STATUS_NO_MEMORY;
    }
    gpu* const made = wdk::make_device<gpu>(memory);
    KeInitializeSpinLock(&made->submission);
    *MiniportDeviceContext = made;
    return STATUS_SUCCESS;
}

NTSTATUS APIENTRY DdiStartDevice(const PVOID MiniportDeviceContext, PDXGK_START_INFO, PDXGKRNL_INTERFACE DxgkInterface,
                                 ULONG* NumberOfVideoPresentSources, ULONG* NumberOfChildren) {
    PAGED_CODE();
    gpu& adapter = wdk::adapter_of<gpu>(MiniportDeviceContext);
    *NumberOfVideoPresentSources = *NumberOfChildren = 0;
    adapter.dxgk = *DxgkInterface;
    if (FindHardware(adapter.dxgk.DeviceHandle, &adapter.found) == 0 || !adapter.place_memory(adapter.found)) {
        return STATUS_UNSUCCESSFUL;
    }
    return wdk::start_scheduling<gpu>(&adapter);
}

NTSTATUS APIENTRY DdiStopDevice(const PVOID) {
    PAGED_CODE();
    return STATUS_SUCCESS;
}

NTSTATUS APIENTRY DdiRemoveDevice(const PVOID MiniportDeviceContext) {
    PAGED_CODE();
    gpu::release_nonpaged(MiniportDeviceContext);
    return STATUS_SUCCESS;
}

NTSTATUS APIENTRY DdiCreateDevice(const HANDLE hAdapter, DXGKARG_CREATEDEVICE* args) {
    PAGED_CODE();
    auto* const made = static_cast<HANDLE*>(gpu::allocate_nonpaged(sizeof(HANDLE)));
    if (made == nullptr) {
        return STATUS_NO_MEMORY;
    }
    *made = hAdapter;
    args->hDevice = made;
    return STATUS_SUCCESS;
}

NTSTATUS APIENTRY DdiDestroyDevice(const HANDLE hDevice) {
    PAGED_CODE();
    gpu::release_nonpaged(hDevice);
    return STATUS_SUCCESS;
}
}
