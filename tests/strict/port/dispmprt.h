/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/*
 * What the example drivers use of the display port's header, in the shape that the reference pages give. The layouts of
 * start information, device information and interface are those of tests/abi/ddi_abi_start.json. A kit's own dispmprt.h takes its place in a driver.
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

/* Opened allocations, in the layout of tests/abi/ddi_abi_start.json. */
typedef struct _DXGK_OPENALLOCATIONINFO {
    UINT hAllocation; /* D3DKMT_HANDLE */
    PVOID pPrivateDriverData;
    UINT PrivateDriverDataSize;
    HANDLE hDeviceSpecificAllocation;
} DXGK_OPENALLOCATIONINFO;

typedef struct _DXGKARG_OPENALLOCATION {
    UINT NumAllocations;
    DXGK_OPENALLOCATIONINFO* pOpenAllocation;
    PVOID pPrivateDriverData;
    UINT PrivateDriverSize;
    UINT Flags;
#if DXGKDDI_INTERFACE_VERSION >= 0x300e /* WDDM 1.2 */
    UINT SubresourceIndex;
    SIZE_T SubresourceOffset;
    UINT Pitch;
#endif
} DXGKARG_OPENALLOCATION;

typedef struct _DXGKARG_CLOSEALLOCATION {
    UINT NumAllocations;
    const HANDLE* pOpenHandleList;
} DXGKARG_CLOSEALLOCATION;

typedef enum _DXGK_HANDLE_TYPE { DXGK_HANDLE_ALLOCATION = 1, DXGK_HANDLE_RESOURCE = 2 } DXGK_HANDLE_TYPE;

typedef struct _DXGKARGCB_GETHANDLEDATA {
    UINT hObject; /* D3DKMT_HANDLE */
    DXGK_HANDLE_TYPE Type;
    UINT Flags;
} DXGKARGCB_GETHANDLEDATA;

typedef struct _DXGK_START_INFO {
    ULONG RequiredDmaQueueEntry;
    UCHAR AdapterGuid[16];
    ULONG AdapterLuid[2];
} DXGK_START_INFO, *PDXGK_START_INFO;

typedef struct _DXGK_DEVICE_INFO {
    PVOID MiniportDeviceContext;
    PDEVICE_OBJECT PhysicalDeviceObject;
    UNICODE_STRING DeviceRegistryPath;
    PCM_RESOURCE_LIST TranslatedResourceList;
    LARGE_INTEGER SystemMemorySize;
    LARGE_INTEGER HighestPhysicalAddress;
    LARGE_INTEGER AgpApertureBase;
    SIZE_T AgpApertureSize;
    ULONG DockingState;
} DXGK_DEVICE_INFO, *PDXGK_DEVICE_INFO;

typedef enum _DXGK_SERVICES { DxgkServicesFeature = 7 } DXGK_SERVICES;

/* Features of the system, WDDM 3.2: what DxgkServicesFeature gives. */
typedef struct _DXGKARGCB_ISFEATUREENABLED2 {
    UINT FeatureId; /* DXGK_FEATURE_ID */
    UINT Flags;
    struct {
        unsigned short Version;
        unsigned short Enabled : 1;
        unsigned short Others : 15;
    } Result;
} DXGKARGCB_ISFEATUREENABLED2;
typedef struct _DXGKARGCB_QUERYFEATUREINTERFACE {
    UINT FeatureId;
    unsigned short Version;
    unsigned short InterfaceSize;
    PVOID Interface;
} DXGKARGCB_QUERYFEATUREINTERFACE;
typedef struct _DXGKARGCB_FEATURE_NATIVEFENCE_CAPS_1 {
    UINT SupportOptimizedDefaultFenceType : 1;
    UINT SupportIntraGpuFenceType : 1;
} DXGKARGCB_FEATURE_NATIVEFENCE_CAPS_1;
typedef struct _DXGKCBINT_FEATURE_NATIVEFENCE_1 {
    NTSTATUS (*GetOSCaps)(DXGKARGCB_FEATURE_NATIVEFENCE_CAPS_1* Args);
} DXGKCBINT_FEATURE_NATIVEFENCE_1;
typedef struct _DXGK_FEATURE_INTERFACE {
    unsigned short Size;
    unsigned short Version;
    PVOID Context;
    PVOID InterfaceReference;
    PVOID InterfaceDereference;
    NTSTATUS (*IsFeatureEnabled)(const HANDLE hAdapter, DXGKARGCB_ISFEATUREENABLED2* Args);
    NTSTATUS (*QueryFeatureInterface)(const HANDLE hAdapter, DXGKARGCB_QUERYFEATUREINTERFACE* Args);
} DXGK_FEATURE_INTERFACE;
#define DXGK_FEATURE_NATIVE_FENCE 37
C_ASSERT(sizeof(DXGKARGCB_ISFEATUREENABLED2) == 12 && sizeof(DXGKARGCB_FEATURE_NATIVEFENCE_CAPS_1) == 4);
C_ASSERT(sizeof(void*) != 8 || (sizeof(DXGK_FEATURE_INTERFACE) == 48 && sizeof(DXGKARGCB_QUERYFEATUREINTERFACE) == 16));

