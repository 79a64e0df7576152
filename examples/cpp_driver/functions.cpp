// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The DDI functions of a driver in C++: one call each. functions.hpp has the three includes that it takes.

#include "functions.hpp"

namespace wdk = wddmcore::wdk;

static_assert(wdk::check_device<gpu>());

#if defined(_MSC_VER)
#    pragma alloc_text("PAGE", DdiQueryAdapterInfo)
#    pragma alloc_text("PAGE", DdiBuildPagingBuffer)
#    pragma alloc_text("PAGE", DdiCreateAllocation)
#    pragma alloc_text("PAGE", DdiDestroyAllocation)
#    pragma alloc_text("PAGE", DdiBeginExclusiveAccess)
#    pragma alloc_text("PAGE", DdiEndExclusiveAccess)
#    pragma alloc_text("PAGE", DdiMapCpuHostAperture)
#    pragma alloc_text("PAGE", DdiUnmapCpuHostAperture)
#endif

extern "C" {

// Pageable.

NTSTATUS APIENTRY DdiQueryAdapterInfo(const HANDLE hAdapter, const DXGKARG_QUERYADAPTERINFO* args) {
    return wdk::query_adapter_info<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiBuildPagingBuffer(const HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER* args) {
    return wdk::build_paging_buffer<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiCreateAllocation(const HANDLE hAdapter, DXGKARG_CREATEALLOCATION* args) {
    return wdk::create_allocation<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiDestroyAllocation(const HANDLE hAdapter, const DXGKARG_DESTROYALLOCATION* args) {
    return wdk::destroy_allocation<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiBeginExclusiveAccess(const HANDLE hAdapter, DXGKARG_BEGINEXCLUSIVEACCESS* args) {
    return wdk::begin_exclusive_access<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiEndExclusiveAccess(const HANDLE hAdapter, DXGKARG_ENDEXCLUSIVEACCESS* args) {
    return wdk::end_exclusive_access<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiMapCpuHostAperture(const HANDLE hAdapter, const DXGKARG_MAPCPUHOSTAPERTURE* args) {
    return wdk::map_cpu_host_aperture<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiUnmapCpuHostAperture(const HANDLE hAdapter, const DXGKARG_UNMAPCPUHOSTAPERTURE* args) {
    return wdk::unmap_cpu_host_aperture<gpu>(hAdapter, args);
}

// Resident.

NTSTATUS APIENTRY DdiCreateContext(const HANDLE hDevice, DXGKARG_CREATECONTEXT* args) {
    return wdk::create_context<gpu>(hDevice, args);
}
NTSTATUS APIENTRY DdiDestroyContext(const HANDLE hContext) { return wdk::destroy_context<gpu>(hContext); }
VOID APIENTRY DdiSetRootPageTable(const HANDLE hAdapter, const DXGKARG_SETROOTPAGETABLE* args) {
    wdk::set_root_page_table<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiSubmitCommandVirtual(const HANDLE hAdapter, const DXGKARG_SUBMITCOMMANDVIRTUAL* args) {
    return wdk::submit_command_virtual<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiPreemptCommand(const HANDLE hAdapter, const DXGKARG_PREEMPTCOMMAND* args) {
    return wdk::preempt_command<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiCancelCommand(const HANDLE hAdapter, const DXGKARG_CANCELCOMMAND* args) {
    return wdk::cancel_command<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiQueryCurrentFence(const HANDLE hAdapter, DXGKARG_QUERYCURRENTFENCE* args) {
    return wdk::query_current_fence<gpu>(hAdapter, args);
}
BOOLEAN APIENTRY DdiInterruptRoutine(const PVOID MiniportDeviceContext, ULONG MessageNumber) {
    return wdk::interrupt_routine<gpu>(MiniportDeviceContext, MessageNumber);
}
VOID APIENTRY DdiDpcRoutine(const PVOID MiniportDeviceContext) { wdk::dpc_routine<gpu>(MiniportDeviceContext); }
NTSTATUS APIENTRY DdiQueryEngineStatus(const HANDLE hAdapter, DXGKARG_QUERYENGINESTATUS* args) {
    return wdk::query_engine_status<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiQueryDependentEngineGroup(const HANDLE hAdapter, DXGKARG_QUERYDEPENDENTENGINEGROUP* args) {
    return wdk::query_dependent_engine_group<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiResetEngine(const HANDLE hAdapter, DXGKARG_RESETENGINE* args) {
    return wdk::reset_engine<gpu>(hAdapter, args);
}
NTSTATUS APIENTRY DdiResetFromTimeout(const HANDLE hAdapter) { return wdk::reset_from_timeout<gpu>(hAdapter); }
NTSTATUS APIENTRY DdiRestartFromTimeout(const HANDLE hAdapter) { return wdk::restart_from_timeout<gpu>(hAdapter); }
}
