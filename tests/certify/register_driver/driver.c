/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * A display driver for the Linnet, as it would have been written for WDDM 1.3: all but the setting of modes.
 *
 * Whatever the interrupt routine shares with other code is touched in routines that DxgkCbSynchronizeExecution calls:
 * the interrupt's lock is the only lock of this driver. The interrupt routine notes what the engine has to say, its DPC
 * wakes the worker, and the worker tells the scheduler.
 */

#include <ntddk.h>

#include <dispmprt.h>

#include "kit_more.h"
#include "linnet.h"

#define LINNET_TAG 'tnnL'

enum {
    LOCAL_SEGMENT = 1,
    APERTURE_SEGMENT = 2,
    PAGING_BUFFER_BYTES = 0x1000,
    DMA_BUFFER_BYTES = 0x10000,
    LIST_ENTRIES = 256,
    PIXEL_BYTES = 4,
    ROW_BYTES = 256 * PIXEL_BYTES, /* of each surface */
    LEAST_QUEUE_ENTRIES = 64,
    RESET_MILLISECONDS = 100
};

typedef struct _PACKET {
    ULONG64 Address;
    ULONG64 SaveArea;
    ULONG Bytes;
    ULONG Serial; /* given when the packet enters the ring */
    UINT Fence;
} PACKET;

/* The queue's indices only grow: packets from Head to Rung are in the ring, those from Rung to Tail wait for room. */
typedef struct _ADAPTER {
    DXGKRNL_INTERFACE Kernel;
    ULONG volatile* Registers;
    ULONG64 LocalBytes;
    ULONG64 SystemSaveArea; /* of the system's context, in which paging runs */
    ULONG* Aperture;        /* the page number that each entry holds */
    PVOID ParkingPage;      /* what the entries show before the system names its dummy page */

    PACKET* Queue;
    ULONG QueueMask;
    ULONG Head, Rung, Tail;
    ULONG LastSerial;
    UINT LastFence;
    BOOLEAN Halted; /* from the beginning of a reset to the moment when packets are welcome again */

    BOOLEAN News;
    BOOLEAN Faulted;
    ULONG Completed;
    ULONG StoppedGeneration;
    ULONG SeenProgress;

    BOOLEAN Preempting;
    BOOLEAN StopWasAsked;
    UINT PreemptionFence;
    ULONG PreemptionTail; /* packets that came later are not concerned */
    ULONG Generation;

    KEVENT Wake;
    BOOLEAN volatile Leaving;
    PVOID Worker;
} ADAPTER;

typedef struct _DEVICE {
    ADAPTER* Adapter;
} DEVICE;

typedef struct _CONTEXT {
    ULONG64 SaveArea;
} CONTEXT;

typedef struct _ALLOCATION {
    SIZE_T Bytes;
} ALLOCATION;

/* An allocation as a device has it. */
typedef struct _OPENED {
    ALLOCATION* Allocation;
} OPENED;

DRIVER_INITIALIZE DriverEntry;

static PVOID Allocate(SIZE_T bytes) {
    PVOID memory = ExAllocatePoolWithTag(NonPagedPoolNx, bytes, LINNET_TAG);
    if (memory != NULL) {
        RtlZeroMemory(memory, bytes);
    }
    return memory;
}

static VOID Free(PVOID memory) {
    if (memory != NULL) {
        ExFreePoolWithTag(memory, LINNET_TAG);
    }
}

/* Registers. */

static ULONG ReadRegister(const ADAPTER* adapter, ULONG offset) { return adapter->Registers[offset / sizeof(ULONG)]; }

static VOID WriteRegister(const ADAPTER* adapter, ULONG offset, ULONG value) {
    adapter->Registers[offset / sizeof(ULONG)] = value;
}

static VOID WriteRegisterPair(const ADAPTER* adapter, ULONG low, ULONG64 value) {
    WriteRegister(adapter, low, (ULONG)value);
    WriteRegister(adapter, low + sizeof(ULONG), (ULONG)(value >> 32));
}

/* Nobody else writes these two registers: the system builds one paging buffer at a time, and none while it resets. */
static VOID WriteAperture(const ADAPTER* adapter, ULONG first, ULONG count) {
    ULONG i;
    WriteRegister(adapter, LINNET_APERTURE_INDEX, first);
    for (i = 0; i != count; ++i) {
        WriteRegister(adapter, LINNET_APERTURE_ENTRY, adapter->Aperture[first + i]);
    }
}

/* The engine. All of this runs at the interrupt's level. */

static BOOLEAN Synchronize(ADAPTER* adapter, PKSYNCHRONIZE_ROUTINE routine, PVOID context) {
    BOOLEAN returned = FALSE;
    NTSTATUS status =
        adapter->Kernel.DxgkCbSynchronizeExecution(adapter->Kernel.DeviceHandle, routine, context, 0, &returned);
    return NT_SUCCESS(status) && returned;
}

static PACKET* PacketAt(const ADAPTER* adapter, ULONG index) { return &adapter->Queue[index & adapter->QueueMask]; }

static VOID NoteCompleted(ADAPTER* adapter, ULONG serial) {
    if ((LONG)(serial - adapter->Completed) > 0) {
        adapter->Completed = serial;
    }
}

/* A reading of the status dismisses the interrupt, so whoever reads it has to keep what it said. */
static BOOLEAN ReadNews(ADAPTER* adapter) {
    ULONG news = ReadRegister(adapter, LINNET_STATUS);
    if (news == 0) {
        return FALSE;
    }
    if ((news & LINNET_STATUS_COMPLETED) != 0) {
        NoteCompleted(adapter, ReadRegister(adapter, LINNET_COMPLETED));
    }
    if ((news & LINNET_STATUS_STOPPED) != 0) {
        adapter->StoppedGeneration = ReadRegister(adapter, LINNET_STOPPED);
        NoteCompleted(adapter, ReadRegister(adapter, LINNET_STOPPED_AFTER));
    }
    if ((news & LINNET_STATUS_FAULTED) != 0) {
        adapter->Faulted = TRUE;
    }
    adapter->News = TRUE;
    return TRUE;
}

static VOID RingDoorbell(ADAPTER* adapter, PACKET* packet) {
    packet->Serial = ++adapter->LastSerial;
    WriteRegister(adapter, LINNET_PACKET_SERIAL, packet->Serial);
    WriteRegisterPair(adapter, LINNET_PACKET_LOW, packet->Address);
    WriteRegister(adapter, LINNET_PACKET_BYTES, packet->Bytes);
    WriteRegisterPair(adapter, LINNET_CONTEXT_LOW, packet->SaveArea);
    WriteRegister(adapter, LINNET_DOORBELL, 1);
}

static VOID FeedRing(ADAPTER* adapter) {
    while (!adapter->Preempting && !adapter->Halted && adapter->Rung != adapter->Tail &&
           adapter->Rung - adapter->Head < LINNET_RING) {
        RingDoorbell(adapter, PacketAt(adapter, adapter->Rung++));
    }
}

static VOID Notify(ADAPTER* adapter, DXGKARGCB_NOTIFY_INTERRUPT_DATA* data) {
    adapter->Kernel.DxgkCbNotifyInterrupt(adapter->Kernel.DeviceHandle, data);
    adapter->Kernel.DxgkCbQueueDpc(adapter->Kernel.DeviceHandle);
}

