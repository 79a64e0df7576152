/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * A render-only display driver of WDDM 3.2 for the Teal (teal.h), as far as hardware scheduling goes: contexts, hardware
 * queues, lists, scheduling logs, resets of nodes, and native fences. It does not page.
 *
 * Everything that says something to a node, or changes what is known of a context, runs in the interrupt lock: a command is
 * several registers, and the interrupt routine reads the events of the same node.
 */

#include <ntddk.h>

#include <dispmprt.h>

#include "kit_more.h"
#include "teal.h"

#define TEAL_TAG 'laeT'
#define STATUS_PENDING ((NTSTATUS)0x00000103)
#define STATUS_INVALID_DEVICE_STATE ((NTSTATUS)0xC0000184)
#define SEGMENT_BYTES (1 << 24)

typedef struct _ADAPTER ADAPTER;

typedef enum _CONTEXT_STATE {
    CONTEXT_RESUMED, /* so it starts */
    CONTEXT_SUSPENDING,
    CONTEXT_SUSPENDED,
    CONTEXT_INVALIDATED /* a reset caught it, and it runs no more */
} CONTEXT_STATE;

typedef struct _CONTEXT {
    ADAPTER* Adapter;
    struct _CONTEXT* Next;
    HANDLE System; /* the system's handle */
    ULONG Node;
    ULONG64 Area;
    CONTEXT_STATE State;
    ULONG64 NewestFence; /* of suspensions */
    BOOLEAN HasProperties;
    BOOLEAN Caught; /* by a reset, and not invalidated yet */
} CONTEXT;

typedef struct _QUEUE {
    CONTEXT* Context;
    ULONG64 Ring;
    ULONG Slot; /* in the Teal's memory */
    ULONG Submitted;
} QUEUE;

typedef struct _FENCE {
    ADAPTER* Adapter;
    struct _FENCE* Next;
    HANDLE System;
    ULONG64 Current;
} FENCE;

typedef struct _NODE {
    BOOLEAN Halted; /* from its reset until it is resumed */
    ULONG64 Switches;
    BOOLEAN Switching;
    DXGK_SCHEDULING_LOG_BUFFER* Log; /* where the driver writes it */
    ULONG Entries, NextEntry, Wraps;
} NODE;

struct _ADAPTER {
    DXGKRNL_INTERFACE Kernel;
    PVOID Registers;
    UCHAR* Memory;
    BOOLEAN WritesLog; /* the Teal does */
    ULONG FenceNodes;  /* as bits */
    BOOLEAN HasFences; /* native ones */
    BOOLEAN Used[TEAL_QUEUES];
    NODE Nodes[TEAL_NODES];
    CONTEXT* Contexts;
    FENCE* Fences;
};

/* What a function does in the interrupt lock. */
typedef struct _WORK {
    ADAPTER* Adapter;
    PVOID Object;
    PVOID Args;
    NTSTATUS Status;
} WORK;

DRIVER_INITIALIZE DriverEntry;

static PVOID Allocate(SIZE_T bytes) {
    PVOID memory = ExAllocatePoolWithTag(NonPagedPoolNx, bytes, TEAL_TAG);
    if (memory != NULL) {
        RtlZeroMemory(memory, bytes);
    }
    return memory;
}

/* Registers. */

static ULONG64 ReadChip(const ADAPTER* adapter, ULONG offset) {
    return *(volatile ULONG64*)((UCHAR*)adapter->Registers + offset);
}
static VOID WriteChip(const ADAPTER* adapter, ULONG offset, ULONG64 value) {
    *(volatile ULONG64*)((UCHAR*)adapter->Registers + offset) = value;
}
static ULONG64 ReadNode(const ADAPTER* adapter, ULONG node, ULONG offset) {
    return ReadChip(adapter, TEAL_NODE_BYTES * (1 + node) + offset);
}
static VOID WriteNode(const ADAPTER* adapter, ULONG node, ULONG offset, ULONG64 value) {
    WriteChip(adapter, TEAL_NODE_BYTES * (1 + node) + offset, value);
}
static VOID CommandContext(const CONTEXT* context, ULONG command) {
    WriteNode(context->Adapter, context->Node, TEAL_AREA, context->Area);
    WriteNode(context->Adapter, context->Node, TEAL_COMMAND, command);
}

static NTSTATUS InLock(PKSYNCHRONIZE_ROUTINE routine, ADAPTER* adapter, PVOID object, const VOID* args) {
    WORK work;
    BOOLEAN returned;
    work.Adapter = adapter;
    work.Object = object;
    work.Args = (PVOID)args;
    work.Status = STATUS_SUCCESS;
    (VOID) adapter->Kernel.DxgkCbSynchronizeExecution(adapter->Kernel.DeviceHandle, routine, &work, 0, &returned);
    return work.Status;
}

