/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * More of what drivers do with the kernel (habits.c): strings, lookaside lists, resources, work items and timers of the
 * system's. What a kit compiles into the driver is written out here as a kit does it.
 */

#include <ntddk.h>

typedef unsigned short WCHAR;
typedef char* va_list_of_kit;
typedef struct _ANSI_STRING {
    unsigned short Length;
    unsigned short MaximumLength;
    CHAR* Buffer;
} ANSI_STRING;
typedef struct _KEVENT {
    ULONG_PTR Whole[3];
} KEVENT;
typedef struct _LOOKASIDE_LIST_EX LOOKASIDE_LIST_EX;
struct _LOOKASIDE_LIST_EX { /* GENERAL_LOOKASIDE_POOL */
    ULONG_PTR ListHead[2];
    unsigned short Depth;
    unsigned short MaximumDepth;
    ULONG TotalAllocates;
    ULONG AllocateMisses;
    ULONG TotalFrees;
    ULONG FreeMisses;
    ULONG Type;
    ULONG Tag;
    ULONG Size;
    PVOID (*AllocateEx)(ULONG Type, ULONG_PTR Size, ULONG Tag, LOOKASIDE_LIST_EX* List);
    VOID (*FreeEx)(PVOID Block, LOOKASIDE_LIST_EX* List);
    ULONG_PTR Others[4];
};
typedef struct _ERESOURCE {
    ULONG_PTR Whole[13];
} ERESOURCE;

int _snwprintf(WCHAR* To, ULONG_PTR Count, const WCHAR* Format, ...);
int _vsnprintf(CHAR* To, ULONG_PTR Count, const CHAR* Format, va_list_of_kit Arguments);
int wcscpy_s(WCHAR* To, ULONG_PTR Room, const WCHAR* From);
int wcsncmp(const WCHAR* First, const WCHAR* Second, ULONG_PTR Count);
VOID RtlInitUnicodeString(UNICODE_STRING* To, const WCHAR* From);
NTSTATUS RtlUnicodeStringToAnsiString(ANSI_STRING* To, const UNICODE_STRING* From, BOOLEAN Allocates);
VOID RtlFreeAnsiString(ANSI_STRING* String);
NTSTATUS ExInitializeLookasideListEx(LOOKASIDE_LIST_EX* List, PVOID Allocate, PVOID Free, ULONG Type, ULONG Flags,
                                     ULONG_PTR Size, ULONG Tag, unsigned short Depth);
VOID ExDeleteLookasideListEx(LOOKASIDE_LIST_EX* List);
PVOID ExpInterlockedPopEntrySList(PVOID List);
PVOID ExpInterlockedPushEntrySList(PVOID List, PVOID Entry);
NTSTATUS ExInitializeResourceLite(ERESOURCE* Resource);
BOOLEAN ExAcquireResourceExclusiveLite(ERESOURCE* Resource, BOOLEAN Wait);
BOOLEAN ExAcquireResourceSharedLite(ERESOURCE* Resource, BOOLEAN Wait);
VOID ExReleaseResourceLite(ERESOURCE* Resource);
NTSTATUS ExDeleteResourceLite(ERESOURCE* Resource);
VOID KeEnterCriticalRegion(VOID);
VOID KeLeaveCriticalRegion(VOID);
VOID ExInitializeRundownProtection(ULONG_PTR* Rundown);
BOOLEAN ExAcquireRundownProtection(ULONG_PTR* Rundown);
VOID ExReleaseRundownProtection(ULONG_PTR* Rundown);
VOID ExWaitForRundownProtectionRelease(ULONG_PTR* Rundown);
PVOID IoAllocateWorkItem(PVOID Device);
VOID IoQueueWorkItem(PVOID Item, VOID (*Routine)(PVOID Device, PVOID Context), ULONG Queue, PVOID Context);
VOID IoFreeWorkItem(PVOID Item);
PVOID ExAllocateTimer(VOID (*Callback)(PVOID Timer, PVOID Context), PVOID Context, ULONG Attributes);
BOOLEAN ExSetTimer(PVOID Timer, LONGLONG DueTime, LONGLONG Period, PVOID Parameters);
BOOLEAN ExDeleteTimer(PVOID Timer, BOOLEAN Cancel, BOOLEAN Wait, PVOID Parameters);
VOID KeInitializeEvent(KEVENT* Event, ULONG Type, BOOLEAN State);
LONG KeSetEvent(KEVENT* Event, LONG Increment, BOOLEAN Wait);
NTSTATUS KeWaitForSingleObject(PVOID Object, ULONG WaitReason, UCHAR WaitMode, BOOLEAN Alertable,
                               LARGE_INTEGER* Timeout);