static BOOLEAN HasCompleted(const ADAPTER* adapter, ULONG index) {
    return index != adapter->Rung && (LONG)(adapter->Completed - PacketAt(adapter, index)->Serial) >= 0;
}

/* One notification for all of them: a fence completes those before it. */
static VOID ReportCompleted(ADAPTER* adapter) {
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    ULONG before = adapter->Head;
    while (HasCompleted(adapter, adapter->Head)) {
        adapter->LastFence = PacketAt(adapter, adapter->Head++)->Fence;
    }
    if (adapter->Head != before) {
        RtlZeroMemory(&data, sizeof data);
        data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
        data.DmaCompleted.SubmissionFenceId = adapter->LastFence;
        Notify(adapter, &data);
    }
}

/* The engine stands still at the packet that it could not execute: the oldest one. */
static VOID ReportFault(ADAPTER* adapter) {
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    adapter->Faulted = FALSE;
    if (adapter->Head != adapter->Rung) {
        RtlZeroMemory(&data, sizeof data);
        data.InterruptType = DXGK_INTERRUPT_DMA_FAULTED;
        data.DmaFaulted.FaultedFenceId = PacketAt(adapter, adapter->Head)->Fence;
        data.DmaFaulted.Status = STATUS_UNSUCCESSFUL;
        Notify(adapter, &data);
    }
}

/* An engine that has run dry meanwhile may owe the answer, or never give it: it is asked once more, and let go. */
static BOOLEAN HasStopped(ADAPTER* adapter) {
    if (!adapter->StopWasAsked || adapter->StoppedGeneration == adapter->Generation) {
        return TRUE;
    }
    if (adapter->Head != adapter->Rung) {
        return FALSE;
    }
    WriteRegister(adapter, LINNET_DISARM, 1);
    (VOID) ReadNews(adapter);
    return TRUE;
}

/* The packets that did not complete are gone; the scheduler submits them again. */
static VOID ReportPreempted(ADAPTER* adapter) {
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    adapter->Preempting = FALSE;
    adapter->Head = adapter->PreemptionTail;
    adapter->Rung = adapter->PreemptionTail;
    RtlZeroMemory(&data, sizeof data);
    data.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED;
    data.DmaPreempted.PreemptionFenceId = adapter->PreemptionFence;
    data.DmaPreempted.LastCompletedFenceId = adapter->LastFence;
    Notify(adapter, &data);
}

static BOOLEAN ReportNews(PVOID context) {
    ADAPTER* adapter = context;
    adapter->News = FALSE;
    if (adapter->Halted) {
        return FALSE;
    }
    ReportCompleted(adapter);
    if (adapter->Faulted) {
        ReportFault(adapter);
    }
    if (adapter->Preempting && HasStopped(adapter)) {
        ReportPreempted(adapter);
    }
    FeedRing(adapter);
    return TRUE;
}

static BOOLEAN BeginReset(PVOID context) {
    ADAPTER* adapter = context;
    adapter->Halted = TRUE;
    WriteRegister(adapter, LINNET_RESET, 1);
    return TRUE;
}

/* What completed before the engine halted is reported, everything else is forgotten. */
static BOOLEAN EndReset(PVOID context) {
    ADAPTER* adapter = context;
    (VOID) ReadNews(adapter);
    NoteCompleted(adapter, ReadRegister(adapter, LINNET_COMPLETED));
    ReportCompleted(adapter);
    if (adapter->Head != adapter->Rung) {
        adapter->LastFence = PacketAt(adapter, adapter->Head)->Fence;
    }
    adapter->Head = adapter->Rung = adapter->Tail;
    adapter->Preempting = FALSE;
    adapter->Faulted = FALSE;
    return TRUE;
}

static BOOLEAN Welcome(PVOID context) {
    ((ADAPTER*)context)->Halted = FALSE;
    return TRUE;
}

static NTSTATUS ResetTheEngine(ADAPTER* adapter) {
    LARGE_INTEGER pause;
    ULONG i;
    pause.QuadPart = -10000; /* a millisecond */
    (VOID) Synchronize(adapter, BeginReset, adapter);
    for (i = 0; i != RESET_MILLISECONDS; ++i) {
        if (ReadRegister(adapter, LINNET_RESET) == 0) {
            (VOID) Synchronize(adapter, EndReset, adapter);
            return STATUS_SUCCESS;
        }
        KeDelayExecutionThread(KernelMode, FALSE, &pause);
    }
    return STATUS_IO_TIMEOUT;
}

/* Interrupts. */

/* Whatever the display shows: a flip that waits does not count yet. */
static BOOLEAN ReportVsync(ADAPTER* adapter) {
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    if ((ReadRegister(adapter, LINNET_DISPLAY) & LINNET_DISPLAY_VSYNC) == 0) {
        return FALSE;
    }
    WriteRegister(adapter, LINNET_DISPLAY, LINNET_DISPLAY_VSYNC);
    RtlZeroMemory(&data, sizeof data);
    data.InterruptType = DXGK_INTERRUPT_CRTC_VSYNC;
    data.CrtcVsync.VidPnTargetId = 0;
    data.CrtcVsync.PhysicalAddress.QuadPart = (LONGLONG)((ULONG64)ReadRegister(adapter, LINNET_SCANNED_HIGH) << 32 |
                                                         ReadRegister(adapter, LINNET_SCANNED_LOW));
    Notify(adapter, &data);
    return TRUE;
}

static BOOLEAN InterruptRoutine(const PVOID context, ULONG message) {
    ADAPTER* adapter = context;
    BOOLEAN ours;
    UNREFERENCED_PARAMETER(message);
    if (adapter->Leaving || adapter->Registers == NULL) {
        return FALSE;
    }
    ours = ReadNews(adapter);
    if (ours) {
        adapter->Kernel.DxgkCbQueueDpc(adapter->Kernel.DeviceHandle);
    }
    return ReportVsync(adapter) || ours;
}

static VOID DpcRoutine(const PVOID context) {
    ADAPTER* adapter = context;
    adapter->Kernel.DxgkCbNotifyDpc(adapter->Kernel.DeviceHandle);
    if (adapter->News) {
        KeSetEvent(&adapter->Wake, 0, FALSE);
    }
}

static VOID WorkerThread(PVOID context) {
    ADAPTER* adapter = context;
    while (!adapter->Leaving) {
        KeWaitForSingleObject(&adapter->Wake, Executive, KernelMode, FALSE, NULL);
        if (!adapter->Leaving) {
            (VOID) Synchronize(adapter, ReportNews, adapter);
        }
    }
    PsTerminateSystemThread(STATUS_SUCCESS);
}

/* Scheduling. */

typedef struct _CALL {
    ADAPTER* Adapter;
    PACKET Packet;
    UINT Fence;
    BOOLEAN Answer;
} CALL;

static BOOLEAN Enqueue(PVOID context) {
    CALL* call = context;
    ADAPTER* adapter = call->Adapter;
    if (adapter->Tail - adapter->Head > adapter->QueueMask) {
        return FALSE;
    }
    *PacketAt(adapter, adapter->Tail++) = call->Packet;
    FeedRing(adapter);
    return TRUE;
}

