/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * A kernel-mode display driver in C11: render-only, WDDM 3.2, GPU virtual addresses, two nodes. The library does memory and
 * scheduling, by the functions of wdk/functions.h, which functions.cpp makes from the hardware type in gpu.hpp. Here is the
 * rest of it: the start, locks and callbacks, registers.
 */

#include <ntddk.h>

#include <dispmprt.h>

#include "adapter.h"

#define DRIVER_TAG 0x72647663 /* 'cvdr' */

DRIVER_INITIALIZE DriverEntry;
static DXGKDDI_ADD_DEVICE AddDevice;
static DXGKDDI_START_DEVICE StartDevice;
static DXGKDDI_STOP_DEVICE StopDevice;
static DXGKDDI_REMOVE_DEVICE RemoveDevice;
static DXGKDDI_CREATEPROCESS CreateProcess;
static DXGKDDI_DESTROYPROCESS DestroyProcess;
static DXGKDDI_CREATEDEVICE CreateDevice;
static DXGKDDI_DESTROYDEVICE DestroyDevice;
static DXGKDDI_OPENALLOCATIONINFO OpenAllocation;
static DXGKDDI_CLOSEALLOCATION CloseAllocation;

#if defined(_MSC_VER)
#    pragma alloc_text(INIT, DriverEntry)
#    pragma alloc_text(PAGE, AddDevice)
#    pragma alloc_text(PAGE, StartDevice)
#    pragma alloc_text(PAGE, StopDevice)
#    pragma alloc_text(PAGE, RemoveDevice)
#    pragma alloc_text(PAGE, CreateProcess)
#    pragma alloc_text(PAGE, DestroyProcess)
#    pragma alloc_text(PAGE, CreateDevice)
#    pragma alloc_text(PAGE, DestroyDevice)
#    pragma alloc_text(PAGE, OpenAllocation)
#    pragma alloc_text(PAGE, CloseAllocation)
#    pragma alloc_text(PAGE, AnswerFirst)
#endif

NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath) {
    DRIVER_INITIALIZATION_DATA data = {0};

    data.Version = DXGKDDI_INTERFACE_VERSION;
    data.DxgkDdiAddDevice = AddDevice;
    data.DxgkDdiStartDevice = StartDevice;
    data.DxgkDdiStopDevice = StopDevice;
    data.DxgkDdiRemoveDevice = RemoveDevice;
    data.DxgkDdiCreateProcess = CreateProcess;
    data.DxgkDdiDestroyProcess = DestroyProcess;
    data.DxgkDdiCreateDevice = CreateDevice;
    data.DxgkDdiDestroyDevice = DestroyDevice;
    data.DxgkDdiOpenAllocation = OpenAllocation;
    data.DxgkDdiCloseAllocation = CloseAllocation;

    data.DxgkDdiQueryAdapterInfo = wddmcore_DxgkDdiQueryAdapterInfo;
    data.DxgkDdiBuildPagingBuffer = wddmcore_DxgkDdiBuildPagingBuffer;
    data.DxgkDdiCreateAllocation = wddmcore_DxgkDdiCreateAllocation;
    data.DxgkDdiDestroyAllocation = wddmcore_DxgkDdiDestroyAllocation;
    data.DxgkDdiBeginExclusiveAccess = wddmcore_DxgkDdiBeginExclusiveAccess;
    data.DxgkDdiEndExclusiveAccess = wddmcore_DxgkDdiEndExclusiveAccess;

    /* region: table */
    data.DxgkDdiCreateContext = wddmcore_DxgkDdiCreateContext;
    data.DxgkDdiDestroyContext = wddmcore_DxgkDdiDestroyContext;
    data.DxgkDdiSetRootPageTable = wddmcore_DxgkDdiSetRootPageTable;
    data.DxgkDdiSubmitCommandVirtual = wddmcore_DxgkDdiSubmitCommandVirtual;
    data.DxgkDdiPreemptCommand = wddmcore_DxgkDdiPreemptCommand;
    data.DxgkDdiCancelCommand = wddmcore_DxgkDdiCancelCommand;
    data.DxgkDdiQueryCurrentFence = wddmcore_DxgkDdiQueryCurrentFence;
    data.DxgkDdiInterruptRoutine = wddmcore_DxgkDdiInterruptRoutine;
    data.DxgkDdiDpcRoutine = wddmcore_DxgkDdiDpcRoutine;
    /* end: table */
    data.DxgkDdiQueryEngineStatus = wddmcore_DxgkDdiQueryEngineStatus;
    data.DxgkDdiQueryDependentEngineGroup = wddmcore_DxgkDdiQueryDependentEngineGroup;
    data.DxgkDdiResetEngine = wddmcore_DxgkDdiResetEngine;
    data.DxgkDdiResetFromTimeout = wddmcore_DxgkDdiResetFromTimeout;
    data.DxgkDdiRestartFromTimeout = wddmcore_DxgkDdiRestartFromTimeout;
    return DxgkInitialize(DriverObject, RegistryPath, &data);
}

