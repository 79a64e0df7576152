/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/* What driver.c uses of the kernel that the stand-in headers lack; with a kit's own headers this file is not needed. */

#include <ntddk.h>

#include <dispmprt.h>

#define STATUS_BUFFER_TOO_SMALL ((NTSTATUS)0xC0000023)
#define STATUS_INSUFFICIENT_RESOURCES ((NTSTATUS)0xC000009A)
#define STATUS_IO_TIMEOUT ((NTSTATUS)0xC00000B5)
#define STATUS_DEVICE_CONFIGURATION_ERROR ((NTSTATUS)0xC0000182)
#define STATUS_ILLEGAL_INSTRUCTION ((NTSTATUS)0xC000001D)
#define STATUS_INVALID_USER_BUFFER ((NTSTATUS)0xC00000E8)
#define STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER ((NTSTATUS)0xC01E0001)
#define STATUS_GRAPHICS_CANNOTCOLORCONVERT ((NTSTATUS)0xC01E0008)

#define PAGE_SHIFT 12
#define PAGE_SIZE 0x1000
#define TRUE 1
#define FALSE 0
#define NonPagedPoolNx 512
#define SynchronizationEvent 1
#define Executive 0
#define KernelMode 0
#define THREAD_ALL_ACCESS 0x1FFFFF
#define MmNonCached 0
#define DXGK_WHICHSPACE_CONFIG 0
#define D3DDDI_ALLOCATIONPRIORITY_NORMAL 0x78000000

typedef struct _DXGKARG_SETVIDPNSOURCEVISIBILITY {
    UINT VidPnSourceId;
    BOOLEAN Visible;
} DXGKARG_SETVIDPNSOURCEVISIBILITY;

typedef struct _KEVENT {
    ULONG_PTR Whole[3];
} KEVENT;
typedef VOID KSTART_ROUTINE(PVOID StartContext);
typedef struct _OBJECT_TYPE* POBJECT_TYPE;
extern POBJECT_TYPE* PsThreadType; /* a kit's import library calls the slot itself by this name */

#define EXCEPTION_EXECUTE_HANDLER 1
#define DECLSPEC_NOINLINE __declspec(noinline)
void* memcpy(void*, const void*, SIZE_T);
#define RtlCopyMemory(to, from, bytes) ((void)memcpy((to), (from), (bytes)))
void* memset(void*, int, SIZE_T);
#define RtlZeroMemory(to, bytes) ((void)memset((to), 0, (bytes)))

VOID KeInitializeEvent(KEVENT* Event, ULONG Type, BOOLEAN State);
LONG KeSetEvent(KEVENT* Event, LONG Increment, BOOLEAN Wait);
NTSTATUS KeWaitForSingleObject(PVOID Object, ULONG WaitReason, CHAR WaitMode, BOOLEAN Alertable,
                               LARGE_INTEGER* Timeout);
NTSTATUS KeDelayExecutionThread(CHAR WaitMode, BOOLEAN Alertable, LARGE_INTEGER* Interval);
VOID KeFlushQueuedDpcs(VOID);
NTSTATUS PsCreateSystemThread(HANDLE* ThreadHandle, ULONG DesiredAccess, POBJECT_ATTRIBUTES ObjectAttributes,
                              HANDLE ProcessHandle, PVOID ClientId, KSTART_ROUTINE* StartRoutine, PVOID StartContext);
NTSTATUS PsTerminateSystemThread(NTSTATUS ExitStatus);
NTSTATUS ObReferenceObjectByHandle(HANDLE Handle, ULONG DesiredAccess, POBJECT_TYPE ObjectType, CHAR AccessMode,
                                   PVOID* Object, PVOID HandleInformation);
ULONG_PTR ObfDereferenceObject(PVOID Object);
PVOID ExAllocatePoolWithTag(ULONG PoolType, SIZE_T NumberOfBytes, ULONG Tag);
PHYSICAL_ADDRESS MmGetPhysicalAddress(PVOID BaseAddress);
#define MmGetMdlPfnArray(mdl) ((PPFN_NUMBER)((mdl) + 1))

/* Members of DXGKRNL_INTERFACE that the stand-in declares without a type. */
typedef NTSTATUS DXGKCB_MAP_MEMORY(HANDLE DeviceHandle, PHYSICAL_ADDRESS TranslatedAddress, ULONG Length,
                                   BOOLEAN InIoSpace, BOOLEAN MapToUserMode, ULONG CacheType, PVOID* VirtualAddress);
typedef NTSTATUS DXGKCB_UNMAP_MEMORY(HANDLE DeviceHandle, PVOID VirtualAddress);
typedef NTSTATUS DXGKCB_READ_DEVICE_SPACE(HANDLE DeviceHandle, ULONG DataType, PVOID Buffer, ULONG Offset, ULONG Length,
                                          ULONG* BytesRead);
