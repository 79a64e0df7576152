/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * What drivers do with the kernel, each habit once. AddDevice of an image calls Habits, which returns 0, or the number of
 * the habit that went wrong. Everything is given back.
 */

#include <ntddk.h>

typedef struct _KEVENT {
    ULONG_PTR Whole[3];
} KEVENT;
typedef struct _KTIMER {
    ULONG_PTR Whole[8];
} KTIMER;
typedef struct _KDPC KDPC;
typedef VOID KDEFERRED_ROUTINE(KDPC* Dpc, PVOID Context, PVOID First, PVOID Second);
struct _KDPC {
    ULONG_PTR Whole[8];
};
typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY* Flink;
    struct _LIST_ENTRY* Blink;
} LIST_ENTRY;
typedef struct _MDL_HEAD {
    ULONG_PTR Whole[6];
} MDL_HEAD;

VOID KeInitializeEvent(KEVENT* Event, ULONG Type, BOOLEAN State);
LONG KeSetEvent(KEVENT* Event, LONG Increment, BOOLEAN Wait);
NTSTATUS KeWaitForSingleObject(PVOID Object, ULONG WaitReason, UCHAR WaitMode, BOOLEAN Alertable,
                               LARGE_INTEGER* Timeout);
NTSTATUS KeDelayExecutionThread(UCHAR WaitMode, BOOLEAN Alertable, LARGE_INTEGER* Interval);
VOID KeInitializeTimer(KTIMER* Timer);
BOOLEAN KeSetTimer(KTIMER* Timer, LARGE_INTEGER DueTime, KDPC* Dpc);
BOOLEAN KeCancelTimer(KTIMER* Timer);
VOID KeInitializeDpc(KDPC* Dpc, KDEFERRED_ROUTINE* Routine, PVOID Context);
NTSTATUS PsCreateSystemThread(HANDLE* Thread, ULONG Access, PVOID Attributes, HANDLE Process, PVOID Client,
                              VOID (*Routine)(PVOID), PVOID Context);
NTSTATUS PsTerminateSystemThread(NTSTATUS Status);
NTSTATUS ObReferenceObjectByHandle(HANDLE Handle, ULONG Access, PVOID Type, UCHAR Mode, PVOID* Object,
                                   PVOID Information);
ULONG_PTR ObfDereferenceObject(PVOID Object);
NTSTATUS ZwClose(HANDLE Handle);
LIST_ENTRY* ExInterlockedInsertTailList(LIST_ENTRY* Head, LIST_ENTRY* Entry, KSPIN_LOCK* Lock);
LIST_ENTRY* ExInterlockedRemoveHeadList(LIST_ENTRY* Head, KSPIN_LOCK* Lock);
MDL_HEAD* IoAllocateMdl(PVOID Address, ULONG Length, BOOLEAN Secondary, BOOLEAN Quota, PVOID Irp);
VOID IoFreeMdl(MDL_HEAD* Mdl);
VOID MmProbeAndLockPages(MDL_HEAD* Mdl, UCHAR Mode, ULONG Operation);
VOID MmUnlockPages(MDL_HEAD* Mdl);
PVOID MmMapLockedPagesSpecifyCache(MDL_HEAD* Mdl, UCHAR Mode, ULONG Cache, PVOID Requested, ULONG BugCheck,
                                   ULONG Priority);
VOID MmUnmapLockedPages(PVOID Address, MDL_HEAD* Mdl);
VOID ExRaiseStatus(NTSTATUS Status);
unsigned long _exception_code(void);
#define GetExceptionCode() ((NTSTATUS)_exception_code())
ULONG DbgPrint(const CHAR* Format, ...);
__declspec(dllimport) extern PVOID PsThreadType;

#define TAG 0x74626148             /* 'Habt' */
#define NULL_AT 0xFFFFF78000000320 /* TickCountQuad of the shared page, as KeQueryTickCount reads it */

static LARGE_INTEGER Milliseconds(LONG Count) {
    LARGE_INTEGER due;
    due.QuadPart = -10000LL * Count;
    return due;
}

static ULONGLONG CurrentLevel(VOID) {
    ULONGLONG level;
    __asm__ volatile("movq %%cr8, %0" : "=r"(level));
    return level;
}