/* Records. */

static VOID Notify(const ADAPTER* adapter, DXGKARGCB_NOTIFY_INTERRUPT_DATA* data) {
    adapter->Kernel.DxgkCbNotifyInterrupt(adapter->Kernel.DeviceHandle, data);
    adapter->Kernel.DxgkCbQueueDpc(adapter->Kernel.DeviceHandle);
}

static VOID ReportSuspended(const CONTEXT* context) {
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    RtlZeroMemory(&data, sizeof data);
    data.InterruptType = DXGK_INTERRUPT_SUSPEND_CONTEXT_COMPLETED;
    data.SuspendContextCompleted.hContext = context->System;
    data.SuspendContextCompleted.ContextSuspendFence = context->NewestFence;
    Notify(context->Adapter, &data);
}

static VOID ReportSwitched(const ADAPTER* adapter, ULONG node, ULONG64 number) {
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    RtlZeroMemory(&data, sizeof data);
    data.InterruptType = DXGK_INTERRUPT_HWCONTEXTLIST_SWITCH_COMPLETED;
    data.HwContextListSwitchCompleted.NodeOrdinal = node;
    data.HwContextListSwitchCompleted.ContextSwitchFence = number;
    Notify(adapter, &data);
}

static VOID ReportSignaled(const FENCE* fence) {
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    HANDLE system = fence->System;
    RtlZeroMemory(&data, sizeof data);
    data.InterruptType = DXGK_INTERRUPT_NATIVE_FENCE_SIGNALED;
    data.NativeFenceSignaled.SignaledNativeFenceCount = 1;
    data.NativeFenceSignaled.pSignaledNativeFenceArray = &system;
    Notify(fence->Adapter, &data);
}

/* Events. */

static CONTEXT* FindContext(const ADAPTER* adapter, ULONG node, ULONG64 area) {
    CONTEXT* each;
    for (each = adapter->Contexts; each != NULL; each = each->Next) {
        if (each->Node == node && each->Area == area) {
            return each;
        }
    }
    return NULL;
}

/* Only the newest request counts: the context may have been resumed and suspended again meanwhile. */
static VOID Acknowledged(CONTEXT* context, ULONG64 number) {
    if (context != NULL && context->State == CONTEXT_SUSPENDING && number == context->NewestFence) {
        context->State = CONTEXT_SUSPENDED;
        ReportSuspended(context);
    }
}

static VOID Switched(ADAPTER* adapter, ULONG node, ULONG64 number) {
    NODE* n = &adapter->Nodes[node];
    if (n->Switching && number == n->Switches) {
        n->Switching = FALSE;
        ReportSwitched(adapter, node, number);
    }
}

static VOID Signaled(const ADAPTER* adapter, ULONG64 current) {
    const FENCE* each;
    for (each = adapter->Fences; each != NULL; each = each->Next) {
        if (each->Current == current) {
            ReportSignaled(each);
        }
    }
}

/* An entry is whole before the header counts it, for entries are not zeroed. */
static VOID WriteLog(NODE* n, const CONTEXT* context, ULONG state, ULONG64 time) {
    DXGK_SCHEDULING_LOG_ENTRY* entry;
    if (n->Log == NULL || n->Entries == 0 || context == NULL) {
        return;
    }
    entry = &n->Log->Entries[n->NextEntry];
    entry->GpuTimeStamp = time;
    entry->OperationType = 0;
    entry->ReservedOperationTypeBits = 0;
    entry->ContextStateChange.hKmdContext = (HANDLE)context;
    ((volatile UINT64*)entry)[3] = state; /* with what follows newContextState */
    if (++n->NextEntry == n->Entries) {
        n->NextEntry = 0;
        ++n->Wraps;
    }
    *(volatile UINT64*)&n->Log->Header = (ULONG64)n->Wraps << 32 | n->NextEntry;
}

static BOOLEAN Service(ADAPTER* adapter, ULONG node) {
    BOOLEAN any = FALSE;
    for (;;) {
        ULONG event = (ULONG)ReadNode(adapter, node, TEAL_EVENT);
        ULONG64 number = ReadNode(adapter, node, TEAL_EVENT_NUMBER);
        CONTEXT* context = FindContext(adapter, node, ReadNode(adapter, node, TEAL_EVENT_AREA));
        switch (event) {
            case 0: return any;
            case TEAL_SUSPENDED: Acknowledged(context, number); break;
            case TEAL_SWITCHED: Switched(adapter, node, number); break;
            case TEAL_SIGNALED: Signaled(adapter, number); break;
            default:
                WriteLog(&adapter->Nodes[node], context, (ULONG)ReadNode(adapter, node, TEAL_EVENT_STATE), number);
                break;
        }
        any = TRUE;
    }
}

