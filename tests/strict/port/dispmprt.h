/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/*
 * What the example drivers use of the display port's header, in the shape that the reference pages give; its structures were
 * not measured. A kit's own dispmprt.h takes its place in a driver.
 */

#include <d3dkmddi.h>

#include "ntddk.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* A measured structure holds only what tests/abi has numbers of, and this one has none. */
typedef struct _DXGKARG_DESTROYALLOCATION {
    UINT NumAllocations;
    const HANDLE* pAllocationList;
    HANDLE hResource;
    UINT Flags;
} DXGKARG_DESTROYALLOCATION;

typedef struct _DXGK_START_INFO {
    ULONG RequiredDmaQueueEntry;
} DXGK_START_INFO, *PDXGK_START_INFO;

typedef struct _DXGKRNL_INTERFACE {
    ULONG Size;
    ULONG Version;
    HANDLE DeviceHandle;
    VOID (*DxgkCbNotifyInterrupt)(const HANDLE hAdapter, DXGKARGCB_NOTIFY_INTERRUPT_DATA* Data);
    VOID (*DxgkCbNotifyDpc)(const HANDLE hAdapter);
    BOOLEAN (*DxgkCbQueueDpc)(HANDLE DeviceHandle);
    NTSTATUS (*DxgkCbSynchronizeExecution)(HANDLE DeviceHandle, PKSYNCHRONIZE_ROUTINE SynchronizeRoutine, PVOID Context,
                                           ULONG MessageNumber, BOOLEAN* ReturnValue);
} DXGKRNL_INTERFACE, *PDXGKRNL_INTERFACE;

NTSTATUS DxgkInitialize(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath,
                        DRIVER_INITIALIZATION_DATA* DriverInitializationData);

#if defined(__cplusplus)
}
#endif