/* A lock raises the level, as cr8 shows, and lowers it. */
static BOOLEAN Levels(VOID) {
    KSPIN_LOCK lock;
    KIRQL before;
    BOOLEAN good = CurrentLevel() == 0;

    KeInitializeSpinLock(&lock);
    KeAcquireSpinLock(&lock, &before);
    good = good && CurrentLevel() == 2 && before == 0;
    KeReleaseSpinLock(&lock, before);
    return good && CurrentLevel() == 0;
}

/* The tick count is read at its fixed address, in two forms. */
static BOOLEAN Ticks(VOID) {
    volatile ULONGLONG* ticks = (volatile ULONGLONG*)NULL_AT;
    LARGE_INTEGER interval = Milliseconds(100);
    ULONGLONG first = *ticks;
    ULONGLONG fixed;

    KeDelayExecutionThread(0, 0, &interval);
    __asm__ volatile("movabsq 0xFFFFF78000000320, %0" : "=a"(fixed));
    return first != 0 && *ticks > first && fixed > first && fixed <= *ticks;
}

/* The running thread, by the processor's own block. */
static BOOLEAN CurrentThread(VOID) {
    ULONGLONG thread;
    __asm__ volatile("movq %%gs:0x188, %0" : "=r"(thread));
    return thread != 0;
}

struct worker {
    KEVENT Asked;
    KEVENT Answered;
    LIST_ENTRY Work;
    KSPIN_LOCK Lock;
    ULONG Done;
    BOOLEAN Stop;
};
struct work {
    LIST_ENTRY Entry;
    ULONG Value;
};

static VOID Worker(PVOID Context) {
    struct worker* w = Context;
    struct work* next;

    while (!w->Stop) {
        KeWaitForSingleObject(&w->Asked, 0, 0, 0, NULL);
        while ((next = (struct work*)ExInterlockedRemoveHeadList(&w->Work, &w->Lock)) != NULL) {
            w->Done += next->Value;
            ExFreePoolWithTag(next, TAG);
        }
        KeSetEvent(&w->Answered, 0, 0);
    }
    PsTerminateSystemThread(STATUS_SUCCESS);
}

/* A worker of the driver's own with a list and two events; it ends when it is asked to. */
static BOOLEAN Threads(VOID) {
    struct worker* w = ExAllocatePool2(POOL_FLAG_NON_PAGED, sizeof *w, TAG);
    HANDLE handle;
    PVOID thread;
    ULONG i;
    BOOLEAN good;

    if (w == NULL) {
        return 0;
    }
    KeInitializeEvent(&w->Asked, 1, 0);
    KeInitializeEvent(&w->Answered, 1, 0);
    KeInitializeSpinLock(&w->Lock);
    w->Work.Flink = w->Work.Blink = &w->Work;
    if (!NT_SUCCESS(PsCreateSystemThread(&handle, 0x1FFFFF, NULL, NULL, NULL, Worker, w)) ||
        !NT_SUCCESS(ObReferenceObjectByHandle(handle, 0x1FFFFF, PsThreadType, 0, &thread, NULL))) {
        return 0;
    }
    ZwClose(handle);
    for (i = 1; i <= 100; ++i) {
        struct work* work = ExAllocatePool2(POOL_FLAG_NON_PAGED, sizeof *work, TAG);
        if (work == NULL) {
            return 0;
        }
        work->Value = i;
        ExInterlockedInsertTailList(&w->Work, &work->Entry, &w->Lock);
        KeSetEvent(&w->Asked, 0, 0);
        KeWaitForSingleObject(&w->Answered, 0, 0, 0, NULL);
    }
    w->Stop = 1;
    KeSetEvent(&w->Asked, 0, 0);
    KeWaitForSingleObject(thread, 0, 0, 0, NULL);
    ObfDereferenceObject(thread);
    good = w->Done == 5050;
    ExFreePoolWithTag(w, TAG);
    return good;
}

static VOID Deferred(KDPC* Dpc, PVOID Context, PVOID First, PVOID Second) {
    UNREFERENCED_PARAMETER(Dpc);
    UNREFERENCED_PARAMETER(First);
    UNREFERENCED_PARAMETER(Second);
    *(ULONGLONG*)Context += CurrentLevel();
}

