/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * A render-only display driver of WDDM 1.3 without a device: its segment lies in memory that it has allocated itself, and a
 * thread of its own executes. What is to be done stands in the private data of DMA buffers, because the driver sees those by
 * their addresses; of a DMA buffer itself it uses one word for each piece of work.
 */

#include <ntddk.h>

#include <dispmprt.h>

#include "kit_more.h"

#define WREN_TAG 'nerW'
#define MDL_PAGES_LOCKED 2
#define MmCached 1
#define NormalPagePriority 16
#define MdlMappingNoExecute 0x40000000

PVOID MmAllocateContiguousMemorySpecifyCache(SIZE_T NumberOfBytes, PHYSICAL_ADDRESS Lowest, PHYSICAL_ADDRESS Highest,
                                             PHYSICAL_ADDRESS Boundary, ULONG CacheType);
VOID MmFreeContiguousMemorySpecifyCache(PVOID BaseAddress, SIZE_T NumberOfBytes, ULONG CacheType);
MDL* MmAllocatePagesForMdlEx(PHYSICAL_ADDRESS Low, PHYSICAL_ADDRESS High, PHYSICAL_ADDRESS Skip, SIZE_T TotalBytes,
                             ULONG CacheType, ULONG Flags);
VOID MmFreePagesFromMdl(MDL* Mdl);
VOID ExFreePool(PVOID P);
MDL* IoAllocateMdl(PVOID VirtualAddress, ULONG Length, BOOLEAN SecondaryBuffer, BOOLEAN ChargeQuota, PVOID Irp);
VOID IoFreeMdl(MDL* Mdl);
PVOID MmMapLockedPagesSpecifyCache(MDL* Mdl, CHAR AccessMode, ULONG CacheType, PVOID RequestedAddress,
                                   ULONG BugCheckOnFailure, ULONG Priority);
VOID MmUnmapLockedPages(PVOID BaseAddress, MDL* Mdl);

enum {
    MEMORY_BYTES = 16 << 20,
    WORK_PAGES = 16,
    WORKS = 3, /* for which the private data of a paging buffer has room */
    PACKETS = 64
};

/* A piece of work: Bytes of the segment, from Local on. */
typedef enum _WORK_KIND { WORK_FILL, WORK_MOVE, WORK_FROM_PAGES, WORK_TO_PAGES } WORK_KIND;
typedef struct _WORK {
    WORK_KIND Kind;
    ULONG Bytes;
    ULONG64 Local;
    ULONG64 Other; /* of a fill the value, of a move where the bytes come from */
    PFN_NUMBER Pages[WORK_PAGES];
} WORK;

typedef struct _PACKET {
    const WORK* First;
    ULONG Count;
    UINT Fence;
} PACKET;

typedef struct _ADAPTER {
    DXGKRNL_INTERFACE Kernel;
    UCHAR* Memory;
    PHYSICAL_ADDRESS Address; /* of the same */
    PHYSICAL_ADDRESS Base;    /* where the segment begins: it is the same */
    MDL* Memories;            /* where the pages were allocated by one */
    MDL* Window;              /* for the pages of one piece of work */

    KSPIN_LOCK Lock; /* of all that follows; the indices only grow */
    PACKET Queue[PACKETS];
    ULONG Head, Tail;
    UINT LastFence;
    BOOLEAN Preempting;
    UINT PreemptionFence;

    KEVENT Wake;
    BOOLEAN volatile Leaving;
    PVOID Worker;
} ADAPTER;

DRIVER_INITIALIZE DriverEntry;

static PVOID Allocate(SIZE_T bytes) {
    PVOID memory = ExAllocatePoolWithTag(NonPagedPoolNx, bytes, WREN_TAG);
    if (memory != NULL) {
        RtlZeroMemory(memory, bytes);
    }
    return memory;
}

/* The engine: a thread. */

static VOID Sleep(VOID) {
    LARGE_INTEGER pause;
    pause.QuadPart = -10000; /* a millisecond */
    KeDelayExecutionThread(KernelMode, FALSE, &pause);
}

/* System addresses may be used up at any moment; the work has to be done all the same. */
static UCHAR* MapPages(MDL* mdl) {
    UCHAR* mapped;
    for (;;) {
        mapped = MmMapLockedPagesSpecifyCache(mdl, KernelMode, MmCached, NULL, FALSE,
                                              NormalPagePriority | MdlMappingNoExecute);
        if (mapped != NULL) {
            return mapped;
        }
        Sleep();
    }
}

