// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <dispmprt.h>

#include <wddmcore/wdk/resident_functions.hpp>

#if defined(_MSC_VER)
// What only paging, queries and allocations need goes to the pageable section PAGE. What the resident functions need was
// included before and stays outside.
#    pragma code_seg(push, "PAGE")
#endif
#include <wddmcore/wdk/pageable_functions.hpp>
#if defined(_MSC_VER)
#    pragma code_seg(pop)
#endif

#include "gpu.hpp"

/// The driver's DDI functions, each declared with the DDI's own type.
extern "C" {

// driver.cpp
DXGKDDI_ADD_DEVICE DdiAddDevice;
DXGKDDI_START_DEVICE DdiStartDevice;
DXGKDDI_STOP_DEVICE DdiStopDevice;
DXGKDDI_REMOVE_DEVICE DdiRemoveDevice;
DXGKDDI_CREATEDEVICE DdiCreateDevice;
DXGKDDI_DESTROYDEVICE DdiDestroyDevice;

// functions.cpp
DXGKDDI_QUERYADAPTERINFO DdiQueryAdapterInfo;
DXGKDDI_BUILDPAGINGBUFFER DdiBuildPagingBuffer;
DXGKDDI_CREATEALLOCATION DdiCreateAllocation;
DXGKDDI_DESTROYALLOCATION DdiDestroyAllocation;
DXGKDDI_BEGINEXCLUSIVEACCESS DdiBeginExclusiveAccess;
DXGKDDI_ENDEXCLUSIVEACCESS DdiEndExclusiveAccess;
DXGKDDI_MAPCPUHOSTAPERTURE DdiMapCpuHostAperture;
DXGKDDI_UNMAPCPUHOSTAPERTURE DdiUnmapCpuHostAperture;
DXGKDDI_CREATECONTEXT DdiCreateContext;
DXGKDDI_DESTROYCONTEXT DdiDestroyContext;
DXGKDDI_SETROOTPAGETABLE DdiSetRootPageTable;
DXGKDDI_SUBMITCOMMANDVIRTUAL DdiSubmitCommandVirtual;
DXGKDDI_PREEMPTCOMMAND DdiPreemptCommand;
DXGKDDI_CANCELCOMMAND DdiCancelCommand;
DXGKDDI_QUERYCURRENTFENCE DdiQueryCurrentFence;
DXGKDDI_INTERRUPT_ROUTINE DdiInterruptRoutine;
DXGKDDI_DPC_ROUTINE DdiDpcRoutine;
DXGKDDI_QUERYENGINESTATUS DdiQueryEngineStatus;
DXGKDDI_QUERYDEPENDENTENGINEGROUP DdiQueryDependentEngineGroup;
DXGKDDI_RESETENGINE DdiResetEngine;
DXGKDDI_RESETFROMTIMEOUT DdiResetFromTimeout;
DXGKDDI_RESTARTFROMTIMEOUT DdiRestartFromTimeout;
}