HANDLE PsGetCurrentProcessId(VOID);
HANDLE PsGetCurrentThreadId(VOID);
PVOID PsGetCurrentProcess(VOID);

NTSTATUS IoOpenDeviceRegistryKey(PVOID Device, ULONG Kind, ULONG Access, HANDLE* Key);
NTSTATUS ZwQueryValueKey(HANDLE Key, UNICODE_STRING* Name, ULONG Class, PVOID To, ULONG Room, ULONG* Needed);
NTSTATUS ZwClose(HANDLE Handle);
ULONG DbgPrint(const CHAR* Format, ...);

#define TAG 0x63657845 /* 'Exec' */

BOOLEAN Texts(VOID);
BOOLEAN Lookasides(VOID);
BOOLEAN Resources(VOID);
BOOLEAN WorkItems(VOID);
BOOLEAN SystemTimers(VOID);
BOOLEAN Identities(VOID);
BOOLEAN Settings(VOID);

static BOOLEAN Same(const CHAR* First, const CHAR* Second) {
    while (*First == *Second && *First != 0) {
        ++First;
        ++Second;
    }
    return *First == *Second;
}
static int Print(CHAR* To, ULONG_PTR Count, const CHAR* Format, ...) {
    __builtin_va_list arguments;
    int written;
    __builtin_va_start(arguments, Format);
    written = _vsnprintf(To, Count, Format, arguments);
    __builtin_va_end(arguments);
    return written;
}

/* Texts in both kinds of character, and from one to the other. */
BOOLEAN Texts(VOID) {
    static const WCHAR form[] = {'%', 's', '%', '0', '4', 'd', 0};
    static const WCHAR head[] = {'G', 'p', 'u', 0};
    WCHAR wide[16];
    CHAR narrow[32];
    UNICODE_STRING name;
    ANSI_STRING converted;
    BOOLEAN good = wcscpy_s(wide, 16, head) == 0 && wcsncmp(wide, head, 4) == 0;

    good = good && _snwprintf(wide, 16, form, head, 7) == 7;
    RtlInitUnicodeString(&name, wide);
    good = good && Print(narrow, sizeof narrow, "%wZ:%I64x", &name, 0x123456789ULL) == 17;
    good = good && Same(narrow, "Gpu0007:123456789");
    if (!NT_SUCCESS(RtlUnicodeStringToAnsiString(&converted, &name, 1))) {
        return 0;
    }
    good = good && Same(converted.Buffer, "Gpu0007");
    RtlFreeAnsiString(&converted);
    return good;
}

/* ExAllocateFromLookasideListEx and ExFreeToLookasideListEx are a kit's inline functions. */
static PVOID Take(LOOKASIDE_LIST_EX* List) {
    PVOID block;
    ++List->TotalAllocates;
    block = ExpInterlockedPopEntrySList(&List->ListHead);
    if (block == NULL) {
        ++List->AllocateMisses;
        block = List->AllocateEx(List->Type, List->Size, List->Tag, List);
    }
    return block;
}
static VOID Give(LOOKASIDE_LIST_EX* List, PVOID Block) {
    ++List->TotalFrees;
    if ((unsigned short)List->ListHead[0] >= List->Depth) {
        ++List->FreeMisses;
        List->FreeEx(Block, List);
    } else {
        ExpInterlockedPushEntrySList(&List->ListHead, Block);
    }
}
BOOLEAN Lookasides(VOID) {
    LOOKASIDE_LIST_EX* list = ExAllocatePool2(POOL_FLAG_NON_PAGED, sizeof *list, TAG);
    ULONG* block;

    if (list == NULL || !NT_SUCCESS(ExInitializeLookasideListEx(list, NULL, NULL, 0x200, 0, 64, TAG, 0))) {
        return 0;
    }
    block = Take(list);
    if (block == NULL) {
        return 0;
    }
    block[15] = 1;
    Give(list, block);
    ExDeleteLookasideListEx(list);
    ExFreePoolWithTag(list, TAG);
    return 1;
}