static VOID Execute(const ADAPTER* adapter, const WORK* work) {
    UCHAR* local = adapter->Memory + work->Local;
    UCHAR* mapped;
    ULONG i;
    if (work->Kind == WORK_FILL) {
        for (i = 0; i != work->Bytes / 4; ++i) {
            ((ULONG volatile*)local)[i] = (ULONG)work->Other;
        }
        return;
    }
    if (work->Kind == WORK_MOVE) {
        RtlCopyMemory(local, adapter->Memory + work->Other, work->Bytes);
        return;
    }
    adapter->Window->ByteCount = work->Bytes;
    RtlCopyMemory(MmGetMdlPfnArray(adapter->Window), work->Pages, sizeof work->Pages);
    adapter->Window->MdlFlags |= MDL_PAGES_LOCKED;
    mapped = MapPages(adapter->Window);
    if (work->Kind == WORK_FROM_PAGES) {
        RtlCopyMemory(local, mapped, work->Bytes);
    } else {
        RtlCopyMemory(mapped, local, work->Bytes);
    }
    MmUnmapLockedPages(mapped, adapter->Window);
}

static BOOLEAN ReportCompleted(PVOID context) {
    ADAPTER* adapter = context;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    RtlZeroMemory(&data, sizeof data);
    data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
    data.DmaCompleted.SubmissionFenceId = adapter->LastFence;
    adapter->Kernel.DxgkCbNotifyInterrupt(adapter->Kernel.DeviceHandle, &data);
    adapter->Kernel.DxgkCbQueueDpc(adapter->Kernel.DeviceHandle);
    return TRUE;
}

static BOOLEAN ReportPreempted(PVOID context) {
    ADAPTER* adapter = context;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    RtlZeroMemory(&data, sizeof data);
    data.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED;
    data.DmaPreempted.PreemptionFenceId = adapter->PreemptionFence;
    data.DmaPreempted.LastCompletedFenceId = adapter->LastFence;
    adapter->Kernel.DxgkCbNotifyInterrupt(adapter->Kernel.DeviceHandle, &data);
    adapter->Kernel.DxgkCbQueueDpc(adapter->Kernel.DeviceHandle);
    return TRUE;
}

/* At the level at which an interrupt routine would. */
static VOID Report(ADAPTER* adapter, PKSYNCHRONIZE_ROUTINE routine) {
    BOOLEAN returned;
    (VOID) adapter->Kernel.DxgkCbSynchronizeExecution(adapter->Kernel.DeviceHandle, routine, adapter, 0, &returned);
}

/* The next packet, if there is one. */
static BOOLEAN TakePacket(ADAPTER* adapter, PACKET* packet) {
    KIRQL before;
    BOOLEAN found;
    KeAcquireSpinLock(&adapter->Lock, &before);
    found = adapter->Head != adapter->Tail;
    if (found) {
        *packet = adapter->Queue[adapter->Head++ % PACKETS];
    }
    KeReleaseSpinLock(&adapter->Lock, before);
    return found;
}

static VOID ExecutePacket(ADAPTER* adapter, const PACKET* packet) {
    ULONG i;
    for (i = 0; i != packet->Count; ++i) {
        Execute(adapter, &packet->First[i]);
    }
    adapter->LastFence = packet->Fence;
    Report(adapter, ReportCompleted);
}

static VOID WorkerThread(PVOID context) {
    ADAPTER* adapter = context;
    PACKET packet;
    while (!adapter->Leaving) {
        KeWaitForSingleObject(&adapter->Wake, Executive, KernelMode, FALSE, NULL);
        while (TakePacket(adapter, &packet)) {
            ExecutePacket(adapter, &packet);
        }
        if (adapter->Preempting) { /* and everything before has been completed */
            adapter->Preempting = FALSE;
            Report(adapter, ReportPreempted);
        }
    }
    PsTerminateSystemThread(STATUS_SUCCESS);
}

static BOOLEAN InterruptRoutine(const PVOID context, ULONG message) {
    UNREFERENCED_PARAMETER(context);
    UNREFERENCED_PARAMETER(message);
    return FALSE; /* there is no device */
}

static VOID DpcRoutine(const PVOID context) {
    ADAPTER* adapter = context;
    adapter->Kernel.DxgkCbNotifyDpc(adapter->Kernel.DeviceHandle);
}

/* Scheduling. */

