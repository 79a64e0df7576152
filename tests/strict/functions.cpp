// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The DDI functions of wdk/, instantiated with the structures of the included DDI header, and their prototypes for C,
// defined with the signatures of that header.

#include <dispmprt.h>

#include <wddmcore/wdk/resident_functions.hpp>

#include "described_gpu.hpp"

#include <wddmcore/wdk/functions.h>
#include <wddmcore/wdk/pageable_functions.hpp>

struct _DXGKARG_BEGINEXCLUSIVEACCESS;
struct _DXGKARG_ENDEXCLUSIVEACCESS;
struct _DXGKARG_CANCELCOMMAND;
struct _DXGKARG_CREATEHWQUEUE;
struct _DXGKARG_GETROOTPAGETABLESIZE;
struct _DXGKARG_MAPCPUHOSTAPERTURE;
struct _DXGKARG_QUERYDEPENDENTENGINEGROUP;
struct _DXGKARG_QUERYENGINESTATUS;
struct _DXGKARG_RESETENGINE;
struct _DXGKARG_RESETHWENGINE;
struct _DXGKARG_RESUMECONTEXT;
struct _DXGKARG_RESUMEHWENGINE;
struct _DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES;
struct _DXGKARG_SETROOTPAGETABLE;
struct _DXGKARG_SUBMITCOMMANDTOHWQUEUE;
struct _DXGKARG_SUBMITCOMMANDVIRTUAL;
struct _DXGKARG_SUSPENDCONTEXT;
struct _DXGKARG_UNMAPCPUHOSTAPERTURE;

namespace strict {

using adapter = described_gpu;
static_assert(wdk::check_device<adapter>() && wdk::check_rendering<adapter>() && wdk::check_hw_queues<adapter>());

/// Calls `use(structure)` where the header has the structure.
template <class Structure>
void with(void* any, auto use) {
    if constexpr (present<Structure>) {
        use(static_cast<Structure*>(any));
    }
}

void virtual_addresses(void* h, void* any) {
    with<_DXGKARG_SUBMITCOMMANDVIRTUAL>(
        any, [h](auto* args) { static_cast<void>(wdk::submit_command_virtual<adapter>(h, args)); });
    with<_DXGKARG_SETROOTPAGETABLE>(any, [h](auto* args) { wdk::set_root_page_table<adapter>(h, args); });
    with<_DXGKARG_GETROOTPAGETABLESIZE>(
        any, [h](auto* args) { static_cast<void>(wdk::get_root_page_table_size<adapter>(h, args)); });
    with<_DXGKARG_BEGINEXCLUSIVEACCESS>(
        any, [h](auto* args) { static_cast<void>(wdk::begin_exclusive_access<adapter>(h, args)); });
    with<_DXGKARG_ENDEXCLUSIVEACCESS>(
        any, [h](auto* args) { static_cast<void>(wdk::end_exclusive_access<adapter>(h, args)); });
    with<_DXGKARG_MAPCPUHOSTAPERTURE>(
        any, [h](auto* args) { static_cast<void>(wdk::map_cpu_host_aperture<adapter>(h, args)); });
    with<_DXGKARG_UNMAPCPUHOSTAPERTURE>(
        any, [h](auto* args) { static_cast<void>(wdk::unmap_cpu_host_aperture<adapter>(h, args)); });
}

/// Whether the included header has what hands an invalidated context over, and the record of a suspended one.
template <class Args>
inline constexpr bool invalidates = [] {
    if constexpr (present<Args>) {
        return members::invalidate_hw_context<Args>;
    } else {
        return false;
    }
}();
inline constexpr bool suspends = preemption::reports_suspensions<_DXGKARGCB_NOTIFY_INTERRUPT_DATA>;

void hardware_queues(void* h, void* any) {
    with<_DXGKARG_CREATEHWQUEUE>(any, [h](auto* args) {
        static_cast<void>(wdk::create_hw_queue<adapter>(h, args));
        static_cast<void>(wdk::destroy_hw_queue<adapter>(args->hHwQueue));
    });
    with<_DXGKARG_SUBMITCOMMANDTOHWQUEUE>(any, [h](auto* args) {
        if constexpr (members::queue_submission<decltype(*args)>) {
            static_cast<void>(wdk::submit_command_to_hw_queue<adapter>(h, args));
        }
    });
    with<_DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES>(
        any, [h](auto* args) { static_cast<void>(wdk::set_context_scheduling_properties<adapter>(h, args)); });
    with<_DXGKARG_SUSPENDCONTEXT>(any, [h](auto* args) {
        static_cast<void>(wdk::suspend_context<adapter>(h, args));
        if constexpr (suspends) {
            static_cast<void>(wdk::context_suspended<adapter>(*static_cast<wdk::context*>(args->hContext), 1));
        }
    });
    with<_DXGKARG_RESUMECONTEXT>(any, [h](auto* args) { static_cast<void>(wdk::resume_context<adapter>(h, args)); });
    with<_DXGKARG_RESETHWENGINE>(any, [h](auto* args) {
        if constexpr (invalidates<_DXGKARGCB_INVALIDATEHWCONTEXT>) {
            static_cast<void>(wdk::reset_hw_engine<adapter>(h, args));
        }
    });
    with<_DXGKARG_RESUMEHWENGINE>(any, [h](auto* args) { static_cast<void>(wdk::resume_hw_engine<adapter>(h, args)); });
}

}  // namespace strict