/* A work item changes what a resource protects, while rundown protection keeps it alive. */
struct shared {
    ERESOURCE Resource;
    ULONG_PTR Rundown;
    ULONG Value;
    KEVENT Done;
};
static VOID Change(PVOID Device, PVOID Context) {
    struct shared* s = Context;
    UNREFERENCED_PARAMETER(Device);
    KeEnterCriticalRegion();
    ExAcquireResourceExclusiveLite(&s->Resource, 1);
    s->Value += 7;
    ExReleaseResourceLite(&s->Resource);
    KeLeaveCriticalRegion();
    ExReleaseRundownProtection(&s->Rundown);
    KeSetEvent(&s->Done, 0, 0);
}
static BOOLEAN ChangeInAnItem(ULONG Times) {
    struct shared* s = ExAllocatePool2(POOL_FLAG_NON_PAGED, sizeof *s, TAG);
    PVOID item = IoAllocateWorkItem(s);
    ULONG i;
    BOOLEAN good;

    if (s == NULL || item == NULL) {
        return 0;
    }
    ExInitializeResourceLite(&s->Resource);
    ExInitializeRundownProtection(&s->Rundown);
    KeInitializeEvent(&s->Done, 1, 0);
    for (i = 0; i != Times; ++i) {
        if (!ExAcquireRundownProtection(&s->Rundown)) {
            return 0;
        }
        IoQueueWorkItem(item, Change, 1, s);
        KeEnterCriticalRegion();
        ExAcquireResourceSharedLite(&s->Resource, 1);
        good = s->Value == 7 * i || s->Value == 7 * (i + 1);
        ExReleaseResourceLite(&s->Resource);
        KeLeaveCriticalRegion();
        KeWaitForSingleObject(&s->Done, 0, 0, 0, NULL);
    }
    ExWaitForRundownProtectionRelease(&s->Rundown);
    good = good && s->Value == 7 * Times && !ExAcquireRundownProtection(&s->Rundown);
    IoFreeWorkItem(item);
    ExDeleteResourceLite(&s->Resource);
    ExFreePoolWithTag(s, TAG);
    return good;
}
BOOLEAN Resources(VOID) { return ChangeInAnItem(1); }
BOOLEAN WorkItems(VOID) { return ChangeInAnItem(20); }

static VOID Elapsed(PVOID Timer, PVOID Context) {
    ULONGLONG level;
    UNREFERENCED_PARAMETER(Timer);
    __asm__ volatile("movq %%cr8, %0" : "=r"(level));
    *(ULONGLONG*)Context += level;
}
BOOLEAN SystemTimers(VOID) {
    ULONGLONG level = 0;
    PVOID timer = ExAllocateTimer(Elapsed, &level, 0);

    if (timer == NULL) {
        return 0;
    }
    ExSetTimer(timer, -50000, 0, NULL);
    KeWaitForSingleObject(timer, 0, 0, 0, NULL);
    ExSetTimer(timer, -50000, 10000, NULL);
    return ExDeleteTimer(timer, 1, 1, NULL) && level == 2;
}

BOOLEAN Identities(VOID) {
    return PsGetCurrentProcessId() != NULL && PsGetCurrentThreadId() != NULL && PsGetCurrentProcess() != NULL;
}

/* A setting of the INF, which need not be there: KEY_VALUE_PARTIAL_INFORMATION. */
BOOLEAN Settings(VOID) {
    static const WCHAR text[] = {'H', 'a', 'b', 'i', 't', 'M', 'o', 'd', 'e', 0};
    struct {
        ULONG TitleIndex;
        ULONG Type;
        ULONG DataLength;
        ULONG Data;
    } value;
    UNICODE_STRING name;
    HANDLE key;
    ULONG needed;

    if (!NT_SUCCESS(IoOpenDeviceRegistryKey(NULL, 2, 0x20019, &key))) {
        return 0;
    }
    RtlInitUnicodeString(&name, text);
    if (NT_SUCCESS(ZwQueryValueKey(key, &name, 2, &value, sizeof value, &needed)) && value.Type == 4 &&
        value.Data == 2) {
        DbgPrint("the setting is 2\n");
    }
    return NT_SUCCESS(ZwClose(key));
}
