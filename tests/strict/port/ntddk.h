/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/*
 * What the example drivers use of the kernel's header, in the shape that the reference pages give; a kit's own ntddk.h takes
 * its place in a driver.
 */

#include <d3dkmddi.h> /* the twin: the base types are there */

#define IN
#define OUT
#define _In_
#define _Inout_
#define _Use_decl_annotations_
#define NTAPI __stdcall
#define UNREFERENCED_PARAMETER(parameter) ((void)(parameter))
#define PAGED_CODE() ((void)0)
#if defined(__cplusplus)
#    define C_ASSERT(condition) static_assert(condition, #condition)
#else
#    define C_ASSERT(condition) _Static_assert(condition, #condition)
#endif
#if !defined(NULL)
#    if defined(__cplusplus)
#        define NULL 0
#    else
#        define NULL ((void*)0)
#    endif
#endif
#define NT_SUCCESS(status) ((NTSTATUS)(status) >= 0)
#define STATUS_SUCCESS ((NTSTATUS)0x00000000)
#define STATUS_UNSUCCESSFUL ((NTSTATUS)0xC0000001)
#define STATUS_INVALID_PARAMETER ((NTSTATUS)0xC000000D)
#define STATUS_NO_MEMORY ((NTSTATUS)0xC0000017)
#define STATUS_NOT_SUPPORTED ((NTSTATUS)0xC00000BB)
#define STATUS_REVISION_MISMATCH ((NTSTATUS)0xC0000059)
#define DPFLTR_IHVVIDEO_ID 78
#define DPFLTR_ERROR_LEVEL 0
#define POOL_FLAG_NON_PAGED 0x40
#define POOL_FLAG_PAGED 0x100

#if defined(__cplusplus)
extern "C" {
#endif

typedef ULONG_PTR KSPIN_LOCK;
typedef UCHAR KIRQL;
typedef BOOLEAN KSYNCHRONIZE_ROUTINE(PVOID SynchronizeContext);
typedef KSYNCHRONIZE_ROUTINE* PKSYNCHRONIZE_ROUTINE;
typedef struct _DRIVER_OBJECT DRIVER_OBJECT, *PDRIVER_OBJECT;
typedef VOID DRIVER_UNLOAD(PDRIVER_OBJECT DriverObject);
typedef DRIVER_UNLOAD* PDRIVER_UNLOAD;
struct _DRIVER_OBJECT { /* Of its members only one, which lies where Windows looks for it. */
    ULONG_PTR Before[13];
    PDRIVER_UNLOAD DriverUnload;
};
typedef const WCHAR* PCWSTR;
typedef struct _UNICODE_STRING {
    unsigned short Length;
    unsigned short MaximumLength;
    WCHAR* Buffer;
} UNICODE_STRING, *PUNICODE_STRING;
typedef NTSTATUS DRIVER_INITIALIZE(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath);

/* Resources: packed, and of the union only what memory needs. */
#pragma pack(push, 4)
typedef struct _CM_PARTIAL_RESOURCE_DESCRIPTOR {
    UCHAR Type;
    UCHAR ShareDisposition;
    unsigned short Flags;
    union {
        struct {
            LARGE_INTEGER Start;
            ULONG Length;
        } Memory;
        ULONG Whole[4];
    } u;
} CM_PARTIAL_RESOURCE_DESCRIPTOR;
typedef struct _CM_RESOURCE_LIST { /* of one bus */
    ULONG Count;
    ULONG InterfaceType;
    ULONG BusNumber;
    unsigned short Version;
    unsigned short Revision;
    ULONG DescriptorCount;
    CM_PARTIAL_RESOURCE_DESCRIPTOR Descriptors[1];
} CM_RESOURCE_LIST, *PCM_RESOURCE_LIST;
#pragma pack(pop)
#define CmResourceTypeMemory 3
#define PAGE_READWRITE 4

/* Files. */
typedef struct _OBJECT_ATTRIBUTES {
    ULONG Length;
    HANDLE RootDirectory;
    PUNICODE_STRING ObjectName;
    ULONG Attributes;
    PVOID SecurityDescriptor;
    PVOID SecurityQualityOfService;
} OBJECT_ATTRIBUTES, *POBJECT_ATTRIBUTES;
typedef struct _IO_STATUS_BLOCK {
    ULONG_PTR Status; /* a union with a pointer */
    ULONG_PTR Information;
} IO_STATUS_BLOCK, *PIO_STATUS_BLOCK;
#define InitializeObjectAttributes(to, name, flags, root, security)                                     \
    ((to)->Length = sizeof(OBJECT_ATTRIBUTES), (to)->RootDirectory = (root), (to)->ObjectName = (name), \
     (to)->Attributes = (flags), (to)->SecurityDescriptor = (security), (to)->SecurityQualityOfService = NULL)
#define OBJ_CASE_INSENSITIVE 0x40
#define OBJ_KERNEL_HANDLE 0x200
#define FILE_GENERIC_WRITE 0x00120116
#define FILE_ATTRIBUTE_NORMAL 0x80
#define FILE_OVERWRITE_IF 5
#define FILE_SYNCHRONOUS_IO_NONALERT 0x20

typedef __int64 LONG64;
/* clang has these as functions of its own; the kit's headers make functions with other names of them. */
LONG64 _InterlockedExchangeAdd64(LONG64 volatile*, LONG64);
#define InterlockedExchangeAdd64 _InterlockedExchangeAdd64
#define ReadULong64Acquire(from) __atomic_load_n(from, __ATOMIC_ACQUIRE)
#define ReadULongAcquire(from) __atomic_load_n(from, __ATOMIC_ACQUIRE)
#define WriteULongRelease(to, value) __atomic_store_n(to, value, __ATOMIC_RELEASE)

VOID RtlInitUnicodeString(PUNICODE_STRING DestinationString, PCWSTR SourceString);
NTSTATUS ZwCreateFile(HANDLE* FileHandle, ULONG DesiredAccess, POBJECT_ATTRIBUTES ObjectAttributes,
                      PIO_STATUS_BLOCK IoStatusBlock, LARGE_INTEGER* AllocationSize, ULONG FileAttributes,
                      ULONG ShareAccess, ULONG CreateDisposition, ULONG CreateOptions, PVOID EaBuffer, ULONG EaLength);
NTSTATUS ZwWriteFile(HANDLE FileHandle, HANDLE Event, PVOID ApcRoutine, PVOID ApcContext,
                     PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer, ULONG Length, LARGE_INTEGER* ByteOffset, ULONG* Key);
NTSTATUS ZwClose(HANDLE Handle);
PVOID MmMapIoSpaceEx(LARGE_INTEGER PhysicalAddress, SIZE_T NumberOfBytes, ULONG Protect);
VOID MmUnmapIoSpace(PVOID BaseAddress, SIZE_T NumberOfBytes);
VOID KeInitializeSpinLock(KSPIN_LOCK* SpinLock);
VOID KeAcquireSpinLock(KSPIN_LOCK* SpinLock, KIRQL* OldIrql);
VOID KeReleaseSpinLock(KSPIN_LOCK* SpinLock, KIRQL NewIrql);
PVOID ExAllocatePool2(ULONG64 Flags, SIZE_T NumberOfBytes, ULONG Tag); /* zeroed */
VOID ExFreePoolWithTag(PVOID P, ULONG Tag);
ULONG DbgPrintEx(ULONG ComponentId, ULONG Level, const CHAR* Format, ...);

#if defined(__cplusplus)
}
#endif
