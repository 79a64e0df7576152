// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "driver.hpp"

#include <wddmcore/testing/driver_table.h>

#include <cstddef>

/// Puts the driver behind the simulators' C table. A driver that is built for Windows fills the table in a file of its
/// own.
namespace wddmcore::examples::skeleton {

static_assert(sizeof(packet_data) == sizeof(wddmcore_packet_private_data) &&
              offsetof(packet_data, address) == offsetof(wddmcore_packet_private_data, address));

/// A member function as a function of the table.
template <auto Function>
struct entry;
template <class Args, ntstatus (driver::*Function)(Args&)>
struct entry<Function> {
    static constexpr unsigned size = sizeof(Args);
    static int WDDMCORE_DRIVER_CALL reads(void* adapter, void const* args) {
        return (static_cast<driver*>(adapter)->*Function)(*static_cast<Args*>(args));
    }
    static int WDDMCORE_DRIVER_CALL writes(void* adapter, void* args) {
        return (static_cast<driver*>(adapter)->*Function)(*static_cast<Args*>(args));
    }
};
template <ntstatus (driver::*Function)()>
struct entry<Function> {
    static int WDDMCORE_DRIVER_CALL call(void* adapter) { return (static_cast<driver*>(adapter)->*Function)(); }
};

/// An adapter's life: what the simulator of the memory manager calls.
inline void add_memory_functions(wddmcore_driver_table& t) {
    t.add_device = entry<&driver::add_device>::call;
    // It makes no physical memory objects, so it has no use for the system's services.
    t.start_adapter = [](void* d, wddmcore_memory_services const*)
                          WDDMCORE_DRIVER_CALL -> int { return static_cast<driver*>(d)->start_memory(); };
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
    // The simulator of the memory manager preempts nothing: nothing is ever saved.
    t.create_context_with_info = [](void* d, void* args) WDDMCORE_DRIVER_CALL -> int {
        return static_cast<driver*>(d)->create_context(*static_cast<ddi::dxgkarg_createcontext*>(args), 0);
    };
    t.create_context_size = sizeof(ddi::dxgkarg_createcontext);
    t.destroy_context = [](void* d, void* context)
                            WDDMCORE_DRIVER_CALL -> int { return static_cast<driver*>(d)->destroy_context(context); };
    t.set_root_page_table = [](void* d, void const* args) WDDMCORE_DRIVER_CALL {
        static_cast<driver*>(d)->set_root_page_table(*static_cast<ddi::dxgkarg_setrootpagetable const*>(args));
    };
    t.build_paging_buffer = entry<&driver::build_paging_buffer>::writes;
    t.build_paging_buffer_size = entry<&driver::build_paging_buffer>::size;
    t.submit_command_virtual = entry<&driver::submit_command_virtual>::reads;
    t.submit_command_virtual_size = entry<&driver::submit_command_virtual>::size;
}

/// The simulator of the scheduler makes the context allocations.
inline int WDDMCORE_DRIVER_CALL create_saved_context(void* adapter, wddmcore_context_arguments* args) {
    ddi::dxgkarg_createcontext made{};
    made.NodeOrdinal = args->node_ordinal;
    made.EngineAffinity = args->engine_affinity;
    made.Flags.SystemContext = args->system_context != 0;
    made.Flags.VirtualAddressing = 1;
    ntstatus const status = static_cast<driver*>(adapter)->create_context(made, args->save_area);
    args->context = made.hContext;
    return status;
}

/// What the simulator of the scheduler calls in addition.
inline void add_scheduling_functions(wddmcore_driver_table& t) {
    t.start_device =
        [](void* d, wddmcore_system_services const* services, wddmcore_gpu const* registers)
            WDDMCORE_DRIVER_CALL -> int { return static_cast<driver*>(d)->start_scheduling(*services, *registers); };
    t.create_context = create_saved_context;
    // Every context addresses memory through page tables: nobody submits this way.
    t.submit_command = [](void*, void const*) WDDMCORE_DRIVER_CALL -> int { return status::not_supported; };
    t.preempt_command = entry<&driver::preempt_command>::reads;
    t.preempt_command_size = entry<&driver::preempt_command>::size;
    t.cancel_command = entry<&driver::cancel_command>::reads;
    t.cancel_command_size = entry<&driver::cancel_command>::size;
    t.query_current_fence = entry<&driver::query_current_fence>::writes;
    t.query_current_fence_size = entry<&driver::query_current_fence>::size;
    t.interrupt_routine = [](void* d, unsigned message) WDDMCORE_DRIVER_CALL -> int {
        return static_cast<driver*>(d)->interrupt_routine(message) ? 1 : 0;
    };
    t.dpc_routine = [](void* d) WDDMCORE_DRIVER_CALL { static_cast<driver*>(d)->dpc_routine(); };
    t.query_engine_status = entry<&driver::query_engine_status>::writes;
    t.query_engine_status_size = entry<&driver::query_engine_status>::size;
    t.query_dependent_engine_group = entry<&driver::query_dependent_engine_group>::writes;
    t.query_dependent_engine_group_size = entry<&driver::query_dependent_engine_group>::size;
    t.reset_engine = entry<&driver::reset_engine>::writes;
    t.reset_engine_size = entry<&driver::reset_engine>::size;
    t.reset_from_timeout = entry<&driver::reset_from_timeout>::call;
    t.restart_from_timeout = entry<&driver::restart_from_timeout>::call;
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
