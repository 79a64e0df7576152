/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * What stands for the kit's display library when an example is linked as an image: DxgkInitialize, which asks the graphics
 * kernel's device object for its registration function by an internal control request.
 */

#include <ntddk.h>

#include <dispmprt.h>

typedef NTSTATUS INITIALIZE(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath,
                            DRIVER_INITIALIZATION_DATA* DriverInitializationData);
typedef struct _KEVENT {
    ULONG_PTR Whole[3];
} KEVENT;
#define IOCTL_REGISTRATION 0x23003F /* METHOD_NEITHER */
#define STATUS_PENDING ((NTSTATUS)0x103)
#define STATUS_IMAGE_ALREADY_LOADED ((NTSTATUS)0xC000010E)

NTSTATUS ZwLoadDriver(PUNICODE_STRING DriverServiceName);
NTSTATUS IoGetDeviceObjectPointer(PUNICODE_STRING ObjectName, ULONG DesiredAccess, PVOID* FileObject,
                                  PVOID* DeviceObject);
VOID KeInitializeEvent(KEVENT* Event, ULONG Type, BOOLEAN State);
PVOID IoBuildDeviceIoControlRequest(ULONG IoControlCode, PVOID DeviceObject, PVOID InputBuffer, ULONG InputBufferLength,
                                    PVOID OutputBuffer, ULONG OutputBufferLength, BOOLEAN InternalDeviceIoControl,
                                    KEVENT* Event, IO_STATUS_BLOCK* IoStatusBlock);
NTSTATUS IofCallDriver(PVOID DeviceObject, PVOID Irp);
NTSTATUS KeWaitForSingleObject(PVOID Object, ULONG WaitReason, UCHAR WaitMode, BOOLEAN Alertable,
                               LARGE_INTEGER* Timeout);
ULONG_PTR ObfDereferenceObject(PVOID Object);

static unsigned short const service[] = L"\\Registry\\Machine\\System\\CurrentControlSet\\Services\\DXGKrnl";
static unsigned short const device[] = L"\\Device\\DxgKrnl";

NTSTATUS DxgkInitialize(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath,
                        DRIVER_INITIALIZATION_DATA* DriverInitializationData) {
    UNICODE_STRING name;
    PVOID file;
    PVOID graphics;
    KEVENT done;
    IO_STATUS_BLOCK status;
    INITIALIZE* initialize = NULL;
    PVOID request;
    NTSTATUS answer;

    RtlInitUnicodeString(&name, service);
    answer = ZwLoadDriver(&name);
    if (!NT_SUCCESS(answer) && answer != STATUS_IMAGE_ALREADY_LOADED) {
        return answer;
    }
    RtlInitUnicodeString(&name, device);
    answer = IoGetDeviceObjectPointer(&name, 0x1F01FF, &file, &graphics);
    if (!NT_SUCCESS(answer)) {
        return answer;
    }
    KeInitializeEvent(&done, 0, 0);
    request = IoBuildDeviceIoControlRequest(IOCTL_REGISTRATION, graphics, NULL, 0, &initialize, sizeof initialize, 1,
                                            &done, &status);
    answer = STATUS_NO_MEMORY;
    if (request != NULL) {
        answer = IofCallDriver(graphics, request);
        if (answer == STATUS_PENDING) {
            KeWaitForSingleObject(&done, 0, 0, 0, NULL);
            answer = (NTSTATUS)status.Status;
        }
    }
    ObfDereferenceObject(file);
    return NT_SUCCESS(answer) ? initialize(DriverObject, RegistryPath, DriverInitializationData) : answer;
}