static BOOLEAN InterruptRoutine(const PVOID context, ULONG message) {
    ADAPTER* adapter = context;
    BOOLEAN ours = FALSE;
    ULONG node;
    UNREFERENCED_PARAMETER(message);
    for (node = 0; node != TEAL_NODES; ++node) {
        ours = (BOOLEAN)(Service(adapter, node) | ours);
    }
    return ours;
}

static VOID DpcRoutine(const PVOID context) {
    const ADAPTER* adapter = context;
    adapter->Kernel.DxgkCbNotifyDpc(adapter->Kernel.DeviceHandle);
}

/* Contexts. */

static BOOLEAN AddContext(PVOID lent) {
    const WORK* work = lent;
    CONTEXT* context = work->Object;
    context->Next = work->Adapter->Contexts;
    work->Adapter->Contexts = context;
    return TRUE;
}

static BOOLEAN TakeContext(PVOID lent) {
    const WORK* work = lent;
    CONTEXT** each = &work->Adapter->Contexts;
    while (*each != work->Object) {
        each = &(*each)->Next;
    }
    *each = (*each)->Next;
    return TRUE;
}

static NTSTATUS CreateHwContext(const HANDLE hDevice, DXGKARG_CREATEHWCONTEXT* args) {
    const struct teal_object* sent = args->pPrivateDriverData;
    CONTEXT* context;
    if (args->PrivateDriverDataSize != sizeof *sent || sent->kind != TEAL_CONTEXT || args->NodeOrdinal >= TEAL_NODES) {
        return STATUS_INVALID_PARAMETER;
    }
    context = Allocate(sizeof *context);
    if (context == NULL) {
        return STATUS_NO_MEMORY;
    }
    context->Adapter = hDevice;
    context->System = args->hHwContext;
    context->Node = args->NodeOrdinal;
    context->Area = sent->address;
    (VOID) InLock(AddContext, context->Adapter, context, NULL);
    args->hHwContext = context;
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyHwContext(const HANDLE hHwContext) {
    CONTEXT* context = hHwContext;
    (VOID) InLock(TakeContext, context->Adapter, context, NULL);
    ExFreePoolWithTag(context, TEAL_TAG);
    return STATUS_SUCCESS;
}

static BOOLEAN SetProperties(PVOID lent) {
    const WORK* work = lent;
    const DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES* args = work->Args;
    CONTEXT* context = work->Object;
    WriteNode(work->Adapter, context->Node, TEAL_BAND, (ULONG64)args->priorityBand);
    WriteNode(work->Adapter, context->Node, TEAL_PRIORITY, (ULONG64)(LONG64)args->inProcessPriority);
    CommandContext(context, TEAL_PRIORITIES);
    context->HasProperties = TRUE;
    return TRUE;
}

static NTSTATUS SetContextSchedulingProperties(const HANDLE hAdapter,
                                               const DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES* args) {
    return InLock(SetProperties, hAdapter, args->hContext, args);
}

static BOOLEAN Suspend(PVOID lent) {
    WORK* work = lent;
    const DXGKARG_SUSPENDCONTEXT* args = work->Args;
    CONTEXT* context = work->Object;
    if (context->State == CONTEXT_SUSPENDED || context->State == CONTEXT_INVALIDATED) {
        return TRUE;
    }
    context->NewestFence = args->contextSuspendFence;
    if (work->Adapter->Nodes[context->Node].Halted) {
        context->State = CONTEXT_SUSPENDED;
        return TRUE;
    }
    context->State = CONTEXT_SUSPENDING;
    WriteNode(work->Adapter, context->Node, TEAL_NUMBER, context->NewestFence);
    CommandContext(context, TEAL_SUSPEND);
    work->Status = STATUS_PENDING;
    return TRUE;
}

static NTSTATUS SuspendContext(const HANDLE hAdapter, const DXGKARG_SUSPENDCONTEXT* args) {
    return InLock(Suspend, hAdapter, args->hContext, args);
}

static BOOLEAN Resume(PVOID lent) {
    const WORK* work = lent;
    CONTEXT* context = work->Object;
    if (context->State == CONTEXT_SUSPENDING || context->State == CONTEXT_SUSPENDED) {
        context->State = CONTEXT_RESUMED;
        if (!work->Adapter->Nodes[context->Node].Halted) {
            CommandContext(context, TEAL_RUN);
        }
    }
    return TRUE;
}

static NTSTATUS ResumeContext(const HANDLE hAdapter, const DXGKARG_RESUMECONTEXT* args) {
    return InLock(Resume, hAdapter, args->hContext, args);
}

/* Queues. */

static BOOLEAN OpenQueue(PVOID lent) {
    const WORK* work = lent;
    const QUEUE* queue = work->Object;
    CONTEXT* context = queue->Context;
    WriteNode(work->Adapter, context->Node, TEAL_RING, queue->Ring);
    WriteNode(work->Adapter, context->Node, TEAL_NAME, (ULONG64)(ULONG_PTR)context);
    CommandContext(context, TEAL_OPEN);
    CommandContext(context, TEAL_RUN); /* a context starts resumed */
    return TRUE;
}

static BOOLEAN CloseQueue(PVOID lent) {
    const WORK* work = lent;
    const QUEUE* queue = work->Object;
    WriteNode(work->Adapter, queue->Context->Node, TEAL_RING, queue->Ring);
    CommandContext(queue->Context, TEAL_CLOSE);
    return TRUE;
}

static NTSTATUS CreateHwQueue(const HANDLE hHwContext, DXGKARG_CREATEHWQUEUE* args) {
    CONTEXT* context = hHwContext;
    ADAPTER* adapter = context->Adapter;
    const struct teal_object* sent = args->pPrivateDriverData;
    QUEUE* queue;
    ULONG slot = 0;
    while (slot != TEAL_QUEUES && adapter->Used[slot]) {
        ++slot;
    }
    if (args->PrivateDriverDataSize != sizeof *sent || sent->kind != TEAL_QUEUE || slot == TEAL_QUEUES) {
        return STATUS_INVALID_PARAMETER;
    }
    queue = Allocate(sizeof *queue);
    if (queue == NULL) {
        return STATUS_NO_MEMORY;
    }
    adapter->Used[slot] = TRUE;
    queue->Context = context;
    queue->Ring = sent->address;
    queue->Slot = slot;
    (VOID) InLock(OpenQueue, adapter, queue, NULL);
    args->hHwQueue = queue;
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyHwQueue(const HANDLE hHwQueue) {
    QUEUE* queue = hHwQueue;
    ADAPTER* adapter = queue->Context->Adapter;
    (VOID) InLock(CloseQueue, adapter, queue, NULL);
    adapter->Used[queue->Slot] = FALSE;
    ExFreePoolWithTag(queue, TEAL_TAG);
    return STATUS_SUCCESS;
}

/* The system frees the numbers when the function returns: they go to the Teal's memory. */
static BOOLEAN Append(PVOID lent) {
    WORK* work = lent;
    const DXGKARG_SUBMITCOMMANDTOHWQUEUE* args = work->Args;
    QUEUE* queue = work->Object;
    const CONTEXT* context = queue->Context;
    ULONG node = context->Node;
    ULONG place = (queue->Slot * TEAL_RING_ENTRIES + queue->Submitted % TEAL_RING_ENTRIES) * TEAL_DATA_BYTES;
    if (!context->HasProperties || context->State == CONTEXT_INVALIDATED) {
        work->Status = STATUS_INVALID_DEVICE_STATE;
        return TRUE;
    }
    ++queue->Submitted;
    RtlCopyMemory(work->Adapter->Memory + place, args->pDmaBufferPrivateData, TEAL_DATA_BYTES);
    WriteNode(work->Adapter, node, TEAL_RING, queue->Ring);
    WriteNode(work->Adapter, node, TEAL_BUFFER, args->DmaBufferVirtualAddress);
    WriteNode(work->Adapter, node, TEAL_BUFFER_BYTES, args->DmaBufferSize);
    WriteNode(work->Adapter, node, TEAL_DATA, place);
    WriteNode(work->Adapter, node, TEAL_FENCE, args->HwQueueProgressFenceGpuVa);
    WriteNode(work->Adapter, node, TEAL_FENCE_VALUE, args->HwQueueProgressFenceId);
    WriteNode(work->Adapter, node, TEAL_FENCE_WHEN, work->Adapter->FenceNodes >> node & 1);
    CommandContext(context, TEAL_APPEND);
    return TRUE;
}

static NTSTATUS SubmitCommandToHwQueue(const HANDLE hAdapter, const DXGKARG_SUBMITCOMMANDTOHWQUEUE* args) {
    if (args->DmaBufferPrivateDataSize != TEAL_DATA_BYTES) {
        return STATUS_INVALID_PARAMETER;
    }
    return InLock(Append, hAdapter, args->hHwQueue, args);
}

/* Nodes. */

static ULONG64 AreaOf(HANDLE context) { return context != NULL ? ((const CONTEXT*)context)->Area : 0; }

/* A number of the driver's own tells one switch from another, as the system gives none. */
static BOOLEAN SwitchList(PVOID lent) {
    const WORK* work = lent;
    const DXGKARG_SWITCHTOHWCONTEXTLIST* args = work->Args;
    ULONG node = args->NodeOrdinal;
    NODE* n = &work->Adapter->Nodes[node];
    n->Switching = TRUE;
    ++n->Switches;
    WriteNode(work->Adapter, node, TEAL_AREA, AreaOf(args->hHwContextFirst));
    WriteNode(work->Adapter, node, TEAL_SECOND, AreaOf(args->hHwContextSecond));
    WriteNode(work->Adapter, node, TEAL_NUMBER, n->Switches);
    WriteNode(work->Adapter, node, TEAL_COMMAND, TEAL_LIST_COMMAND);
    return TRUE;
}

static NTSTATUS SwitchToHwContextList(const HANDLE hAdapter, const DXGKARG_SWITCHTOHWCONTEXTLIST* args) {
    return args->NodeOrdinal < TEAL_NODES ? InLock(SwitchList, hAdapter, NULL, args) : STATUS_INVALID_PARAMETER;
}

static BOOLEAN SetLog(PVOID lent) {
    const WORK* work = lent;
    const DXGKARG_SETSCHEDULINGLOGBUFFER* args = work->Args;
    NODE* n = &work->Adapter->Nodes[args->NodeOrdinal];
    n->Log = args->LogBufferCpuVa;
    n->Entries = args->NumberOfEntries;
    n->NextEntry = 0;
    n->Wraps = 0;
    if (work->Adapter->WritesLog) {
        WriteNode(work->Adapter, args->NodeOrdinal, TEAL_LOG, args->LogBufferGpuVa);
        WriteNode(work->Adapter, args->NodeOrdinal, TEAL_LOG_ENTRIES, args->NumberOfEntries);
        WriteNode(work->Adapter, args->NodeOrdinal, TEAL_COMMAND, TEAL_LOG_COMMAND);
    }
    return TRUE;
}

/* What is on its way to the old log has come there when this returns. */
static NTSTATUS SetSchedulingLogBuffer(const HANDLE hAdapter, const DXGKARG_SETSCHEDULINGLOGBUFFER* args) {
    const ADAPTER* adapter = hAdapter;
    (VOID) InLock(SetLog, hAdapter, NULL, args);
    while (adapter->WritesLog && ReadNode(adapter, args->NodeOrdinal, TEAL_LOG_QUIET) == 0) {
    }
    return STATUS_SUCCESS;
}

/* A context whose work was discarded is in error. A suspension that nobody will acknowledge any more is over. */
static VOID AfterReset(CONTEXT* context) {
    const ADAPTER* adapter = context->Adapter;
    BOOLEAN waits = context->State == CONTEXT_SUSPENDING;
    if (!waits && context->State != CONTEXT_RESUMED) {
        return;
    }
    CommandContext(context, TEAL_WAS_HIT);
    context->Caught = ReadNode(adapter, context->Node, TEAL_COMMAND) != 0;
    if (context->Caught) {
        context->State = CONTEXT_INVALIDATED;
    } else if (waits) {
        context->State = CONTEXT_SUSPENDED;
    }
    if (waits) {
        ReportSuspended(context);
    }
}

static BOOLEAN ResetNode(PVOID lent) {
    WORK* work = lent;
    ULONG node = ((const DXGKARG_RESETHWENGINE*)work->Args)->NodeOrdinal;
    CONTEXT* each;
    (VOID) Service(work->Adapter, node);
    WriteNode(work->Adapter, node, TEAL_COMMAND, TEAL_RESET);
    if (ReadNode(work->Adapter, node, TEAL_COMMAND) != 0) {
        work->Status = STATUS_UNSUCCESSFUL;
        return TRUE;
    }
    work->Adapter->Nodes[node].Halted = TRUE;
    work->Adapter->Nodes[node].Switching = FALSE;
    for (each = work->Adapter->Contexts; each != NULL; each = each->Next) {
        if (each->Node == node) {
            AfterReset(each);
        }
    }
    return TRUE;
}

static VOID Invalidate(CONTEXT* context) {
    DXGKARGCB_INVALIDATEHWCONTEXT args;
    RtlZeroMemory(&args, sizeof args);
    args.hAdapter = context->Adapter->Kernel.DeviceHandle;
    args.hHwContext = context->System;
    context->Caught = FALSE;
    (VOID) context->Adapter->Kernel.DxgkCbInvalidateHwContext(&args);
}

/* Contexts come and go at the level of this function, so that the list stays what it is. */
static NTSTATUS ResetHwEngine(const HANDLE hAdapter, DXGKARG_RESETHWENGINE* args) {
    NTSTATUS status = InLock(ResetNode, hAdapter, NULL, args);
    CONTEXT* each;
    for (each = ((const ADAPTER*)hAdapter)->Contexts; each != NULL; each = each->Next) {
        if (each->Caught) {
            Invalidate(each);
        }
    }
    return status;
}

static BOOLEAN RestartNode(PVOID lent) {
    WORK* work = lent;
    ULONG node = ((const DXGKARG_RESUMEHWENGINE*)work->Args)->NodeOrdinal;
    const CONTEXT* each;
    WriteNode(work->Adapter, node, TEAL_COMMAND, TEAL_RESTART);
    if (ReadNode(work->Adapter, node, TEAL_COMMAND) != 0) {
        work->Status = STATUS_UNSUCCESSFUL;
        return TRUE;
    }
    work->Adapter->Nodes[node].Halted = FALSE;
    for (each = work->Adapter->Contexts; each != NULL; each = each->Next) {
        if (each->Node == node && each->State == CONTEXT_RESUMED) {
            CommandContext(each, TEAL_RUN);
        }
    }
    return TRUE;
}

static NTSTATUS ResumeHwEngine(const HANDLE hAdapter, DXGKARG_RESUMEHWENGINE* args) {
    return InLock(RestartNode, hAdapter, NULL, args);
}

static BOOLEAN CommandAll(PVOID lent) {
    const WORK* work = lent;
    ULONG command = *(const ULONG*)work->Args;
    ULONG node;
    for (node = 0; node != TEAL_NODES; ++node) {
        WriteNode(work->Adapter, node, TEAL_COMMAND, command);
        work->Adapter->Nodes[node].Halted = command == TEAL_RESET;
        work->Adapter->Nodes[node].Switching = FALSE;
    }
    return TRUE;
}

static NTSTATUS ResetFromTimeout(const HANDLE hAdapter) {
    ULONG command = TEAL_RESET;
    return InLock(CommandAll, hAdapter, NULL, &command);
}

static NTSTATUS RestartFromTimeout(const HANDLE hAdapter) {
    ULONG command = TEAL_RESTART;
    return InLock(CommandAll, hAdapter, NULL, &command);
}

/* Native fences. */

static BOOLEAN AddFence(PVOID lent) {
    const WORK* work = lent;
    const DXGKARG_CREATENATIVEFENCE* args = work->Args;
    FENCE* fence = work->Object;
    fence->Next = work->Adapter->Fences;
    work->Adapter->Fences = fence;
    WriteChip(work->Adapter, TEAL_CURRENT_ADDRESS, fence->Current);
    WriteChip(work->Adapter, TEAL_MONITORED_ADDRESS, args->MonitoredValueSystemProcessGpuVa);
    WriteChip(work->Adapter, TEAL_FENCE_COMMAND, TEAL_WATCH);
    return TRUE;
}

static BOOLEAN TakeFence(PVOID lent) {
    const WORK* work = lent;
    FENCE** each = &work->Adapter->Fences;
    while (*each != work->Object) {
        each = &(*each)->Next;
    }
    WriteChip(work->Adapter, TEAL_CURRENT_ADDRESS, (*each)->Current);
    WriteChip(work->Adapter, TEAL_FENCE_COMMAND, TEAL_FORGET);
    *each = (*each)->Next;
    return TRUE;
}

static NTSTATUS CreateNativeFence(const HANDLE hAdapter, DXGKARG_CREATENATIVEFENCE* args) {
    FENCE* fence = Allocate(sizeof *fence);
    if (fence == NULL) {
        return STATUS_NO_MEMORY;
    }
    fence->Adapter = hAdapter;
    fence->System = args->hGlobalNativeFence;
    fence->Current = args->CurrentValueSystemProcessGpuVa;
    (VOID) InLock(AddFence, hAdapter, fence, args);
    args->hGlobalNativeFence = fence;
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyNativeFence(DXGKARG_DESTROYNATIVEFENCE* args) {
    FENCE* fence = args->hGlobalNativeFence;
    (VOID) InLock(TakeFence, fence->Adapter, fence, NULL);
    ExFreePoolWithTag(fence, TEAL_TAG);
    return STATUS_SUCCESS;
}

/* At the interrupt's level. The new value is there, and the Teal has seen it, before the current one is looked at. */
static NTSTATUS UpdateMonitoredValues(const DXGKARG_UPDATEMONITOREDVALUES* args) {
    UINT i;
    for (i = 0; i != args->NumFences; ++i) {
        const FENCE* fence = args->NativeFenceArray[i];
        UINT64 monitored = args->UpdatedValueArray[i];
        *(volatile UINT64*)args->MonitoredValueKernelCpuVa[i] = monitored;
        WriteChip(fence->Adapter, TEAL_CURRENT_ADDRESS, fence->Current);
        WriteChip(fence->Adapter, TEAL_FENCE_COMMAND, TEAL_BARRIER);
        if (ReadChip(fence->Adapter, TEAL_CURRENT) > monitored) {
            ReportSignaled(fence);
        }
    }
    return STATUS_SUCCESS;
}

/* Whether the system has native fences enabled, and some kind of them that the Teal has: all. */
static BOOLEAN IsNativeFenceEnabled(const ADAPTER* adapter) {
    HANDLE device = adapter->Kernel.DeviceHandle;
    DXGK_FEATURE_INTERFACE features;
    DXGKARGCB_ISFEATUREENABLED2 asked;
    DXGKARGCB_QUERYFEATUREINTERFACE wanted;
    DXGKCBINT_FEATURE_NATIVEFENCE_1 fences;
    DXGKARGCB_FEATURE_NATIVEFENCE_CAPS_1 caps;
    RtlZeroMemory(&features, sizeof features);
    RtlZeroMemory(&asked, sizeof asked);
    RtlZeroMemory(&caps, sizeof caps);
    features.Size = sizeof features;
    features.Version = 1;
    asked.FeatureId = DXGK_FEATURE_NATIVE_FENCE;
    if (!NT_SUCCESS(adapter->Kernel.DxgkCbQueryServices(device, DxgkServicesFeature, &features)) ||
        !NT_SUCCESS(features.IsFeatureEnabled(device, &asked)) || !asked.Result.Enabled) {
        return FALSE;
    }
    wanted.FeatureId = DXGK_FEATURE_NATIVE_FENCE;
    wanted.Version = asked.Result.Version;
    wanted.InterfaceSize = sizeof fences;
    wanted.Interface = &fences;
    return NT_SUCCESS(features.QueryFeatureInterface(device, &wanted)) && NT_SUCCESS(fences.GetOSCaps(&caps)) &&
           (caps.SupportOptimizedDefaultFenceType || caps.SupportIntraGpuFenceType);
}

/* What the adapter is. */

static NTSTATUS QueryDriverCaps(const ADAPTER* adapter, const DXGKARG_QUERYADAPTERINFO* args) {
    DXGK_DRIVERCAPS* caps = args->pOutputData;
    if (args->OutputDataSize < sizeof *caps) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    RtlZeroMemory(caps, sizeof *caps);
    caps->HighestAcceptableAddress.QuadPart = -1;
    caps->SchedulingCaps.MultiEngineAware = 1;
    caps->SchedulingCaps.PreemptionAware = 1;
    caps->SchedulingCaps.NativeGpuFence = adapter->HasFences;
    caps->WDDMVersion = DXGKDDI_WDDMv3_2;
    caps->SupportNonVGA = TRUE;
    return STATUS_SUCCESS;
}

static NTSTATUS QueryPhysicalAdapter(const DXGKARG_QUERYADAPTERINFO* args) {
    DXGK_PHYSICALADAPTERCAPS* caps = args->pOutputData;
    if (args->OutputDataSize < sizeof *caps) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    RtlZeroMemory(caps, sizeof *caps);
    caps->NumExecutionNodes = TEAL_NODES;
    return STATUS_SUCCESS;
}

static NTSTATUS QuerySegments(const DXGKARG_QUERYADAPTERINFO* args) {
    DXGK_QUERYSEGMENTOUT4* out = args->pOutputData;
    DXGK_SEGMENTDESCRIPTOR4* segment = (DXGK_SEGMENTDESCRIPTOR4*)out->pSegmentDescriptor;
    if (args->OutputDataSize < sizeof *out) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    out->NbSegment = 1;
    if (segment == NULL) {
        return STATUS_SUCCESS; /* the first of two calls, which only asks how many there are */
    }
    RtlZeroMemory(segment, sizeof *segment);
    segment->Flags.Aperture = 1;
    segment->BaseAddress.QuadPart = 0x100000000;
    segment->Size = SEGMENT_BYTES;
    segment->CommitLimit = SEGMENT_BYTES;
    out->PagingBufferSize = PAGE_SIZE;
    return STATUS_SUCCESS;
}

static NTSTATUS QueryAdapterInfo(const HANDLE hAdapter, const DXGKARG_QUERYADAPTERINFO* args) {
    switch (args->Type) {
        case DXGKQAITYPE_DRIVERCAPS: return QueryDriverCaps(hAdapter, args);
        case DXGKQAITYPE_PHYSICALADAPTERCAPS: return QueryPhysicalAdapter(args);
        case DXGKQAITYPE_QUERYSEGMENT4: return QuerySegments(args);
        default: return STATUS_NOT_SUPPORTED;
    }
}

/* Life. */

static NTSTATUS CreateDevice(const HANDLE hAdapter, DXGKARG_CREATEDEVICE* args) {
    args->hDevice = hAdapter;
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyDevice(const HANDLE hDevice) {
    UNREFERENCED_PARAMETER(hDevice);
    return STATUS_SUCCESS;
}

static NTSTATUS AddDevice(const PDEVICE_OBJECT physicalDevice, PVOID* context) {
    UNREFERENCED_PARAMETER(physicalDevice);
    *context = Allocate(sizeof(ADAPTER));
    return *context != NULL ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

static NTSTATUS RemoveDevice(const PVOID context) {
    ExFreePoolWithTag(context, TEAL_TAG);
    return STATUS_SUCCESS;
}

static NTSTATUS StopDevice(const PVOID context) {
    ADAPTER* adapter = context;
    if (adapter->Registers != NULL) {
        MmUnmapIoSpace(adapter->Registers, TEAL_REGISTER_BYTES);
    }
    if (adapter->Memory != NULL) {
        MmUnmapIoSpace(adapter->Memory, TEAL_MEMORY_BYTES);
    }
    RtlZeroMemory(adapter, sizeof *adapter);
    return STATUS_SUCCESS;
}

/* The first range of memory is the registers, the second the Teal's memory. */
static VOID MapRanges(ADAPTER* adapter) {
    DXGK_DEVICE_INFO information;
    const CM_RESOURCE_LIST* list;
    ULONG i;
    if (!NT_SUCCESS(adapter->Kernel.DxgkCbGetDeviceInformation(adapter->Kernel.DeviceHandle, &information))) {
        return;
    }
    list = information.TranslatedResourceList;
    for (i = 0; i != list->DescriptorCount; ++i) {
        const CM_PARTIAL_RESOURCE_DESCRIPTOR* each = &list->Descriptors[i];
        if (each->Type != CmResourceTypeMemory) {
            continue;
        }
        if (adapter->Registers == NULL && each->u.Memory.Length == TEAL_REGISTER_BYTES) {
            adapter->Registers = MmMapIoSpaceEx(each->u.Memory.Start, TEAL_REGISTER_BYTES, PAGE_READWRITE);
        } else if (adapter->Memory == NULL && each->u.Memory.Length == TEAL_MEMORY_BYTES) {
            adapter->Memory = MmMapIoSpaceEx(each->u.Memory.Start, TEAL_MEMORY_BYTES, PAGE_READWRITE);
        }
    }
}

static NTSTATUS StartDevice(const PVOID context, DXGK_START_INFO* information, DXGKRNL_INTERFACE* kernel,
                            ULONG* sources, ULONG* children) {
    ADAPTER* adapter = context;
    UNREFERENCED_PARAMETER(information);
    RtlCopyMemory(&adapter->Kernel, kernel, sizeof adapter->Kernel);
    MapRanges(adapter);
    if (adapter->Registers == NULL || adapter->Memory == NULL ||
        ReadChip(adapter, TEAL_ID) != ((ULONG64)TEAL_VENDOR << 32 | TEAL_DEVICE)) {
        (VOID) StopDevice(adapter);
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    }
    adapter->FenceNodes = (ULONG)ReadChip(adapter, TEAL_FENCE_NODES);
    adapter->WritesLog = ReadChip(adapter, TEAL_WRITES_LOG) != 0;
    adapter->HasFences = IsNativeFenceEnabled(adapter);
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
    data.DxgkDdiResetFromTimeout = ResetFromTimeout;
    data.DxgkDdiRestartFromTimeout = RestartFromTimeout;
    data.DxgkDdiCreateHwContext = (PDXGKDDI_CREATEHWCONTEXT)(PVOID)CreateHwContext;
    data.DxgkDdiDestroyHwContext = (PDXGKDDI_DESTROYHWCONTEXT)(PVOID)DestroyHwContext;
    data.DxgkDdiCreateHwQueue = CreateHwQueue;
    data.DxgkDdiDestroyHwQueue = DestroyHwQueue;
    data.DxgkDdiSubmitCommandToHwQueue = SubmitCommandToHwQueue;
    data.DxgkDdiSwitchToHwContextList = (PDXGKDDI_SWITCHTOHWCONTEXTLIST)(PVOID)SwitchToHwContextList;
    data.DxgkDdiResetHwEngine = ResetHwEngine;
    data.DxgkDdiResumeHwEngine = ResumeHwEngine;
    data.DxgkDdiSuspendContext = SuspendContext;
    data.DxgkDdiResumeContext = ResumeContext;
    data.DxgkDdiSetContextSchedulingProperties = SetContextSchedulingProperties;
    data.DxgkDdiSetSchedulingLogBuffer = (PDXGKDDI_SETSCHEDULINGLOGBUFFER)(PVOID)SetSchedulingLogBuffer;
    data.DxgkDdiCreateNativeFence = (PDXGKDDI_CREATENATIVEFENCE)(PVOID)CreateNativeFence;
    data.DxgkDdiDestroyNativeFence = (PDXGKDDI_DESTROYNATIVEFENCE)(PVOID)DestroyNativeFence;
    data.DxgkDdiUpdateMonitoredValues = (PDXGKDDI_UPDATEMONITOREDVALUES)(PVOID)UpdateMonitoredValues;
    return DxgkInitialize(DriverObject, RegistryPath, &data);
}