/* The start and the stop of an adapter. */

static NTSTATUS AddDevice(const PDEVICE_OBJECT PhysicalDeviceObject, PVOID* MiniportDeviceContext) {
    PVOID memory;
    struct adapter* adapter;

    PAGED_CODE();
    UNREFERENCED_PARAMETER(PhysicalDeviceObject);
    /* region: add */
    memory = AllocateMemory(GpuBytes());
    if (memory == NULL) {
        return STATUS_NO_MEMORY;
    }
    adapter = GpuMake(memory);
    KeInitializeSpinLock(&adapter->SubmissionLock);
    *MiniportDeviceContext = adapter;
    return STATUS_SUCCESS;
    /* end: add */
}

static NTSTATUS StartDevice(const PVOID MiniportDeviceContext, PDXGK_START_INFO DxgkStartInfo,
                            PDXGKRNL_INTERFACE DxgkInterface, ULONG* NumberOfVideoPresentSources,
                            ULONG* NumberOfChildren) {
    struct adapter* adapter = MiniportDeviceContext;

    PAGED_CODE();
    UNREFERENCED_PARAMETER(DxgkStartInfo);
    *NumberOfVideoPresentSources = 0;
    *NumberOfChildren = 0;
    adapter->Dxgk = *DxgkInterface;
    if (!FindHardware(adapter->Dxgk.DeviceHandle, &adapter->Found)) {
        return STATUS_UNSUCCESSFUL;
    }
    return GpuStart(adapter);
}

static NTSTATUS StopDevice(const PVOID MiniportDeviceContext) {
    PAGED_CODE();
    UNREFERENCED_PARAMETER(MiniportDeviceContext);
    return STATUS_SUCCESS;
}

static NTSTATUS RemoveDevice(const PVOID MiniportDeviceContext) {
    PAGED_CODE();
    ReleaseMemory(MiniportDeviceContext);
    return STATUS_SUCCESS;
}

/* Processes, devices, and the allocations that are open in each of these. */

