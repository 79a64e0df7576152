/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * How the driver in C finds its hardware when it is an image: what lies in the first memory range of its resources is what
 * the registers say. The GPU is that of device.cpp.
 */

#include <ntddk.h>

#include <dispmprt.h>

#include <c_driver/adapter.h>

#if defined(_MSC_VER)
#    pragma alloc_text(PAGE, FindHardware)
#endif

BOOLEAN FindHardware(HANDLE DeviceHandle, struct found_hardware* Found) {
    /* Found is a member of the adapter, which has the interface already. */
    const struct adapter* adapter =
        (const struct adapter*)((const UCHAR*)Found - __builtin_offsetof(struct adapter, Found));
    DXGK_DEVICE_INFO information;
    const CM_PARTIAL_RESOURCE_DESCRIPTOR* memory = NULL;
    const struct found_hardware* registers;
    ULONG i;

    if (!NT_SUCCESS(adapter->Dxgk.DxgkCbGetDeviceInformation(DeviceHandle, &information))) {
        return 0;
    }
    for (i = information.TranslatedResourceList->DescriptorCount; i != 0; --i) {
        if (information.TranslatedResourceList->Descriptors[i - 1].Type == CmResourceTypeMemory) {
            memory = &information.TranslatedResourceList->Descriptors[i - 1];
        }
    }
    if (memory == NULL || memory->u.Memory.Length < sizeof *Found) {
        return 0;
    }
    registers = MmMapIoSpaceEx(memory->u.Memory.Start, sizeof *Found, PAGE_READWRITE);
    if (registers == NULL) {
        return 0;
    }
    *Found = *registers;
    MmUnmapIoSpace((PVOID)registers, sizeof *Found);
    return 1;
}
