/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/* What the C half of the driver (driver.c) and its C++ half (gpu.hpp, functions.cpp) know of each other. */

#include "registers.h"

#include <wddmcore/wdk/functions.h>
#include <wddmcore/wdk/functions/engine_port.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* The driver's own adapter, what MiniportDeviceContext points to. The library's part lies past it. */
struct adapter {
    DXGKRNL_INTERFACE Dxgk;
    KSPIN_LOCK SubmissionLock;
    struct found_hardware Found;
};

/* What hKmdProcess points to. */
struct own_process {
    struct adapter* Adapter;
    BOOLEAN IsSystem; /* paging runs in it */
};

/* What hDevice points to. */
struct own_device {
    struct adapter* Adapter;
    struct own_process* Process;
};

/* What hDeviceSpecificAllocation points to. */
struct opened_allocation {
    struct own_device* Device;
    HANDLE Allocation; /* what the library made for the adapter */
};

/* functions.cpp: the library's part of an adapter. PASSIVE_LEVEL. */
SIZE_T GpuBytes(VOID);
struct adapter* GpuMake(PVOID Memory);
NTSTATUS GpuStart(struct adapter* Adapter);

/* driver.c: what the library asks of the driver; check_device() in wdk/functions/check.hpp says what each is for. */
KIRQL TakeSubmissionLock(struct adapter* Adapter);
VOID LeaveSubmissionLock(struct adapter* Adapter, KIRQL Before);
VOID RunSynchronized(struct adapter* Adapter, PKSYNCHRONIZE_ROUTINE Routine, PVOID Argument);
VOID NotifyInterrupt(struct adapter* Adapter, DXGKARGCB_NOTIFY_INTERRUPT_DATA* Data);
VOID QueueDpc(struct adapter* Adapter);
VOID NotifyDpc(struct adapter* Adapter);

VOID WritePacket(struct adapter* Adapter, UINT Node, const struct wddmcore_packet* Packet);
VOID ReadNews(struct adapter* Adapter, UINT Node, struct wddmcore_engine_news* News);
VOID RequestStop(struct adapter* Adapter, UINT Node, UINT Generation);
VOID WithdrawStop(struct adapter* Adapter, UINT Node);
enum wddmcore_halted Halt(struct adapter* Adapter, UINT Node, UINT* Serial);
BOOLEAN ResetNode(struct adapter* Adapter, UINT Node);
ULONGLONG NodesResetWith(struct adapter* Adapter, UINT Node);

PVOID AllocateMemory(SIZE_T Bytes);
VOID ReleaseMemory(PVOID Memory);
NTSTATUS OpenContext(DXGKARG_CREATECONTEXT* Args, struct own_context** Context);
NTSTATUS AnswerFirst(const DXGKARG_QUERYADAPTERINFO* Args);

#if defined(__cplusplus)
}
#endif