using strict::adapter;
namespace wdk = wddmcore::wdk;

extern "C" {

NTSTATUS APIENTRY wddmcore_DxgkDdiQueryAdapterInfo(const HANDLE h, const DXGKARG_QUERYADAPTERINFO* args) {
    return wdk::query_adapter_info<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiBuildPagingBuffer(const HANDLE h, DXGKARG_BUILDPAGINGBUFFER* args) {
    return wdk::build_paging_buffer<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiCreateAllocation(const HANDLE h, DXGKARG_CREATEALLOCATION* args) {
    return wdk::create_allocation<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiDestroyAllocation(const HANDLE h, const DXGKARG_DESTROYALLOCATION* args) {
    return wdk::destroy_allocation<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiRender(const HANDLE h, DXGKARG_RENDER* args) { return wdk::render<adapter>(h, args); }
NTSTATUS APIENTRY wddmcore_DxgkDdiPatch(const HANDLE h, const DXGKARG_PATCH* args) {
    return wdk::patch<adapter>(h, args);
}
#if DXGKDDI_INTERFACE_VERSION >= 0x300E  // WDDM 1.2
NTSTATUS APIENTRY wddmcore_DxgkDdiCreateContext(const HANDLE h, DXGKARG_CREATECONTEXT* args) {
    return wdk::create_context<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiDestroyContext(const HANDLE h) { return wdk::destroy_context<adapter>(h); }
NTSTATUS APIENTRY wddmcore_DxgkDdiSubmitCommand(const HANDLE h, const DXGKARG_SUBMITCOMMAND* args) {
    return wdk::submit_command<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiPreemptCommand(const HANDLE h, const DXGKARG_PREEMPTCOMMAND* args) {
    return wdk::preempt_command<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiCancelCommand(const HANDLE h, const DXGKARG_CANCELCOMMAND* args) {
    return wdk::cancel_command<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiQueryCurrentFence(const HANDLE h, DXGKARG_QUERYCURRENTFENCE* args) {
    return wdk::query_current_fence<adapter>(h, args);
}
BOOLEAN APIENTRY wddmcore_DxgkDdiInterruptRoutine(const PVOID h, ULONG message) {
    return wdk::interrupt_routine<adapter>(h, message);
}
VOID APIENTRY wddmcore_DxgkDdiDpcRoutine(const PVOID h) { wdk::dpc_routine<adapter>(h); }
NTSTATUS APIENTRY wddmcore_DxgkDdiQueryEngineStatus(const HANDLE h, DXGKARG_QUERYENGINESTATUS* args) {
    return wdk::query_engine_status<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiQueryDependentEngineGroup(const HANDLE h, DXGKARG_QUERYDEPENDENTENGINEGROUP* args) {
    return wdk::query_dependent_engine_group<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiResetEngine(const HANDLE h, DXGKARG_RESETENGINE* args) {
    return wdk::reset_engine<adapter>(h, args);
}
NTSTATUS APIENTRY wddmcore_DxgkDdiResetFromTimeout(const HANDLE h) { return wdk::reset_from_timeout<adapter>(h); }
NTSTATUS APIENTRY wddmcore_DxgkDdiRestartFromTimeout(const HANDLE h) { return wdk::restart_from_timeout<adapter>(h); }
#endif
}

adapter* made(void* memory) {
    adapter* const it = wdk::make_device<adapter>(memory);
    static_cast<void>(wdk::start_scheduling<adapter>(it));
    return it;
}
