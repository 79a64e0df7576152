/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * A driver that reports from a thread of its own: the interrupt routine queues the DPC, the DPC wakes the thread, and the
 * thread reads the hardware's news and reports them, synchronized with the interrupt. INT-07 allows it.
 */

#include <ntddk.h>

#include <dispmprt.h>

#include <c_driver/adapter.h>

typedef struct _KEVENT {
    ULONG_PTR Whole[3];
} KEVENT;
VOID KeInitializeEvent(KEVENT* Event, ULONG Type, BOOLEAN State);
LONG KeSetEvent(KEVENT* Event, LONG Increment, BOOLEAN Wait);
NTSTATUS KeWaitForSingleObject(PVOID Object, ULONG WaitReason, UCHAR WaitMode, BOOLEAN Alertable,
                               LARGE_INTEGER* Timeout);
NTSTATUS PsCreateSystemThread(HANDLE* Thread, ULONG Access, PVOID Attributes, HANDLE Process, PVOID Client,
                              VOID (*Routine)(PVOID), PVOID Context);
NTSTATUS PsTerminateSystemThread(NTSTATUS Status);
NTSTATUS ObReferenceObjectByHandle(HANDLE Handle, ULONG Access, PVOID Type, UCHAR Mode, PVOID* Object,
                                   PVOID Information);
ULONG_PTR ObfDereferenceObject(PVOID Object);
NTSTATUS ZwClose(HANDLE Handle);

BOOLEAN RealInterrupt(PVOID Context);
NTSTATUS StartWorker(PVOID Context);
VOID StopWorker(VOID);
BOOLEAN InterruptToDpc(PVOID Context);
VOID DpcToWorker(VOID);

static KEVENT Asked;
static PVOID Thread;
static volatile BOOLEAN Stopping;

static VOID Work(PVOID Context) {
    struct adapter* adapter = Context;
    BOOLEAN handled;

    for (;;) {
        KeWaitForSingleObject(&Asked, 0, 0, 0, NULL);
        if (Stopping) {
            PsTerminateSystemThread(STATUS_SUCCESS);
        }
        adapter->Dxgk.DxgkCbSynchronizeExecution(adapter->Dxgk.DeviceHandle, RealInterrupt, Context, 0, &handled);
    }
}

NTSTATUS StartWorker(PVOID Context) {
    HANDLE handle;
    NTSTATUS made;

    Stopping = 0;
    KeInitializeEvent(&Asked, 1, 0);
    made = PsCreateSystemThread(&handle, 0x1FFFFF, NULL, NULL, NULL, Work, Context);
    if (!NT_SUCCESS(made)) {
        return made;
    }
    made = ObReferenceObjectByHandle(handle, 0x1FFFFF, NULL, 0, &Thread, NULL);
    ZwClose(handle);
    return made;
}

VOID StopWorker(VOID) {
    Stopping = 1;
    KeSetEvent(&Asked, 0, 0);
    KeWaitForSingleObject(Thread, 0, 0, 0, NULL);
    ObfDereferenceObject(Thread);
}

BOOLEAN InterruptToDpc(PVOID Context) {
    struct adapter* adapter = Context;
    adapter->Dxgk.DxgkCbQueueDpc(adapter->Dxgk.DeviceHandle);
    return 1;
}

VOID DpcToWorker(VOID) { KeSetEvent(&Asked, 0, 0); }