struct _DXGKARGCB_INVALIDATEHWCONTEXT; /* not in older kits */

/* WDDM 3.1 and later. Functions that no example calls are pointers without a type. */
typedef struct _DXGKRNL_INTERFACE {
    ULONG Size;
    ULONG Version;
    HANDLE DeviceHandle;
    PVOID DxgkCbEvalAcpiMethod;
    NTSTATUS (*DxgkCbGetDeviceInformation)(HANDLE DeviceHandle, PDXGK_DEVICE_INFO DeviceInfo);
    PVOID DxgkCbIndicateChildStatus;
    PVOID DxgkCbMapMemory;
    BOOLEAN (*DxgkCbQueueDpc)(HANDLE DeviceHandle);
    NTSTATUS (*DxgkCbQueryServices)(HANDLE DeviceHandle, DXGK_SERVICES ServicesType, PVOID Interface);
    PVOID DxgkCbReadDeviceSpace;
    NTSTATUS (*DxgkCbSynchronizeExecution)(HANDLE DeviceHandle, PKSYNCHRONIZE_ROUTINE SynchronizeRoutine, PVOID Context,
                                           ULONG MessageNumber, BOOLEAN* ReturnValue);
    PVOID DxgkCbUnmapMemory;
    PVOID DxgkCbWriteDeviceSpace;
    PVOID DxgkCbIsDevicePresent;
    PVOID (*DxgkCbGetHandleData)(const DXGKARGCB_GETHANDLEDATA* Data);
    PVOID DxgkCbGetHandleParent;
    PVOID DxgkCbEnumHandleChildren;
    VOID (*DxgkCbNotifyInterrupt)(const HANDLE hAdapter, DXGKARGCB_NOTIFY_INTERRUPT_DATA* Data);
    VOID (*DxgkCbNotifyDpc)(const HANDLE hAdapter);
    PVOID LaterFunctions[23];
    NTSTATUS (*DxgkCbInvalidateHwContext)(const struct _DXGKARGCB_INVALIDATEHWCONTEXT* Args);
    PVOID LastFunctions[30];
} DXGKRNL_INTERFACE, *PDXGKRNL_INTERFACE;

// Measured for the 64-bit machines, which are the ones that images are made for.
C_ASSERT(sizeof(void*) != 8 || (sizeof(DXGK_OPENALLOCATIONINFO) == 32 && sizeof(DXGKARG_CLOSEALLOCATION) == 16));
C_ASSERT(sizeof(void*) != 8 ||
         (sizeof(DXGKRNL_INTERFACE) == 576 && sizeof(DXGK_DEVICE_INFO) == 80 && sizeof(DXGK_START_INFO) == 28));

NTSTATUS DxgkInitialize(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath,
                        DRIVER_INITIALIZATION_DATA* DriverInitializationData);

#if defined(__cplusplus)
}
#endif