/* A timer with a DPC, awaited, and one that is taken back. */
static BOOLEAN Timers(VOID) {
    KTIMER timer;
    KDPC dpc;
    ULONGLONG level = 0;
    LARGE_INTEGER soon = Milliseconds(0);
    BOOLEAN good;

    KeInitializeTimer(&timer);
    KeInitializeDpc(&dpc, Deferred, &level);
    KeSetTimer(&timer, Milliseconds(5), &dpc);
    good = KeWaitForSingleObject(&timer, 0, 0, 0, &soon) == 0x102;
    good = good && KeWaitForSingleObject(&timer, 0, 0, 0, NULL) == 0 && level == 2;
    KeSetTimer(&timer, Milliseconds(1000), NULL);
    return good && KeCancelTimer(&timer) && !KeCancelTimer(&timer);
}

/* A locked buffer is seen at two addresses, or at one twice: the same bytes. */
static BOOLEAN Mdls(VOID) {
    ULONG* buffer = ExAllocatePool2(POOL_FLAG_NON_PAGED, 3 * 4096, TAG);
    MDL_HEAD* mdl = IoAllocateMdl(buffer + 10, 2 * 4096, 0, 0, NULL);
    ULONG* seen;
    BOOLEAN good = 0;

    if (buffer == NULL || mdl == NULL) {
        return 0;
    }
    MmProbeAndLockPages(mdl, 0, 1);
    seen = MmMapLockedPagesSpecifyCache(mdl, 0, 1, NULL, 0, 0x20);
    if (seen != NULL) {
        seen[0] = 0x1234;
        seen[2047] = 0x5678;
        good = buffer[10] == 0x1234 && buffer[2057] == 0x5678;
        MmUnmapLockedPages(seen, mdl);
    }
    MmUnlockPages(mdl);
    IoFreeMdl(mdl);
    ExFreePoolWithTag(buffer, TAG);
    return good;
}

static BOOLEAN Prints(VOID) {
    DbgPrint("all habits were good\n");
    return 1;
}

/* Structured exceptions: a status, a NULL pointer and a division are handled, what lies between is left. */
static volatile ULONG* Nowhere;
static volatile ULONG Zero;
static volatile ULONG Left;

static __attribute__((noinline)) VOID Raise(NTSTATUS Status) {
    __try {
        ExRaiseStatus(Status);
    } __finally {
        Left += 1;
    }
}
static BOOLEAN RaisedStatus(VOID) {
    __try {
        Raise((NTSTATUS)0xC0000123);
        return 0;
    } __except (GetExceptionCode() == (NTSTATUS)0xC0000123 ? 1 : 0) {
        return Left == 1;
    }
}
static __attribute__((noinline)) VOID Touch(VOID) { *Nowhere = 1; }
static BOOLEAN AccessViolation(VOID) {
    volatile ULONG kept = 0x5A5A;
    __try {
        __try {
            Touch();
        } __except (GetExceptionCode() == (NTSTATUS)0xC0000123 ? 1 : 0) {
            return 0;
        }
        return 0;
    } __except (1) {
        return kept == 0x5A5A && GetExceptionCode() == (NTSTATUS)0xC0000005;
    }
}
static __attribute__((noinline)) ULONG Divide(VOID) { return 5 / Zero; }
static BOOLEAN Division(VOID) {
    __try {
        return Divide() != 0;
    } __except (GetExceptionCode() == (NTSTATUS)0xC0000094 ? 1 : 0) {
        return 1;
    }
}

/* Pointers in constant data: the linker writes relocations for them. */
typedef BOOLEAN HABIT(VOID);
HABIT Texts, Lookasides, Resources, WorkItems, SystemTimers, Identities, Settings; /* executive.c */
static HABIT* volatile Table[] = {Levels,       Ticks,    CurrentThread,   Threads,   Timers,    Mdls,
                                  RaisedStatus, Texts,    Lookasides,      Resources, WorkItems, SystemTimers,
                                  Identities,   Settings, AccessViolation, Division,  Prints};

NTSTATUS Habits(VOID);
NTSTATUS Habits(VOID) {
    ULONG i;
    for (i = 0; i != sizeof Table / sizeof Table[0]; ++i) {
        if (!Table[i]()) {
            return (NTSTATUS)(0xE0000001 + i);
        }
    }
    return STATUS_SUCCESS;
}