static NTSTATUS SubmitCommand(const HANDLE hAdapter, const DXGKARG_SUBMITCOMMAND* args) {
    const CONTEXT* context = args->hContext;
    CALL call;
    RtlZeroMemory(&call, sizeof call);
    call.Adapter = hAdapter;
    call.Packet.Address =
        LINNET_SYSTEM_BASE + (ULONG64)args->DmaBufferPhysicalAddress.QuadPart + args->DmaBufferSubmissionStartOffset;
    call.Packet.Fence = args->SubmissionFenceId;
    if (!args->Flags.ContextSwitch) { /* which leaves the context, and its memory */
        call.Packet.SaveArea = args->Flags.Paging ? call.Adapter->SystemSaveArea : context->SaveArea;
    }
    if (!args->Flags.NullRendering) {
        call.Packet.Bytes = args->DmaBufferSubmissionEndOffset - args->DmaBufferSubmissionStartOffset;
    }
    return Synchronize(call.Adapter, Enqueue, &call) ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

/* An engine with nothing to stop is not asked: the worker answers. */
static BOOLEAN Preempt(PVOID context) {
    CALL* call = context;
    ADAPTER* adapter = call->Adapter;
    adapter->Preempting = TRUE;
    adapter->PreemptionFence = call->Fence;
    adapter->PreemptionTail = adapter->Tail;
    (VOID) ReadNews(adapter);
    adapter->SeenProgress = ReadRegister(adapter, LINNET_PROGRESS);
    adapter->StopWasAsked = adapter->Head != adapter->Rung;
    if (adapter->StopWasAsked) {
        adapter->Generation += adapter->Generation == 0xFFFFFFFF ? 2 : 1;
        WriteRegister(adapter, LINNET_STOP, adapter->Generation);
    }
    return TRUE;
}

static NTSTATUS PreemptCommand(const HANDLE hAdapter, const DXGKARG_PREEMPTCOMMAND* args) {
    CALL call;
    RtlZeroMemory(&call, sizeof call);
    call.Adapter = hAdapter;
    call.Fence = args->PreemptionFenceId;
    (VOID) Synchronize(call.Adapter, Preempt, &call);
    KeSetEvent(&call.Adapter->Wake, 0, FALSE);
    return STATUS_SUCCESS;
}

/* Nothing is kept for a DMA buffer beyond its place in the queue, and a cancelled one has none. */
static NTSTATUS CancelCommand(const HANDLE hAdapter, const DXGKARG_CANCELCOMMAND* args) {
    UNREFERENCED_PARAMETER(hAdapter);
    UNREFERENCED_PARAMETER(args);
    return STATUS_SUCCESS;
}

/* The scheduler asks this when it suspects that an interrupt was lost: the device is read, and reported as ever. */
static BOOLEAN FindCurrentFence(PVOID context) {
    CALL* call = context;
    (VOID) ReadNews(call->Adapter);
    (VOID) ReportNews(call->Adapter);
    call->Fence = call->Adapter->LastFence;
    return TRUE;
}

static NTSTATUS QueryCurrentFence(const HANDLE hAdapter, DXGKARG_QUERYCURRENTFENCE* args) {
    CALL call;
    RtlZeroMemory(&call, sizeof call);
    call.Adapter = hAdapter;
    (VOID) Synchronize(call.Adapter, FindCurrentFence, &call);
    args->CurrentFence = call.Fence;
    return STATUS_SUCCESS;
}

static NTSTATUS QueryDependentEngineGroup(const HANDLE hAdapter, DXGKARG_QUERYDEPENDENTENGINEGROUP* args) {
    UNREFERENCED_PARAMETER(hAdapter);
    args->DependentNodeOrdinalMask = 1;
    return STATUS_SUCCESS;
}

static BOOLEAN FindWhetherResponsive(PVOID context) {
    CALL* call = context;
    ADAPTER* adapter = call->Adapter;
    ULONG progress;
    (VOID) ReadNews(adapter); /* which is what makes the register tell of this moment */
    progress = ReadRegister(adapter, LINNET_PROGRESS);
    call->Answer =
        progress != adapter->SeenProgress || adapter->Head == adapter->Rung || HasCompleted(adapter, adapter->Rung - 1);
    adapter->SeenProgress = progress;
    return TRUE;
}

static NTSTATUS QueryEngineStatus(const HANDLE hAdapter, DXGKARG_QUERYENGINESTATUS* args) {
    CALL call;
    RtlZeroMemory(&call, sizeof call);
    call.Adapter = hAdapter;
    (VOID) Synchronize(call.Adapter, FindWhetherResponsive, &call);
    KeSetEvent(&call.Adapter->Wake, 0, FALSE);
    args->EngineStatus.Value = 0;
    args->EngineStatus.Responsive = call.Answer;
    return STATUS_SUCCESS;
}

static NTSTATUS ResetEngine(const HANDLE hAdapter, DXGKARG_RESETENGINE* args) {
    ADAPTER* adapter = hAdapter;
    NTSTATUS status = ResetTheEngine(adapter);
    if (NT_SUCCESS(status)) {
        args->LastAbortedFenceId = adapter->LastFence;
        (VOID) Synchronize(adapter, Welcome, adapter);
    }
    return status;
}

/* The system gives everything up that was submitted, and counts it as completed. */
static NTSTATUS ResetFromTimeout(const HANDLE hAdapter) {
    ADAPTER* adapter = hAdapter;
    UINT newest = adapter->Head != adapter->Tail ? PacketAt(adapter, adapter->Tail - 1)->Fence : adapter->LastFence;
    NTSTATUS status = ResetTheEngine(adapter);
    adapter->LastFence = newest;
    return status;
}

static NTSTATUS RestartFromTimeout(const HANDLE hAdapter) {
    ADAPTER* adapter = hAdapter;
    WriteAperture(adapter, 0, LINNET_APERTURE_PAGES);
    (VOID) Synchronize(adapter, Welcome, adapter);
    return STATUS_SUCCESS;
}

/* Flips, at the interrupt's level: the display takes the address, and the interrupt routine tells when it has. */

static NTSTATUS SetVidPnSourceAddress(const HANDLE hAdapter, const DXGKARG_SETVIDPNSOURCEADDRESS* args) {
    const ADAPTER* adapter = hAdapter;
    if (args->VidPnSourceId != 0 || args->PrimarySegment != LOCAL_SEGMENT) {
        return STATUS_INVALID_PARAMETER;
    }
    WriteRegisterPair(adapter, LINNET_PRIMARY_LOW, (ULONG64)args->PrimaryAddress.QuadPart);
    WriteRegister(adapter, LINNET_FLIP, args->Flags.FlipImmediate);
    return STATUS_SUCCESS;
}

static NTSTATUS SetVidPnSourceVisibility(const HANDLE hAdapter, const DXGKARG_SETVIDPNSOURCEVISIBILITY* args) {
    WriteRegister(hAdapter, LINNET_BLANK, args->Visible ? 0 : 1);
    return STATUS_SUCCESS;
}

/* Paging. */

/* A place is a range of a segment, or of the pages of a memory descriptor list. */
typedef struct _PLACE {
    const PFN_NUMBER* Pages;
    ULONG64 Address;
} PLACE;

static PLACE PlaceInSegment(LARGE_INTEGER address, SIZE_T offset) {
    PLACE place;
    place.Pages = NULL;
    place.Address = (ULONG64)address.QuadPart + offset;
    return place;
}

static PLACE PlaceInPages(const PFN_NUMBER* pages) {
    PLACE place;
    place.Pages = pages;
    place.Address = 0;
    return place;
}

/* Where the byte lies, and in `bytes`, how many of those asked for lie behind it without a gap. */
static ULONG64 AddressOf(const PLACE* place, SIZE_T offset, SIZE_T* bytes) {
    SIZE_T rest = PAGE_SIZE - offset % PAGE_SIZE;
    if (place->Pages == NULL) {
        return place->Address + offset;
    }
    *bytes = *bytes < rest ? *bytes : rest;
    return LINNET_SYSTEM_BASE + ((ULONG64)place->Pages[offset >> PAGE_SHIFT] << PAGE_SHIFT) + offset % PAGE_SIZE;
}

/* Room for one command in the paging buffer, or null when it is full. */
static ULONG* BeginCommand(DXGKARG_BUILDPAGINGBUFFER* args, const UCHAR* end, ULONG code, ULONG words) {
    ULONG* command = args->pDmaBuffer;
    if ((SIZE_T)(end - (UCHAR*)command) < words * sizeof *command) {
        return NULL;
    }
    command[0] = LINNET_COMMAND(code, words);
    args->pDmaBuffer = command + words;
    return command;
}

static VOID SetAddress(ULONG* words, ULONG64 address) {
    words[0] = (ULONG)address;
    words[1] = (ULONG)(address >> 32);
}

static SIZE_T NextPiece(SIZE_T rest) { return rest < LINNET_MOST_BYTES ? rest : LINNET_MOST_BYTES; }

/* MultipassOffset counts the bytes whose commands are in this paging buffer or in one before. */
static NTSTATUS BuildCopy(DXGKARG_BUILDPAGINGBUFFER* args, const PLACE* to, const PLACE* from, SIZE_T bytes) {
    const UCHAR* end = (UCHAR*)args->pDmaBuffer + args->DmaSize;
    while (args->MultipassOffset < bytes) {
        SIZE_T piece = NextPiece(bytes - args->MultipassOffset);
        ULONG64 source = AddressOf(from, args->MultipassOffset, &piece);
        ULONG64 destination = AddressOf(to, args->MultipassOffset, &piece);
        ULONG* command = BeginCommand(args, end, LINNET_COPY, 6);
        if (command == NULL) {
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        }
        SetAddress(command + 1, destination);
        SetAddress(command + 3, source);
        command[5] = (ULONG)piece;
        args->MultipassOffset += (UINT)piece;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS BuildFill(DXGKARG_BUILDPAGINGBUFFER* args, const PLACE* to, SIZE_T bytes, ULONG value) {
    const UCHAR* end = (UCHAR*)args->pDmaBuffer + args->DmaSize;
    while (args->MultipassOffset < bytes) {
        SIZE_T piece = NextPiece(bytes - args->MultipassOffset);
        ULONG64 destination = AddressOf(to, args->MultipassOffset, &piece);
        ULONG* command = BeginCommand(args, end, LINNET_FILL, 5);
        if (command == NULL) {
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        }
        SetAddress(command + 1, destination);
        command[3] = (ULONG)piece;
        command[4] = value;
        args->MultipassOffset += (UINT)piece;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS BuildRead(DXGKARG_BUILDPAGINGBUFFER* args, ULONG64 address) {
    ULONG* command = BeginCommand(args, (UCHAR*)args->pDmaBuffer + args->DmaSize, LINNET_READ, 4);
    if (command == NULL) {
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    }
    SetAddress(command + 1, address);
    command[3] = sizeof(ULONG);
    return STATUS_SUCCESS;
}

static BOOLEAN IsInAperture(SIZE_T first, SIZE_T count) {
    return first <= LINNET_APERTURE_PAGES && count <= LINNET_APERTURE_PAGES - first;
}

static NTSTATUS MapAperture(ADAPTER* adapter, SIZE_T first, SIZE_T count, MDL* mdl, SIZE_T firstPage) {
    const PFN_NUMBER* pages = MmGetMdlPfnArray(mdl) + firstPage;
    SIZE_T i;
    if (!IsInAperture(first, count)) {
        return STATUS_INVALID_PARAMETER;
    }
    for (i = 0; i != count; ++i) {
        adapter->Aperture[first + i] = (ULONG)pages[i];
    }
    WriteAperture(adapter, (ULONG)first, (ULONG)count);
    return STATUS_SUCCESS;
}

static NTSTATUS UnmapAperture(ADAPTER* adapter, SIZE_T first, SIZE_T count, PHYSICAL_ADDRESS dummy) {
    SIZE_T i;
    if (!IsInAperture(first, count)) {
        return STATUS_INVALID_PARAMETER;
    }
    for (i = 0; i != count; ++i) {
        adapter->Aperture[first + i] = (ULONG)(dummy.QuadPart >> PAGE_SHIFT);
    }
    WriteAperture(adapter, (ULONG)first, (ULONG)count);
    return STATUS_SUCCESS;
}

static NTSTATUS BuildPagingBuffer(const HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER* args) {
    ADAPTER* adapter = hAdapter;
    PLACE from, to;

    switch (args->Operation) {
        case DXGK_OPERATION_TRANSFER:
            from = args->Transfer.Source.SegmentId != 0
                       ? PlaceInSegment(args->Transfer.Source.SegmentAddress, args->Transfer.TransferOffset)
                       : PlaceInPages(MmGetMdlPfnArray(args->Transfer.Source.pMdl) + args->Transfer.MdlOffset);
            to = args->Transfer.Destination.SegmentId != 0
                     ? PlaceInSegment(args->Transfer.Destination.SegmentAddress, args->Transfer.TransferOffset)
                     : PlaceInPages(MmGetMdlPfnArray(args->Transfer.Destination.pMdl) + args->Transfer.MdlOffset);
            return BuildCopy(args, &to, &from, args->Transfer.TransferSize);

        case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER:
            from = args->SpecialLockTransfer.Source.SegmentId != 0
                       ? PlaceInSegment(args->SpecialLockTransfer.Source.SegmentAddress,
                                        args->SpecialLockTransfer.TransferOffset)
                       : PlaceInPages(MmGetMdlPfnArray(args->SpecialLockTransfer.Source.pMdl));
            to = args->SpecialLockTransfer.Destination.SegmentId != 0
                     ? PlaceInSegment(args->SpecialLockTransfer.Destination.SegmentAddress,
                                      args->SpecialLockTransfer.TransferOffset)
                     : PlaceInPages(MmGetMdlPfnArray(args->SpecialLockTransfer.Destination.pMdl));
            return BuildCopy(args, &to, &from, args->SpecialLockTransfer.TransferSize);

        case DXGK_OPERATION_FILL:
            to = PlaceInSegment(args->Fill.Destination.SegmentAddress, 0);
            return BuildFill(args, &to, args->Fill.FillSize, args->Fill.FillPattern);

        case DXGK_OPERATION_INIT_CONTEXT_RESOURCE:
            to = args->InitContextResource.Destination.SegmentId != 0
                     ? PlaceInSegment(args->InitContextResource.Destination.SegmentAddress, 0)
                     : PlaceInPages(MmGetMdlPfnArray(args->InitContextResource.Destination.pMdl));
            return BuildFill(args, &to, ((ALLOCATION*)args->InitContextResource.hAllocation)->Bytes, 0);

        case DXGK_OPERATION_DISCARD_CONTENT: return STATUS_SUCCESS; /* nothing is kept about contents */

        case DXGK_OPERATION_READ_PHYSICAL:
            from = PlaceInSegment(args->ReadPhysical.PhysicalAddress, 0);
            return BuildRead(args, from.Address & ~3ULL);

        case DXGK_OPERATION_WRITE_PHYSICAL:
            to = PlaceInSegment(args->WritePhysical.PhysicalAddress, 0);
            to.Address &= ~3ULL;
            return BuildFill(args, &to, sizeof(ULONG), 0);

        case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
            return MapAperture(adapter, args->MapApertureSegment.OffsetInPages, args->MapApertureSegment.NumberOfPages,
                               args->MapApertureSegment.pMdl, args->MapApertureSegment.MdlOffset);

        case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
            return UnmapAperture(adapter, args->UnmapApertureSegment.OffsetInPages,
                                 args->UnmapApertureSegment.NumberOfPages, args->UnmapApertureSegment.DummyPage);

        default: return STATUS_NOT_SUPPORTED;
    }
}

/* Each place names two words: the lower half of an address, and the upper one. */
static NTSTATUS Patch(const HANDLE hAdapter, const DXGKARG_PATCH* args) {
    UINT i;
    UNREFERENCED_PARAMETER(hAdapter);
    /* Otherwise the engine would fetch other commands than these. */
    if (MmGetPhysicalAddress(args->pDmaBuffer).QuadPart != args->DmaBufferPhysicalAddress.QuadPart) {
        return STATUS_INVALID_PARAMETER;
    }
    for (i = 0; i != args->PatchLocationListSubmissionLength; ++i) {
        const D3DDDI_PATCHLOCATIONLIST* patch = &args->pPatchLocationList[args->PatchLocationListSubmissionStart + i];
        const DXGK_ALLOCATIONLIST* allocation = &args->pAllocationList[patch->AllocationIndex];
        if (allocation->SegmentId != 0) {
            SetAddress((ULONG*)((UCHAR*)args->pDmaBuffer + patch->PatchOffset),
                       (ULONG64)allocation->PhysicalAddress.QuadPart + patch->AllocationOffset);
        }
    }
    return STATUS_SUCCESS;
}

/* Presents and renders. */

/* An address in an allocation, as far as it is known, and the place where it is patched. */
static VOID AddPlace(D3DDDI_PATCHLOCATIONLIST** list, const DXGK_ALLOCATIONLIST* allocations, ULONG* words,
                     const UCHAR* begin, ULONG split, UINT which, UINT offset) {
    const DXGK_ALLOCATIONLIST* allocation = &allocations[which];
    D3DDDI_PATCHLOCATIONLIST* patch = (*list)++;
    RtlZeroMemory(patch, sizeof *patch);
    patch->AllocationIndex = which;
    patch->SlotId = which;
    patch->AllocationOffset = offset;
    patch->PatchOffset = (UINT)((UCHAR*)words - begin);
    patch->SplitOffset = split;
    SetAddress(words, allocation->SegmentId != 0
                          ? (ULONG64)allocation->PhysicalAddress.QuadPart + patch->AllocationOffset
                          : 0);
}

static VOID AddPixel(DXGKARG_PRESENT* args, ULONG* words, const UCHAR* begin, ULONG split, UINT which, LONG x, LONG y) {
    AddPlace(&args->pPatchLocationListOut, args->pAllocationList, words, begin, split, which,
             (UINT)(y * ROW_BYTES + x * PIXEL_BYTES));
}

/* Fills parts with a color, line by line; MultipassOffset counts the lines that are done. */
static NTSTATUS FillParts(DXGKARG_PRESENT* args) {
    UCHAR* begin = args->pDmaBuffer;
    const UCHAR* end = begin + args->DmaSize;
    const D3DDDI_PATCHLOCATIONLIST* lastPatch = args->pPatchLocationListOut + args->PatchLocationListOutSize;
    UINT line = 0;
    UINT i;
    LONG y;
    for (i = 0; i != args->SubRectCnt; ++i) {
        const RECT* part = &args->pDstSubRects[i];
        for (y = part->top; y < part->bottom; ++y, ++line) {
            ULONG* words = args->pDmaBuffer;
            if (line < args->MultipassOffset) {
                continue;
            }
            if ((SIZE_T)(end - (UCHAR*)words) < 5 * sizeof *words || lastPatch == args->pPatchLocationListOut) {
                return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
            }
            words[0] = LINNET_COMMAND(LINNET_FILL, 5);
            AddPixel(args, words + 1, begin, (ULONG)((UCHAR*)words - begin), 2, part->left, y);
            words[3] = (ULONG)(part->right - part->left) * PIXEL_BYTES;
            words[4] = args->Color;
            args->pDmaBuffer = words + 5;
            args->MultipassOffset = line + 1;
        }
    }
    return STATUS_SUCCESS;
}

/* Copies parts without stretching, row by row; MultipassOffset counts the rows that are done. */
static NTSTATUS Present(const HANDLE hContext, DXGKARG_PRESENT* args) {
    UCHAR* begin = args->pDmaBuffer;
    const UCHAR* end = begin + args->DmaSize;
    const D3DDDI_PATCHLOCATIONLIST* lastPatch = args->pPatchLocationListOut + args->PatchLocationListOutSize;
    LONG right = args->SrcRect.left - args->DstRect.left;
    LONG down = args->SrcRect.top - args->DstRect.top;
    UINT row = 0;
    UINT i;
    LONG y;
    UNREFERENCED_PARAMETER(hContext);
    if (args->Flags.Value == 2) {
        return FillParts(args);
    }
    if (args->Flags.Flip) {
        return args->pDmaBuffer == NULL ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER; /* it comes by registers */
    }
    if (args->Flags.Value != 1) {
        return STATUS_GRAPHICS_CANNOTCOLORCONVERT; /* nothing but Blt and ColorFill */
    }
    for (i = 0; i != args->SubRectCnt; ++i) {
        const RECT* part = &args->pDstSubRects[i];
        for (y = part->top; y < part->bottom; ++y, ++row) {
            ULONG* command = args->pDmaBuffer;
            if (row < args->MultipassOffset) {
                continue;
            }
            if ((SIZE_T)(end - (UCHAR*)command) < 6 * sizeof *command || lastPatch - args->pPatchLocationListOut < 2) {
                return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
            }
            command[0] = LINNET_COMMAND(LINNET_COPY, 6);
            AddPixel(args, command + 1, begin, (ULONG)((UCHAR*)command - begin), 2, part->left, y);
            AddPixel(args, command + 3, begin, (ULONG)((UCHAR*)command - begin), 1, part->left + right, y + down);
            command[5] = (ULONG)(part->right - part->left) * PIXEL_BYTES;
            args->pDmaBuffer = command + 6;
            args->MultipassOffset = row + 1;
        }
    }
    return STATUS_SUCCESS;
}

/* Record `number` of what the user-mode driver sends, and its two places. The process may give its memory back at any
 * moment, or write something else: a pass reads everything once, and only what it has read is looked at. */
static DECLSPEC_NOINLINE VOID CopyRecord(const DXGKARG_RENDER* args, UINT number, struct linnet_record* record,
                                         D3DDDI_PATCHLOCATIONLIST* places, SIZE_T count) {
    const volatile struct linnet_record* sent = (const volatile struct linnet_record*)args->pCommand + number;
    record->bytes = sent->bytes;
    record->rows = sent->rows;
    record->pitch = sent->pitch;
    RtlCopyMemory(places, args->pPatchLocationListIn + 2 * number, count * sizeof *places);
}

static NTSTATUS ReadRecord(const DXGKARG_RENDER* args, UINT number, struct linnet_record* record,
                           D3DDDI_PATCHLOCATIONLIST* places) {
    UINT i;
    __try {
        CopyRecord(args, number, record, places, 2);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return STATUS_INVALID_USER_BUFFER;
    }
    if (record->bytes == 0 || record->bytes % 4 != 0 || record->rows == 0 || record->pitch % 4 != 0 ||
        record->pitch > LINNET_MOST_BYTES || places[0].AllocationIndex == places[1].AllocationIndex) {
        return STATUS_ILLEGAL_INSTRUCTION;
    }
    for (i = 0; i != 2; ++i) {
        const DXGK_ALLOCATIONLIST* entry = &args->pAllocationList[places[i].AllocationIndex];
        const OPENED* opened =
            places[i].AllocationIndex < args->AllocationListSize ? entry->hDeviceSpecificAllocation : NULL;
        if (opened == NULL || places[i].AllocationOffset % 4 != 0 || (i == 1 && !entry->WriteOperation) ||
            places[i].AllocationOffset + (ULONG64)(record->rows - 1) * record->pitch + record->bytes >
                opened->Allocation->Bytes) {
            return STATUS_ILLEGAL_INSTRUCTION;
        }
    }
    return STATUS_SUCCESS;
}

/* MultipassOffset has the record in its upper half, and in the lower half how many of its rows are done. */
static NTSTATUS Render(const HANDLE hContext, DXGKARG_RENDER* args) {
    UINT count = args->CommandLength / sizeof(struct linnet_record);
    UCHAR* begin = args->pDmaBuffer;
    UINT bytesLeft = args->DmaSize;
    UINT placesLeft = args->PatchLocationListOutSize;
    UNREFERENCED_PARAMETER(hContext);
    if (args->CommandLength % sizeof(struct linnet_record) != 0 || args->PatchLocationListInSize / 2 < count ||
        count > 0xFFFF) {
        return STATUS_INVALID_USER_BUFFER;
    }
    while (args->MultipassOffset >> 16 < count) {
        struct linnet_record record;
        D3DDDI_PATCHLOCATIONLIST places[2];
        UINT row = args->MultipassOffset & 0xFFFF;
        NTSTATUS status = ReadRecord(args, args->MultipassOffset >> 16, &record, places);
        if (!NT_SUCCESS(status)) {
            return status;
        }
        for (; row < record.rows; ++row) {
            ULONG* words = args->pDmaBuffer;
            ULONG split = (ULONG)((UCHAR*)words - begin);
            if (bytesLeft < 6 * sizeof *words || placesLeft < 2) {
                return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
            }
            words[0] = LINNET_COMMAND(LINNET_COPY, 6);
            AddPlace(&args->pPatchLocationListOut, args->pAllocationList, words + 1, begin, split,
                     places[1].AllocationIndex, places[1].AllocationOffset + row * record.pitch);
            AddPlace(&args->pPatchLocationListOut, args->pAllocationList, words + 3, begin, split,
                     places[0].AllocationIndex, places[0].AllocationOffset + row * record.pitch);
            words[5] = record.bytes;
            args->pDmaBuffer = words + 6;
            bytesLeft -= 6 * sizeof *words;
            placesLeft -= 2;
            ++args->MultipassOffset;
        }
        args->MultipassOffset = ((args->MultipassOffset >> 16) + 1) << 16;
    }
    return STATUS_SUCCESS;
}

/* What the adapter is. */

static NTSTATUS QueryDriverCaps(const DXGKARG_QUERYADAPTERINFO* args) {
    DXGK_DRIVERCAPS* caps = args->pOutputData;
    if (args->OutputDataSize < sizeof *caps) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    RtlZeroMemory(caps, sizeof *caps);
    caps->HighestAcceptableAddress.QuadPart = (LONGLONG)LINNET_SYSTEM_BASE - 1; /* addresses have 40 bits */
    caps->MaxAllocationListSlotId = LIST_ENTRIES - 1;
    caps->ApertureSegmentCommitLimit = (SIZE_T)LINNET_APERTURE_PAGES * PAGE_SIZE;
    caps->FlipCaps.FlipOnVSyncMmIo = 1;
    caps->SchedulingCaps.MultiEngineAware = 1;
    caps->SchedulingCaps.PreemptionAware = 1;
    caps->SchedulingCaps.CancelCommandAware = 1;
    caps->GpuEngineTopology.NbAsymetricProcessingNodes = 1;
    caps->WDDMVersion = DXGKDDI_WDDMv1_3;
    caps->PreemptionCaps.GraphicsPreemptionGranularity = D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
    caps->PreemptionCaps.ComputePreemptionGranularity = D3DKMDT_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY;
    caps->SupportNonVGA = TRUE;
    caps->SupportPerEngineTDR = TRUE;
    return STATUS_SUCCESS;
}

static VOID DescribeSegments(const ADAPTER* adapter, DXGK_SEGMENTDESCRIPTOR3* segments) {
    RtlZeroMemory(segments, 2 * sizeof *segments);
    segments[0].Size = adapter->LocalBytes;
    segments[0].CommitLimit = adapter->LocalBytes;
    segments[1].Flags.Aperture = 1;
    segments[1].Flags.CacheCoherent = 1;
    segments[1].BaseAddress.QuadPart = (LONGLONG)LINNET_APERTURE_BASE;
    segments[1].Size = (SIZE_T)LINNET_APERTURE_PAGES * PAGE_SIZE;
    segments[1].CommitLimit = segments[1].Size;
}

static NTSTATUS QuerySegments(const ADAPTER* adapter, const DXGKARG_QUERYADAPTERINFO* args) {
    DXGK_QUERYSEGMENTOUT3* out = args->pOutputData;
    if (args->OutputDataSize < sizeof *out) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    out->NbSegment = 2;
    if (out->pSegmentDescriptor == NULL) {
        return STATUS_SUCCESS; /* the first of two calls, which only asks how many there are */
    }
    DescribeSegments(adapter, out->pSegmentDescriptor);
    out->PagingBufferSegmentId = 0; /* contiguous system memory, which the engine reads without the aperture */
    out->PagingBufferSize = PAGING_BUFFER_BYTES;
    out->PagingBufferPrivateDataSize = 0;
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

static NTSTATUS GetNodeMetadata(const HANDLE hAdapter, UINT node, DXGKARG_GETNODEMETADATA* args) {
    UNREFERENCED_PARAMETER(hAdapter);
    if (node != 0) {
        return STATUS_INVALID_PARAMETER;
    }
    RtlZeroMemory(args, sizeof *args);
    args->EngineType = DXGK_ENGINE_TYPE_3D;
    return STATUS_SUCCESS;
}

/* Objects. */

static NTSTATUS CreateDevice(const HANDLE hAdapter, DXGKARG_CREATEDEVICE* args) {
    DEVICE* device = Allocate(sizeof *device);
    if (device == NULL) {
        return STATUS_NO_MEMORY;
    }
    device->Adapter = hAdapter;
    args->hDevice = device;
    args->pInfo = NULL; /* contexts have buffers, devices have none */
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyDevice(const HANDLE hDevice) {
    Free(hDevice);
    return STATUS_SUCCESS;
}

static NTSTATUS CreateContext(const HANDLE hDevice, DXGKARG_CREATECONTEXT* args) {
    ADAPTER* adapter = ((DEVICE*)hDevice)->Adapter;
    CONTEXT* context;
    if (args->NodeOrdinal != 0) {
        return STATUS_INVALID_PARAMETER;
    }
    context = Allocate(sizeof *context);
    if (context == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (args->PrivateDriverDataSize >= sizeof(ULONG64)) {
        context->SaveArea = *(const ULONG64*)args->pPrivateDriverData;
    }
    if (args->Flags.SystemContext) {
        adapter->SystemSaveArea = context->SaveArea;
    }
    args->hContext = context;
    args->ContextInfo.DmaBufferSize = DMA_BUFFER_BYTES;
    args->ContextInfo.DmaBufferSegmentSet = 1 << (APERTURE_SEGMENT - 1);
    args->ContextInfo.DmaBufferPrivateDataSize = 0;
    args->ContextInfo.AllocationListSize = LIST_ENTRIES;
    args->ContextInfo.PatchLocationListSize = LIST_ENTRIES;
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyContext(const HANDLE hContext) {
    Free(hContext);
    return STATUS_SUCCESS;
}

static NTSTATUS CreateOneAllocation(DXGK_ALLOCATIONINFO* info) {
    ALLOCATION* allocation;
    if (info->PrivateDriverDataSize < sizeof(ULONG64) || *(const ULONG64*)info->pPrivateDriverData == 0) {
        return STATUS_INVALID_PARAMETER;
    }
    allocation = Allocate(sizeof *allocation);
    if (allocation == NULL) {
        return STATUS_NO_MEMORY;
    }
    allocation->Bytes = (SIZE_T)((*(const ULONG64*)info->pPrivateDriverData + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1ULL));
    info->hAllocation = allocation;
    info->Size = allocation->Bytes;
    info->Alignment = PAGE_SIZE;
    info->PitchAlignedSize = 0;
    info->HintedBank.Value = 0;
    info->PreferredSegment.Value = 0;
    info->PreferredSegment.SegmentId0 = LOCAL_SEGMENT;
    info->PreferredSegment.SegmentId1 = APERTURE_SEGMENT;
    info->SupportedReadSegmentSet = 1 << (LOCAL_SEGMENT - 1) | 1 << (APERTURE_SEGMENT - 1);
    info->SupportedWriteSegmentSet = info->SupportedReadSegmentSet;
    info->EvictionSegmentSet = 0;
    info->MaximumRenamingListLength = 0;
    info->Flags.Value = 0;
    info->pAllocationUsageHint = NULL;
    info->AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
    return STATUS_SUCCESS;
}

static NTSTATUS CreateAllocation(const HANDLE hAdapter, DXGKARG_CREATEALLOCATION* args) {
    NTSTATUS status = STATUS_SUCCESS;
    UINT made = 0;
    UNREFERENCED_PARAMETER(hAdapter);
    while (made != args->NumAllocations && NT_SUCCESS(status)) {
        status = CreateOneAllocation(&args->pAllocationInfo[made]);
        made += NT_SUCCESS(status) ? 1 : 0;
    }
    while (!NT_SUCCESS(status) && made != 0) {
        Free(args->pAllocationInfo[--made].hAllocation);
    }
    return status;
}

static NTSTATUS DestroyAllocation(const HANDLE hAdapter, const DXGKARG_DESTROYALLOCATION* args) {
    UINT i;
    UNREFERENCED_PARAMETER(hAdapter);
    for (i = 0; i != args->NumAllocations; ++i) {
        Free(args->pAllocationList[i]);
    }
    return STATUS_SUCCESS;
}

/* All allocations of a call are opened, or none is. */
static NTSTATUS OpenAllocation(const HANDLE hDevice, const DXGKARG_OPENALLOCATION* args) {
    const ADAPTER* adapter = ((DEVICE*)hDevice)->Adapter;
    UINT i;
    for (i = 0; i != args->NumAllocations; ++i) {
        DXGK_OPENALLOCATIONINFO* info = &args->pOpenAllocation[i];
        DXGKARGCB_GETHANDLEDATA data;
        OPENED* opened = Allocate(sizeof *opened);
        if (opened == NULL) {
            while (i != 0) {
                Free(args->pOpenAllocation[--i].hDeviceSpecificAllocation);
            }
            return STATUS_NO_MEMORY;
        }
        RtlZeroMemory(&data, sizeof data);
        data.hObject = info->hAllocation;
        data.Type = DXGK_HANDLE_ALLOCATION;
        opened->Allocation = adapter->Kernel.DxgkCbGetHandleData(&data);
        info->hDeviceSpecificAllocation = opened;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS CloseAllocation(const HANDLE hDevice, const DXGKARG_CLOSEALLOCATION* args) {
    UINT i;
    UNREFERENCED_PARAMETER(hDevice);
    for (i = 0; i != args->NumAllocations; ++i) {
        Free(args->pOpenHandleList[i]);
    }
    return STATUS_SUCCESS;
}

/* Life. */

static NTSTATUS AddDevice(const PDEVICE_OBJECT physicalDevice, PVOID* context) {
    UNREFERENCED_PARAMETER(physicalDevice);
    *context = Allocate(sizeof(ADAPTER));
    return *context != NULL ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

static NTSTATUS RemoveDevice(const PVOID context) {
    Free(context);
    return STATUS_SUCCESS;
}

static NTSTATUS CheckConfigurationSpace(ADAPTER* adapter) {
    DXGKCB_READ_DEVICE_SPACE* read = (DXGKCB_READ_DEVICE_SPACE*)adapter->Kernel.DxgkCbReadDeviceSpace;
    unsigned short numbers[2] = {0, 0};
    ULONG bytes = 0;
    NTSTATUS status = read(adapter->Kernel.DeviceHandle, DXGK_WHICHSPACE_CONFIG, numbers, 0, sizeof numbers, &bytes);
    if (NT_SUCCESS(status) && (bytes != sizeof numbers || numbers[0] != LINNET_VENDOR || numbers[1] != LINNET_DEVICE)) {
        status = STATUS_DEVICE_CONFIGURATION_ERROR;
    }
    return status;
}

static const CM_PARTIAL_RESOURCE_DESCRIPTOR* FindRegisters(const CM_RESOURCE_LIST* list) {
    ULONG i;
    for (i = 0; list != NULL && list->Count != 0 && i != list->DescriptorCount; ++i) {
        const CM_PARTIAL_RESOURCE_DESCRIPTOR* found = &list->Descriptors[i];
        if (found->Type == CmResourceTypeMemory && found->u.Memory.Length >= LINNET_REGISTER_BYTES) {
            return found;
        }
    }
    return NULL;
}

static NTSTATUS MapRegisters(ADAPTER* adapter) {
    DXGKCB_MAP_MEMORY* map = (DXGKCB_MAP_MEMORY*)adapter->Kernel.DxgkCbMapMemory;
    const CM_PARTIAL_RESOURCE_DESCRIPTOR* registers;
    DXGK_DEVICE_INFO information;
    PVOID mapped = NULL;
    NTSTATUS status = adapter->Kernel.DxgkCbGetDeviceInformation(adapter->Kernel.DeviceHandle, &information);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    registers = FindRegisters(information.TranslatedResourceList);
    if (registers == NULL) {
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    }
    status = map(adapter->Kernel.DeviceHandle, registers->u.Memory.Start, LINNET_REGISTER_BYTES, FALSE, FALSE,
                 MmNonCached, &mapped);
    if (NT_SUCCESS(status)) {
        adapter->Registers = mapped;
    }
    return status;
}

static NTSTATUS CheckRegisters(ADAPTER* adapter) {
    if (ReadRegister(adapter, LINNET_ID) != ((ULONG)LINNET_VENDOR << 16 | LINNET_DEVICE)) {
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    }
    adapter->LocalBytes = (ULONG64)ReadRegister(adapter, LINNET_MEMORY_MIB) << 20;
    return STATUS_SUCCESS;
}

static NTSTATUS MakeTables(ADAPTER* adapter, ULONG entries) {
    ULONG capacity = LEAST_QUEUE_ENTRIES;
    ULONG i;
    while (capacity < entries) {
        capacity *= 2;
    }
    adapter->QueueMask = capacity - 1;
    adapter->Queue = Allocate(capacity * sizeof *adapter->Queue);
    adapter->Aperture = Allocate(LINNET_APERTURE_PAGES * sizeof *adapter->Aperture);
    adapter->ParkingPage = Allocate(PAGE_SIZE);
    if (adapter->Queue == NULL || adapter->Aperture == NULL || adapter->ParkingPage == NULL) {
        return STATUS_NO_MEMORY;
    }
    for (i = 0; i != LINNET_APERTURE_PAGES; ++i) {
        adapter->Aperture[i] = (ULONG)(MmGetPhysicalAddress(adapter->ParkingPage).QuadPart >> PAGE_SHIFT);
    }
    WriteAperture(adapter, 0, LINNET_APERTURE_PAGES);
    return STATUS_SUCCESS;
}

static NTSTATUS StartWorker(ADAPTER* adapter) {
    OBJECT_ATTRIBUTES attributes;
    HANDLE thread;
    NTSTATUS status;
    KeInitializeEvent(&adapter->Wake, SynchronizationEvent, FALSE);
    InitializeObjectAttributes(&attributes, NULL, OBJ_KERNEL_HANDLE, NULL, NULL);
    status = PsCreateSystemThread(&thread, THREAD_ALL_ACCESS, &attributes, NULL, NULL, WorkerThread, adapter);
    if (NT_SUCCESS(status)) {
        /* A handle that was just made for everything leads to its object. */
        (VOID) ObReferenceObjectByHandle(thread, THREAD_ALL_ACCESS, *PsThreadType, KernelMode, &adapter->Worker, NULL);
        ZwClose(thread);
    }
    return status;
}

static VOID StopWorker(ADAPTER* adapter) {
    if (adapter->Worker != NULL) {
        KeSetEvent(&adapter->Wake, 0, FALSE);
        KeWaitForSingleObject(adapter->Worker, Executive, KernelMode, FALSE, NULL);
        ObfDereferenceObject(adapter->Worker);
        adapter->Worker = NULL;
    }
}

/* Takes back whatever a start has done, also one that failed half way. */
static NTSTATUS StopDevice(const PVOID context) {
    ADAPTER* adapter = context;
    DXGKCB_UNMAP_MEMORY* unmap = (DXGKCB_UNMAP_MEMORY*)adapter->Kernel.DxgkCbUnmapMemory;
    adapter->Leaving = TRUE;
    KeFlushQueuedDpcs(); /* visits every processor, so that no interrupt routine is still at work either */
    StopWorker(adapter);
    (VOID) Synchronize(adapter, ReportNews, adapter);
    if (adapter->Registers != NULL) {
        unmap(adapter->Kernel.DeviceHandle, (PVOID)adapter->Registers);
    }
    Free(adapter->Queue);
    Free(adapter->Aperture);
    Free(adapter->ParkingPage);
    RtlZeroMemory(adapter, sizeof *adapter);
    return STATUS_SUCCESS;
}

static NTSTATUS Start(ADAPTER* adapter, const DXGK_START_INFO* information) {
    NTSTATUS status = CheckConfigurationSpace(adapter);
    if (NT_SUCCESS(status)) {
        status = MapRegisters(adapter);
    }
    if (NT_SUCCESS(status)) {
        status = CheckRegisters(adapter);
    }
    if (NT_SUCCESS(status)) {
        status = MakeTables(adapter, information->RequiredDmaQueueEntry);
    }
    if (NT_SUCCESS(status)) {
        status = StartWorker(adapter);
    }
    if (NT_SUCCESS(status)) {
        status = ResetTheEngine(adapter);
    }
    return status;
}

static NTSTATUS StartDevice(const PVOID context, DXGK_START_INFO* information, DXGKRNL_INTERFACE* kernel,
                            ULONG* sources, ULONG* children) {
    ADAPTER* adapter = context;
    const UCHAR* from = (const UCHAR*)kernel;
    NTSTATUS status;
    ULONG i;
    for (i = 0; i != kernel->Size && i != sizeof adapter->Kernel; ++i) {
        ((UCHAR*)&adapter->Kernel)[i] = from[i]; /* an earlier system's interface is shorter */
    }
    status = Start(adapter, information);
    if (!NT_SUCCESS(status)) {
        (VOID) StopDevice(adapter);
        return status;
    }
    (VOID) Synchronize(adapter, Welcome, adapter);
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
    data.DxgkDdiGetNodeMetadata = (PDXGKDDI_GETNODEMETADATA)(PVOID)GetNodeMetadata;
    data.DxgkDdiCreateDevice = CreateDevice;
    data.DxgkDdiDestroyDevice = DestroyDevice;
    data.DxgkDdiCreateContext = CreateContext;
    data.DxgkDdiDestroyContext = DestroyContext;
    data.DxgkDdiCreateAllocation = CreateAllocation;
    data.DxgkDdiDestroyAllocation = DestroyAllocation;
    data.DxgkDdiOpenAllocation = OpenAllocation;
    data.DxgkDdiCloseAllocation = CloseAllocation;
    data.DxgkDdiPresent = Present;
    data.DxgkDdiRender = Render;
    data.DxgkDdiSetVidPnSourceAddress = (PDXGKDDI_SETVIDPNSOURCEADDRESS)(PVOID)SetVidPnSourceAddress;
    data.DxgkDdiSetVidPnSourceVisibility = (PDXGKDDI_SETVIDPNSOURCEVISIBILITY)(PVOID)SetVidPnSourceVisibility;
    data.DxgkDdiBuildPagingBuffer = BuildPagingBuffer;
    data.DxgkDdiPatch = Patch;
    data.DxgkDdiSubmitCommand = SubmitCommand;
    data.DxgkDdiPreemptCommand = PreemptCommand;
    data.DxgkDdiCancelCommand = CancelCommand;
    data.DxgkDdiQueryCurrentFence = QueryCurrentFence;
    data.DxgkDdiQueryEngineStatus = QueryEngineStatus;
    data.DxgkDdiQueryDependentEngineGroup = QueryDependentEngineGroup;
    data.DxgkDdiResetEngine = ResetEngine;
    data.DxgkDdiResetFromTimeout = ResetFromTimeout;
    data.DxgkDdiRestartFromTimeout = RestartFromTimeout;
    return DxgkInitialize(DriverObject, RegistryPath, &data);
}
