// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "driver.hpp"

#include <wddmcore/testing/driver_table.h>

#include <cstddef>

/// The driver's DDI functions, behind the simulators' C table. A driver that is built for Windows has one function for
/// each, with the same call in it (cpp_driver/functions.cpp).
namespace wddmcore::examples::skeleton {

static_assert(sizeof(packet_data) == sizeof(wddmcore_packet_private_data) &&
              offsetof(packet_data, address) == offsetof(wddmcore_packet_private_data, address));

/// A function of the driver, or of the library with hAdapter, as a function of the table.
template <auto Function>
struct entry;
template <class Args, ntstatus (driver::*Function)(Args&)>
struct entry<Function> {
    static constexpr unsigned size = sizeof(Args);
    static int WDDMCORE_DRIVER_CALL reads(void* d, void const* args) {
        return (static_cast<driver*>(d)->*Function)(*static_cast<Args*>(args));
    }
    static int WDDMCORE_DRIVER_CALL writes(void* d, void* args) {
        return (static_cast<driver*>(d)->*Function)(*static_cast<Args*>(args));
    }
};
template <ntstatus (driver::*Function)()>
struct entry<Function> {
    static int WDDMCORE_DRIVER_CALL call(void* d) { return (static_cast<driver*>(d)->*Function)(); }
};
template <class Args, ntstatus (*Function)(void*, Args*) noexcept>
struct entry<Function> {
    static constexpr unsigned size = sizeof(Args);
    static int WDDMCORE_DRIVER_CALL reads(void* d, void const* args) {
        return Function(static_cast<driver*>(d)->handle(), static_cast<Args*>(args));
    }
    static int WDDMCORE_DRIVER_CALL writes(void* d, void* args) {
        return Function(static_cast<driver*>(d)->handle(), static_cast<Args*>(args));
    }
};
template <ntstatus (*Function)(void*) noexcept>
struct entry<Function> {
    static int WDDMCORE_DRIVER_CALL call(void* d) { return Function(static_cast<driver*>(d)->handle()); }
};

/// An adapter's life: what the simulator of the memory manager calls.
inline void add_memory_functions(wddmcore_driver_table& t) {
    t.add_device = entry<&driver::add_device>::call;
    // It makes no physical memory objects, so it has no use for the memory manager's services.
    t.start_adapter = [](void* d, wddmcore_memory_services const*)
                          WDDMCORE_DRIVER_CALL -> int { return static_cast<driver*>(d)->start_device(); };
    t.stop_device = entry<&driver::stop_device>::call;
    t.remove_device = entry<&driver::remove_device>::call;
    t.query_adapter_info = entry<&driver::query_adapter_info>::reads;
    t.query_adapter_info_size = entry<&driver::query_adapter_info>::size;
    t.begin_exclusive_access = entry<&driver::begin_exclusive_access>::reads;
    t.end_exclusive_access = entry<&driver::end_exclusive_access>::reads;
    t.create_allocation = entry<&driver::create_allocation>::writes;
    t.create_allocation_size = entry<&driver::create_allocation>::size;
    t.destroy_allocation = [](void*, void* handle) WDDMCORE_DRIVER_CALL -> int {
        driver::destroy_allocation(handle);
        return status::success;
    };
    t.create_context_with_info = entry<&wdk::create_context<adapter, ddi::dxgkarg_createcontext>>::writes;
    t.create_context_size = sizeof(ddi::dxgkarg_createcontext);
    t.destroy_context = [](void*, void* context)
                            WDDMCORE_DRIVER_CALL -> int { return wdk::destroy_context<adapter>(context); };
    t.get_root_page_table_size = [](void* d, void* args) WDDMCORE_DRIVER_CALL -> unsigned long long {
        return wdk::get_root_page_table_size<adapter>(static_cast<driver*>(d)->handle(),
                                                      static_cast<ddi::dxgkarg_getrootpagetablesize*>(args));
    };
    t.set_root_page_table = [](void* d, void const* args) WDDMCORE_DRIVER_CALL {
        wdk::set_root_page_table<adapter>(static_cast<driver*>(d)->handle(),
                                          static_cast<ddi::dxgkarg_setrootpagetable const*>(args));
    };
    t.build_paging_buffer = entry<&driver::build_paging_buffer>::writes;
    t.build_paging_buffer_size = entry<&driver::build_paging_buffer>::size;
    using submission = ddi::dxgkarg_submitcommandvirtual;
    t.submit_command_virtual = entry<&wdk::submit_command_virtual<adapter, submission>>::reads;
    t.submit_command_virtual_size = sizeof(submission);
}

/// The simulator of the scheduler makes the context allocations; their addresses come as private data.
inline int WDDMCORE_DRIVER_CALL create_saved_context(void* d, wddmcore_context_arguments* args) {
    context_request request{args->save_area};
    ddi::dxgkarg_createcontext made{};
    made.NodeOrdinal = args->node_ordinal;
    made.EngineAffinity = args->engine_affinity;
    made.Flags.SystemContext = args->system_context != 0;
    made.Flags.VirtualAddressing = 1;
    made.pPrivateDriverData = &request;
    made.PrivateDriverDataSize = sizeof request;
    ntstatus const status = wdk::create_context<adapter>(static_cast<driver*>(d)->handle(), &made);
    args->context = made.hContext;
    return status;
}

/// What the simulator of the scheduler calls in addition.
inline void add_scheduling_functions(wddmcore_driver_table& t) {
    t.start_device = [](void* d, wddmcore_system_services const* services, wddmcore_gpu const* registers)
                         WDDMCORE_DRIVER_CALL -> int {
        auto& starting = *static_cast<driver*>(d);
        starting.found.services = services;
        starting.found.registers = registers;
        return starting.start_device();
    };
    t.create_context = create_saved_context;
    // Every context addresses memory through page tables: nobody submits this way.
    t.submit_command = [](void*, void const*) WDDMCORE_DRIVER_CALL -> int { return status::not_supported; };
    t.preempt_command = entry<&wdk::preempt_command<adapter, ddi::dxgkarg_preemptcommand>>::reads;
    t.preempt_command_size = sizeof(ddi::dxgkarg_preemptcommand);
    t.cancel_command = entry<&wdk::cancel_command<adapter, ddi::dxgkarg_cancelcommand>>::reads;
    t.cancel_command_size = sizeof(ddi::dxgkarg_cancelcommand);
    t.query_current_fence = entry<&wdk::query_current_fence<adapter, ddi::dxgkarg_querycurrentfence>>::writes;
    t.query_current_fence_size = sizeof(ddi::dxgkarg_querycurrentfence);
    t.interrupt_routine = [](void* d, unsigned message) WDDMCORE_DRIVER_CALL -> int {
        return wdk::interrupt_routine<adapter>(static_cast<driver*>(d)->handle(), message);
    };
    t.dpc_routine = [](void* d) WDDMCORE_DRIVER_CALL { wdk::dpc_routine<adapter>(static_cast<driver*>(d)->handle()); };
    t.query_engine_status = entry<&wdk::query_engine_status<adapter, ddi::dxgkarg_queryenginestatus>>::writes;
    t.query_engine_status_size = sizeof(ddi::dxgkarg_queryenginestatus);
    using dependent = ddi::dxgkarg_querydependentenginegroup;
    t.query_dependent_engine_group = entry<&wdk::query_dependent_engine_group<adapter, dependent>>::writes;
    t.query_dependent_engine_group_size = sizeof(dependent);
    t.reset_engine = entry<&wdk::reset_engine<adapter, ddi::dxgkarg_resetengine>>::writes;
    t.reset_engine_size = sizeof(ddi::dxgkarg_resetengine);
    t.reset_from_timeout = entry<&wdk::reset_from_timeout<adapter>>::call;
    t.restart_from_timeout = entry<&wdk::restart_from_timeout<adapter>>::call;
    t.notify_interrupt_data_size = sizeof(ddi::dxgkargcb_notify_interrupt_data);
}

/// The whole table of a driver, which outlives it.
[[nodiscard]] inline wddmcore_driver_table table_of(driver& d) {
    wddmcore_driver_table t{};
    t.size = sizeof t;
    t.version = static_cast<u32>(gpu::caps.version);
    t.adapter = &d;
    add_memory_functions(t);
    add_scheduling_functions(t);
    return t;
}

}  // namespace wddmcore::examples::skeleton