static NTSTATUS CreateProcess(const HANDLE hAdapter, DXGKARG_CREATEPROCESS* pArgs) {
    struct own_process* process = AllocateMemory(sizeof *process);

    PAGED_CODE();
    if (process == NULL) {
        return STATUS_NO_MEMORY;
    }
    process->Adapter = hAdapter;
    process->IsSystem = pArgs->Flags.SystemProcess != 0;
    pArgs->hKmdProcess = process;
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyProcess(const HANDLE hAdapter, const HANDLE hKmdProcess) {
    PAGED_CODE();
    UNREFERENCED_PARAMETER(hAdapter);
    ReleaseMemory(hKmdProcess);
    return STATUS_SUCCESS;
}

static NTSTATUS CreateDevice(const HANDLE hAdapter, DXGKARG_CREATEDEVICE* pCreateDevice) {
    struct own_device* device = AllocateMemory(sizeof *device);

    PAGED_CODE();
    if (device == NULL) {
        return STATUS_NO_MEMORY;
    }
    device->Adapter = hAdapter;
    device->Process = pCreateDevice->hKmdProcess;
    pCreateDevice->hDevice = device;
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyDevice(const HANDLE hDevice) {
    PAGED_CODE();
    ReleaseMemory(hDevice);
    return STATUS_SUCCESS;
}

static NTSTATUS OpenAllocation(const HANDLE hDevice, const DXGKARG_OPENALLOCATION* pOpenAllocation) {
    struct own_device* device = hDevice;
    UINT i;

    PAGED_CODE();
    for (i = 0; i != pOpenAllocation->NumAllocations; ++i) {
        DXGK_OPENALLOCATIONINFO* info = &pOpenAllocation->pOpenAllocation[i];
        DXGKARGCB_GETHANDLEDATA data = {0};
        struct opened_allocation* opened = AllocateMemory(sizeof *opened);
        if (opened == NULL) {
            while (i != 0) { /* all of them, or none */
                ReleaseMemory(pOpenAllocation->pOpenAllocation[--i].hDeviceSpecificAllocation);
            }
            return STATUS_NO_MEMORY;
        }
        data.hObject = info->hAllocation;
        data.Type = DXGK_HANDLE_ALLOCATION;
        opened->Device = device;
        opened->Allocation = device->Adapter->Dxgk.DxgkCbGetHandleData(&data);
        info->hDeviceSpecificAllocation = opened;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS CloseAllocation(const HANDLE hDevice, const DXGKARG_CLOSEALLOCATION* pCloseAllocation) {
    UINT i;

    PAGED_CODE();
    UNREFERENCED_PARAMETER(hDevice);
    for (i = 0; i != pCloseAllocation->NumAllocations; ++i) {
        ReleaseMemory(pCloseAllocation->pOpenHandleList[i]);
    }
    return STATUS_SUCCESS;
}

/* The driver's own members of the adapter's answers: none here, so they are 0. Nothing of it is written later. */
NTSTATUS AnswerFirst(const DXGKARG_QUERYADAPTERINFO* Args) {
    UINT i;
    UCHAR* answer = Args->pOutputData;

    PAGED_CODE();
    if (Args->Type != DXGKQAITYPE_DRIVERCAPS) {
        return STATUS_NOT_SUPPORTED;
    }
    for (i = 0; i != Args->OutputDataSize; ++i) {
        answer[i] = 0;
    }
    return STATUS_SUCCESS;
}

/* Nonpaged from here on: what the library's resident functions call, in their locks and in interrupts. */

PVOID AllocateMemory(SIZE_T Bytes) { return ExAllocatePool2(POOL_FLAG_NON_PAGED, Bytes, DRIVER_TAG); }

VOID ReleaseMemory(PVOID Memory) { ExFreePoolWithTag(Memory, DRIVER_TAG); }

NTSTATUS OpenContext(DXGKARG_CREATECONTEXT* Args, struct own_context** Context) {
    *Context = AllocateMemory(sizeof **Context);
    if (*Context == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (Args->PrivateDriverDataSize >= sizeof(struct context_request)) {
        (*Context)->SaveArea = ((const struct context_request*)Args->pPrivateDriverData)->SaveArea;
    }
    Args->ContextInfo.DmaBufferSize = 64 * 1024;
    Args->ContextInfo.DmaBufferPrivateDataSize = sizeof(struct packet_data);
    return STATUS_SUCCESS;
}

KIRQL TakeSubmissionLock(struct adapter* Adapter) {
    KIRQL before;

    KeAcquireSpinLock(&Adapter->SubmissionLock, &before);
    return before;
}

VOID LeaveSubmissionLock(struct adapter* Adapter, KIRQL Before) { KeReleaseSpinLock(&Adapter->SubmissionLock, Before); }

VOID RunSynchronized(struct adapter* Adapter, PKSYNCHRONIZE_ROUTINE Routine, PVOID Argument) {
    BOOLEAN returned;

    Adapter->Dxgk.DxgkCbSynchronizeExecution(Adapter->Dxgk.DeviceHandle, Routine, Argument, 0, &returned);
}

VOID NotifyInterrupt(struct adapter* Adapter, DXGKARGCB_NOTIFY_INTERRUPT_DATA* Data) {
    Adapter->Dxgk.DxgkCbNotifyInterrupt(Adapter->Dxgk.DeviceHandle, Data);
}

VOID QueueDpc(struct adapter* Adapter) { Adapter->Dxgk.DxgkCbQueueDpc(Adapter->Dxgk.DeviceHandle); }

VOID NotifyDpc(struct adapter* Adapter) { Adapter->Dxgk.DxgkCbNotifyDpc(Adapter->Dxgk.DeviceHandle); }

/* The registers. */

VOID WritePacket(struct adapter* Adapter, UINT Node, const struct wddmcore_packet* Packet) {
    const struct wddmcore_gpu* gpu = Adapter->Found.Registers;
    const struct own_context* context = Packet->context;
    struct wddmcore_gpu_packet written = {0};

    written.serial = Packet->serial;
    /* The default context of a node has nothing but its save area (PGB-15). */
    written.context = context != NULL ? context->SaveArea : Adapter->Found.SaveAreas[Node];
    written.buffer = Packet->buffer;
    written.start = Packet->start;
    written.end = Packet->end;
    switch (Packet->kind) {
        case wddmcore_packet_runs: break;
        case wddmcore_packet_resumes: written.flags = wddmcore_gpu_resume; break;
        case wddmcore_packet_only_fences: written.flags = wddmcore_gpu_fence_only | wddmcore_gpu_keep_context; break;
        case wddmcore_packet_leaves_context:
            written.context = 0;
            written.flags = wddmcore_gpu_fence_only;
            break;
    }
    gpu->enqueue(gpu->gpu, Node, 0, &written);
}

VOID ReadNews(struct adapter* Adapter, UINT Node, struct wddmcore_engine_news* News) {
    const struct wddmcore_gpu* gpu = Adapter->Found.Registers;
    struct wddmcore_gpu_status now = {0};

    gpu->read_status(gpu->gpu, Node, 0, &now); /* this also dismisses the interrupt */
    News->completed = (now.news & wddmcore_gpu_completed) != 0;
    News->completed_serial = now.completed;
    News->stopped = (now.news & wddmcore_gpu_stopped) != 0;
    News->stopped_generation = now.stopped_generation;
    News->stopped_serial = now.stopped_through;
    News->half_run = now.stopped_half_run != 0;
    News->faulted = (now.news & wddmcore_gpu_faulted) != 0;
    News->fault_names_packet = now.fault_known != 0;
    News->faulted_serial = now.fault_serial;
    News->fault_halts = now.fault_needs_reset != 0;
    News->progress = now.progress;
}

VOID RequestStop(struct adapter* Adapter, UINT Node, UINT Generation) {
    Adapter->Found.Registers->request_stop(Adapter->Found.Registers->gpu, Node, 0, Generation);
}

VOID WithdrawStop(struct adapter* Adapter, UINT Node) {
    Adapter->Found.Registers->disarm(Adapter->Found.Registers->gpu, Node, 0);
}

enum wddmcore_halted Halt(struct adapter* Adapter, UINT Node, UINT* Serial) {
    struct wddmcore_gpu_halted halted = {0};

    Adapter->Found.Registers->halt(Adapter->Found.Registers->gpu, Node, 0, &halted);
    *Serial = halted.serial;
    switch (halted.what) {
        case wddmcore_gpu_nothing: return wddmcore_halted_idle;
        case wddmcore_gpu_executing: return wddmcore_halted_in_packet;
        default: return wddmcore_halted_unknown;
    }
}

BOOLEAN ResetNode(struct adapter* Adapter, UINT Node) {
    return Adapter->Found.Registers->reset(Adapter->Found.Registers->gpu, Node, 0) == 0;
}

ULONGLONG NodesResetWith(struct adapter* Adapter, UINT Node) {
    return Adapter->Found.Registers->affected_nodes(Adapter->Found.Registers->gpu, Node);
}
