/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/*
 * The GPU of the example drivers. Its registers are a table of functions, which a simulator fills; for a GPU that exists they
 * are reads and writes of its BAR.
 */

#include <dispmprt.h>

#include <wddmcore/testing/scheduler_table.h>

#if defined(__cplusplus)
extern "C" {
#endif

enum { NODES = 2 };

/* What PCI resources and registers say at StartDevice. */
struct found_hardware {
    ULONGLONG MemoryBytes;
    ULONGLONG BarAddress;
    ULONGLONG SystemBase;  /* where the GPU sees system page 0 */
    PVOID ApertureEntries; /* the aperture's table of entries */
    const struct wddmcore_gpu* Registers;
    ULONGLONG SaveAreas[NODES]; /* GPU addresses: of each node, for packets while the system has no context there */
    /* The table of the CPU host aperture in that BAR: the page of memory that each page shows, ~0 for none. */
    ULONGLONG* HostApertureEntries;
    UINT HostAperturePages;
};

/* DxgkCbGetDeviceInformation and MmMapIoSpaceEx, for a GPU that exists. PASSIVE_LEVEL. */
BOOLEAN FindHardware(HANDLE DeviceHandle, struct found_hardware* Found);

/* Private data of a DMA buffer. */
struct packet_data {
    UINT Invalid; /* not 0: commands that this engine cannot take */
    UINT Reserved;
    ULONGLONG Address; /* GPU address of the first byte that is submitted */
};

/* What the user-mode driver says about an allocation, in its private data. */
struct allocation_request {
    ULONGLONG Size;
    UINT CpuVisible;  /* not 0: the CPU must be able to reach it */
    UINT NotifyUnmap; /* not 0: ask for operation 22 before the IOMMU unmaps it */
};

/* What the user-mode driver says about a context. */
struct context_request {
    ULONGLONG SaveArea; /* GPU address of the memory that an engine saves the context to */
};

/* A context of this driver. */
struct own_context {
    ULONGLONG SaveArea;
    UINT RootSegment;
    UINT RootEntries;
    ULONGLONG RootOffset;
};

#if defined(__cplusplus)
}
#endif