static NTSTATUS SubmitCommand(const HANDLE hAdapter, const DXGKARG_SUBMITCOMMAND* args) {
    ADAPTER* adapter = hAdapter;
    KIRQL before;
    PACKET* packet;
    KeAcquireSpinLock(&adapter->Lock, &before);
    if (adapter->Tail - adapter->Head == PACKETS) {
        KeReleaseSpinLock(&adapter->Lock, before);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    packet = &adapter->Queue[adapter->Tail % PACKETS];
    packet->First =
        (const WORK*)((const UCHAR*)args->pDmaBufferPrivateData + args->DmaBufferPrivateDataSubmissionStartOffset);
    packet->Count = (args->DmaBufferPrivateDataSubmissionEndOffset - args->DmaBufferPrivateDataSubmissionStartOffset) /
                    sizeof(WORK);
    packet->Fence = args->SubmissionFenceId;
    ++adapter->Tail;
    KeReleaseSpinLock(&adapter->Lock, before);
    KeSetEvent(&adapter->Wake, 0, FALSE);
    return STATUS_SUCCESS;
}

static NTSTATUS PreemptCommand(const HANDLE hAdapter, const DXGKARG_PREEMPTCOMMAND* args) {
    ADAPTER* adapter = hAdapter;
    adapter->PreemptionFence = args->PreemptionFenceId;
    adapter->Preempting = TRUE;
    KeSetEvent(&adapter->Wake, 0, FALSE);
    return STATUS_SUCCESS;
}

static NTSTATUS QueryCurrentFence(const HANDLE hAdapter, DXGKARG_QUERYCURRENTFENCE* args) {
    args->CurrentFence = ((const ADAPTER*)hAdapter)->LastFence;
    return STATUS_SUCCESS;
}

/* Packets that wait are given up; the thread stands still, as the system calls nothing else meanwhile. */
static NTSTATUS ResetFromTimeout(const HANDLE hAdapter) {
    ADAPTER* adapter = hAdapter;
    if (adapter->Head != adapter->Tail) {
        adapter->LastFence = adapter->Queue[(adapter->Tail - 1) % PACKETS].Fence;
    }
    adapter->Head = adapter->Tail;
    adapter->Preempting = FALSE;
    return STATUS_SUCCESS;
}

static NTSTATUS RestartFromTimeout(const HANDLE hAdapter) {
    UNREFERENCED_PARAMETER(hAdapter);
    return STATUS_SUCCESS;
}

/* Paging. */

static WORK* BeginWork(DXGKARG_BUILDPAGINGBUFFER* args, const UCHAR* end, const UCHAR* privateEnd, WORK_KIND kind) {
    WORK* work = args->pDmaBufferPrivateData;
    if (end - (UCHAR*)args->pDmaBuffer < (LONG64)sizeof(ULONG) || privateEnd - (UCHAR*)work < (LONG64)sizeof *work) {
        return NULL;
    }
    RtlZeroMemory(work, sizeof *work);
    work->Kind = kind;
    *(ULONG*)args->pDmaBuffer = WREN_TAG;
    args->pDmaBuffer = (UCHAR*)args->pDmaBuffer + sizeof(ULONG);
    args->pDmaBufferPrivateData = work + 1;
    return work;
}

/* MultipassOffset counts the bytes that works have, in this paging buffer or in one before. */
static NTSTATUS BuildWork(const ADAPTER* adapter, DXGKARG_BUILDPAGINGBUFFER* args, WORK_KIND kind, ULONG64 local,
                          ULONG64 other, const PFN_NUMBER* pages, SIZE_T bytes) {
    const UCHAR* end = (UCHAR*)args->pDmaBuffer + args->DmaSize;
    const UCHAR* privateEnd = (UCHAR*)args->pDmaBufferPrivateData + args->DmaBufferPrivateDataSize;
    local -= (ULONG64)adapter->Base.QuadPart;
    while (args->MultipassOffset < bytes) {
        SIZE_T done = args->MultipassOffset;
        SIZE_T piece = bytes - done < WORK_PAGES * PAGE_SIZE ? bytes - done : WORK_PAGES * PAGE_SIZE;
        WORK* work = BeginWork(args, end, privateEnd, kind);
        ULONG i;
        if (work == NULL) {
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        }
        work->Bytes = (ULONG)piece;
        work->Local = local + done;
        work->Other = kind == WORK_MOVE ? other + done - (ULONG64)adapter->Base.QuadPart : other;
        for (i = 0; pages != NULL && i != (piece + PAGE_SIZE - 1) / PAGE_SIZE; ++i) {
            work->Pages[i] = pages[done / PAGE_SIZE + i];
        }
        args->MultipassOffset += (UINT)piece;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS BuildTransfer(const ADAPTER* adapter, DXGKARG_BUILDPAGINGBUFFER* args) {
    ULONG64 from = (ULONG64)args->Transfer.Source.SegmentAddress.QuadPart + args->Transfer.TransferOffset;
    ULONG64 to = (ULONG64)args->Transfer.Destination.SegmentAddress.QuadPart + args->Transfer.TransferOffset;
    SIZE_T bytes = args->Transfer.TransferSize;
    if (args->Transfer.Source.SegmentId == 0) {
        return BuildWork(adapter, args, WORK_FROM_PAGES, to, 0,
                         MmGetMdlPfnArray(args->Transfer.Source.pMdl) + args->Transfer.MdlOffset, bytes);
    }
    if (args->Transfer.Destination.SegmentId == 0) {
        return BuildWork(adapter, args, WORK_TO_PAGES, from, 0,
                         MmGetMdlPfnArray(args->Transfer.Destination.pMdl) + args->Transfer.MdlOffset, bytes);
    }
    return BuildWork(adapter, args, WORK_MOVE, to, from, NULL, bytes);
}

static NTSTATUS BuildSpecialLock(const ADAPTER* adapter, DXGKARG_BUILDPAGINGBUFFER* args) {
    SIZE_T offset = args->SpecialLockTransfer.TransferOffset;
    SIZE_T bytes = args->SpecialLockTransfer.TransferSize;
    if (args->SpecialLockTransfer.Source.SegmentId == 0) {
        return BuildWork(adapter, args, WORK_FROM_PAGES,
                         (ULONG64)args->SpecialLockTransfer.Destination.SegmentAddress.QuadPart + offset, 0,
                         MmGetMdlPfnArray(args->SpecialLockTransfer.Source.pMdl), bytes);
    }
    return BuildWork(adapter, args, WORK_TO_PAGES,
                     (ULONG64)args->SpecialLockTransfer.Source.SegmentAddress.QuadPart + offset, 0,
                     MmGetMdlPfnArray(args->SpecialLockTransfer.Destination.pMdl), bytes);
}

static NTSTATUS BuildPagingBuffer(const HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER* args) {
    const ADAPTER* adapter = hAdapter;
    switch (args->Operation) {
        case DXGK_OPERATION_TRANSFER: return BuildTransfer(adapter, args);
        case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER: return BuildSpecialLock(adapter, args);
        case DXGK_OPERATION_FILL:
            return BuildWork(adapter, args, WORK_FILL, (ULONG64)args->Fill.Destination.SegmentAddress.QuadPart,
                             args->Fill.FillPattern, NULL, args->Fill.FillSize);
        case DXGK_OPERATION_DISCARD_CONTENT: return STATUS_SUCCESS; /* nothing is kept about contents */
        case DXGK_OPERATION_READ_PHYSICAL:                          /* to itself: its bytes are read, and stay */
            return BuildWork(adapter, args, WORK_MOVE, (ULONG64)args->ReadPhysical.PhysicalAddress.QuadPart & ~3ULL,
                             (ULONG64)args->ReadPhysical.PhysicalAddress.QuadPart & ~3ULL, NULL, sizeof(ULONG));
        case DXGK_OPERATION_WRITE_PHYSICAL:
            return BuildWork(adapter, args, WORK_FILL, (ULONG64)args->WritePhysical.PhysicalAddress.QuadPart & ~3ULL, 0,
                             NULL, sizeof(ULONG));
        default: return STATUS_NOT_SUPPORTED;
    }
}

/* What the adapter is. */

static NTSTATUS QueryDriverCaps(const DXGKARG_QUERYADAPTERINFO* args) {
    DXGK_DRIVERCAPS* caps = args->pOutputData;
    if (args->OutputDataSize < sizeof *caps) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    RtlZeroMemory(caps, sizeof *caps);
    caps->HighestAcceptableAddress.QuadPart = -1;
    caps->MaxAllocationListSlotId = 15;
    caps->SchedulingCaps.MultiEngineAware = 1;
    caps->SchedulingCaps.PreemptionAware = 1;
    caps->GpuEngineTopology.NbAsymetricProcessingNodes = 1;
    caps->WDDMVersion = DXGKDDI_WDDMv1_3;
    caps->PreemptionCaps.GraphicsPreemptionGranularity = D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
    caps->PreemptionCaps.ComputePreemptionGranularity = D3DKMDT_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY;
    caps->SupportNonVGA = TRUE;
    return STATUS_SUCCESS;
}

static NTSTATUS QuerySegments(const ADAPTER* adapter, const DXGKARG_QUERYADAPTERINFO* args) {
    DXGK_QUERYSEGMENTOUT3* out = args->pOutputData;
    if (args->OutputDataSize < sizeof *out) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    out->NbSegment = 1;
    if (out->pSegmentDescriptor == NULL) {
        return STATUS_SUCCESS; /* the first of two calls, which only asks how many there are */
    }
    RtlZeroMemory(out->pSegmentDescriptor, sizeof *out->pSegmentDescriptor);
    out->pSegmentDescriptor->Flags.CpuVisible = 1;
    out->pSegmentDescriptor->Flags.PopulatedFromSystemMemory = 1;
    out->pSegmentDescriptor->BaseAddress = adapter->Base;
    out->pSegmentDescriptor->CpuTranslatedAddress = adapter->Address;
    out->pSegmentDescriptor->Size = MEMORY_BYTES;
    out->pSegmentDescriptor->CommitLimit = MEMORY_BYTES;
    out->PagingBufferSegmentId = 0;
    out->PagingBufferSize = PAGE_SIZE;
    out->PagingBufferPrivateDataSize = WORKS * sizeof(WORK);
    return STATUS_SUCCESS;
}

static NTSTATUS QueryAdapterInfo(const HANDLE hAdapter, const DXGKARG_QUERYADAPTERINFO* args) {
    switch (args->Type) {
        case DXGKQAITYPE_DRIVERCAPS: return QueryDriverCaps(args);
        case DXGKQAITYPE_QUERYSEGMENT3: return QuerySegments(hAdapter, args);
        case DXGKQAITYPE_NUMPOWERCOMPONENTS:
            if (args->OutputDataSize < sizeof(UINT)) {
                return STATUS_BUFFER_TOO_SMALL;
            }
            *(UINT*)args->pOutputData = 0;
            return STATUS_SUCCESS;
        default: return STATUS_NOT_SUPPORTED;
    }
}

/* Objects: there is nothing to know of them but the adapter. */

static NTSTATUS CreateDevice(const HANDLE hAdapter, DXGKARG_CREATEDEVICE* args) {
    args->hDevice = hAdapter;
    args->pInfo = NULL;
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyDevice(const HANDLE hDevice) {
    UNREFERENCED_PARAMETER(hDevice);
    return STATUS_SUCCESS;
}

static NTSTATUS CreateContext(const HANDLE hDevice, DXGKARG_CREATECONTEXT* args) {
    if (args->NodeOrdinal != 0) {
        return STATUS_INVALID_PARAMETER;
    }
    args->hContext = hDevice;
    args->ContextInfo.DmaBufferSize = PAGE_SIZE;
    args->ContextInfo.DmaBufferSegmentSet = 0; /* contiguous system memory */
    args->ContextInfo.DmaBufferPrivateDataSize = WORKS * sizeof(WORK);
    args->ContextInfo.AllocationListSize = 16;
    args->ContextInfo.PatchLocationListSize = 16;
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyContext(const HANDLE hContext) {
    UNREFERENCED_PARAMETER(hContext);
    return STATUS_SUCCESS;
}

/* Life. */

static NTSTATUS AddDevice(const PDEVICE_OBJECT physicalDevice, PVOID* context) {
    UNREFERENCED_PARAMETER(physicalDevice);
    *context = Allocate(sizeof(ADAPTER));
    return *context != NULL ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

static NTSTATUS RemoveDevice(const PVOID context) {
    ExFreePoolWithTag(context, WREN_TAG);
    return STATUS_SUCCESS;
}

static VOID TakeMemory(ADAPTER* adapter) {
    PHYSICAL_ADDRESS lowest, highest, boundary;
    lowest.QuadPart = 0;
    highest.QuadPart = -1;
    boundary.QuadPart = 0;
    adapter->Memory = MmAllocateContiguousMemorySpecifyCache(MEMORY_BYTES, lowest, highest, boundary, MmCached);
    if (adapter->Memory != NULL) {
        adapter->Address = MmGetPhysicalAddress(adapter->Memory);
        adapter->Base = adapter->Address;
    }
}

static VOID GiveMemory(ADAPTER* adapter) {
    if (adapter->Memory != NULL) {
        MmFreeContiguousMemorySpecifyCache(adapter->Memory, MEMORY_BYTES, MmCached);
        adapter->Memory = NULL;
    }
}

static NTSTATUS StartWorker(ADAPTER* adapter) {
    OBJECT_ATTRIBUTES attributes;
    HANDLE thread;
    NTSTATUS status;
    InitializeObjectAttributes(&attributes, NULL, OBJ_KERNEL_HANDLE, NULL, NULL);
    status = PsCreateSystemThread(&thread, THREAD_ALL_ACCESS, &attributes, NULL, NULL, WorkerThread, adapter);
    if (NT_SUCCESS(status)) {
        (VOID) ObReferenceObjectByHandle(thread, THREAD_ALL_ACCESS, *PsThreadType, KernelMode, &adapter->Worker, NULL);
        ZwClose(thread);
    }
    return status;
}

static NTSTATUS StopDevice(const PVOID context) {
    ADAPTER* adapter = context;
    if (adapter->Worker != NULL) {
        adapter->Leaving = TRUE;
        KeSetEvent(&adapter->Wake, 0, FALSE);
        KeWaitForSingleObject(adapter->Worker, Executive, KernelMode, FALSE, NULL);
        ObfDereferenceObject(adapter->Worker);
    }
    if (adapter->Window != NULL) {
        IoFreeMdl(adapter->Window);
    }
    GiveMemory(adapter);
    RtlZeroMemory(adapter, sizeof *adapter);
    return STATUS_SUCCESS;
}

static NTSTATUS StartDevice(const PVOID context, DXGK_START_INFO* information, DXGKRNL_INTERFACE* kernel,
                            ULONG* sources, ULONG* children) {
    ADAPTER* adapter = context;
    NTSTATUS status = STATUS_NO_MEMORY;
    UNREFERENCED_PARAMETER(information);
    RtlCopyMemory(&adapter->Kernel, kernel,
                  kernel->Size < sizeof adapter->Kernel ? kernel->Size : sizeof adapter->Kernel);
    KeInitializeSpinLock(&adapter->Lock);
    KeInitializeEvent(&adapter->Wake, SynchronizationEvent, FALSE);
    adapter->Window = IoAllocateMdl(NULL, WORK_PAGES * PAGE_SIZE, FALSE, FALSE, NULL);
    TakeMemory(adapter);
    if (adapter->Window != NULL && adapter->Memory != NULL) {
        status = StartWorker(adapter);
    }
    if (!NT_SUCCESS(status)) {
        (VOID) StopDevice(adapter);
        return status;
    }
    *sources = 0;
    *children = 0;
    return STATUS_SUCCESS;
}

static VOID Unload(VOID) {}

NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath) {
    DRIVER_INITIALIZATION_DATA data;
    RtlZeroMemory(&data, sizeof data);
    data.Version = DXGKDDI_INTERFACE_VERSION;
    data.DxgkDdiAddDevice = AddDevice;
    data.DxgkDdiStartDevice = StartDevice;
    data.DxgkDdiStopDevice = StopDevice;
    data.DxgkDdiRemoveDevice = RemoveDevice;
    data.DxgkDdiUnload = (PDXGKDDI_UNLOAD)(PVOID)Unload;
    data.DxgkDdiInterruptRoutine = InterruptRoutine;
    data.DxgkDdiDpcRoutine = DpcRoutine;
    data.DxgkDdiQueryAdapterInfo = QueryAdapterInfo;
    data.DxgkDdiCreateDevice = CreateDevice;
    data.DxgkDdiDestroyDevice = DestroyDevice;
    data.DxgkDdiCreateContext = CreateContext;
    data.DxgkDdiDestroyContext = DestroyContext;
    data.DxgkDdiBuildPagingBuffer = BuildPagingBuffer;
    data.DxgkDdiSubmitCommand = SubmitCommand;
    data.DxgkDdiPreemptCommand = PreemptCommand;
    data.DxgkDdiQueryCurrentFence = QueryCurrentFence;
    data.DxgkDdiResetFromTimeout = ResetFromTimeout;
    data.DxgkDdiRestartFromTimeout = RestartFromTimeout;
    return DxgkInitialize(DriverObject, RegistryPath, &data);
}
