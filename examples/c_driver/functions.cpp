// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The C++ half of a driver in C: three includes, the hardware type, and one call for each DDI function. wdk/functions.h
// declares them with the DDI's signatures.

// region: includes
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

namespace wdk = wddmcore::wdk;

static_assert(wdk::check_device<gpu>());
// end: includes

// region: paged
#if defined(_MSC_VER)
#    pragma alloc_text("PAGE", wddmcore_DxgkDdiQueryAdapterInfo)
#    pragma alloc_text("PAGE", wddmcore_DxgkDdiBuildPagingBuffer)
#    pragma alloc_text("PAGE", wddmcore_DxgkDdiCreateAllocation)
#    pragma alloc_text("PAGE", wddmcore_DxgkDdiDestroyAllocation)
#    pragma alloc_text("PAGE", wddmcore_DxgkDdiBeginExclusiveAccess)
#    pragma alloc_text("PAGE", wddmcore_DxgkDdiEndExclusiveAccess)
#    pragma alloc_text("PAGE", GpuStart)
#endif
// end: paged

extern "C" {

// The start of the library's part.

// region: start
SIZE_T GpuBytes() { return sizeof(wdk::device<gpu>); }

adapter* GpuMake(PVOID Memory) { return wdk::make_device<gpu>(Memory); }

NTSTATUS GpuStart(adapter* Adapter) {
    bool const placed = wdk::adapter_of<gpu>(Adapter).place_memory(Adapter->Found);
    return placed ? wdk::start_scheduling<gpu>(Adapter) : STATUS_INVALID_PARAMETER;
}
// end: start

// Pageable.

NTSTATUS APIENTRY wddmcore_DxgkDdiQueryAdapterInfo(const HANDLE hAdapter, const DXGKARG_QUERYADAPTERINFO* args) {
    return wdk::query_adapter_info<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiBuildPagingBuffer(const HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER* args) {
    return wdk::build_paging_buffer<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiCreateAllocation(const HANDLE hAdapter, DXGKARG_CREATEALLOCATION* args) {
    return wdk::create_allocation<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiDestroyAllocation(const HANDLE hAdapter, const DXGKARG_DESTROYALLOCATION* args) {
    return wdk::destroy_allocation<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiBeginExclusiveAccess(const HANDLE hAdapter, DXGKARG_BEGINEXCLUSIVEACCESS* args) {
    return wdk::begin_exclusive_access<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiEndExclusiveAccess(const HANDLE hAdapter, DXGKARG_ENDEXCLUSIVEACCESS* args) {
    return wdk::end_exclusive_access<gpu>(hAdapter, args);
}

// Resident.

NTSTATUS APIENTRY wddmcore_DxgkDdiCreateContext(const HANDLE hDevice, DXGKARG_CREATECONTEXT* args) {
    return wdk::create_context<gpu>(hDevice, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiDestroyContext(const HANDLE hContext) { return wdk::destroy_context<gpu>(hContext); }
VOID APIENTRY wddmcore_DxgkDdiSetRootPageTable(const HANDLE hAdapter, const DXGKARG_SETROOTPAGETABLE* args) {
    wdk::set_root_page_table<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiSubmitCommandVirtual(const HANDLE hAdapter,
                                                       const DXGKARG_SUBMITCOMMANDVIRTUAL* args) {
    return wdk::submit_command_virtual<gpu>(hAdapter, args);
}
// region: calls
NTSTATUS APIENTRY wddmcore_DxgkDdiPreemptCommand(const HANDLE hAdapter, const DXGKARG_PREEMPTCOMMAND* args) {
    return wdk::preempt_command<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiCancelCommand(const HANDLE hAdapter, const DXGKARG_CANCELCOMMAND* args) {
    return wdk::cancel_command<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiQueryCurrentFence(const HANDLE hAdapter, DXGKARG_QUERYCURRENTFENCE* args) {
    return wdk::query_current_fence<gpu>(hAdapter, args);
}
BOOLEAN APIENTRY wddmcore_DxgkDdiInterruptRoutine(const PVOID MiniportDeviceContext, ULONG MessageNumber) {
    return wdk::interrupt_routine<gpu>(MiniportDeviceContext, MessageNumber);
}
VOID APIENTRY wddmcore_DxgkDdiDpcRoutine(const PVOID MiniportDeviceContext) {
    wdk::dpc_routine<gpu>(MiniportDeviceContext);
}
// end: calls
NTSTATUS APIENTRY wddmcore_DxgkDdiQueryEngineStatus(const HANDLE hAdapter, DXGKARG_QUERYENGINESTATUS* args) {
    return wdk::query_engine_status<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiQueryDependentEngineGroup(const HANDLE hAdapter,
                                                            DXGKARG_QUERYDEPENDENTENGINEGROUP* args) {
    return wdk::query_dependent_engine_group<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiResetEngine(const HANDLE hAdapter, DXGKARG_RESETENGINE* args) {
    return wdk::reset_engine<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiResetFromTimeout(const HANDLE hAdapter) {
    return wdk::reset_from_timeout<gpu>(hAdapter);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiRestartFromTimeout(const HANDLE hAdapter) {
    return wdk::restart_from_timeout<gpu>(hAdapter);
}
}
