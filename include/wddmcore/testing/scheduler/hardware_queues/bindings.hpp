// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../ddi/interface_version.hpp"
#include "../../../ddi/mirror/mirror.hpp"
#include "../../driver_table.h"
#include "../calls/bindings.hpp"
#include "../hardware_queue_table.h"

/// The structures of hardware scheduling, and the table of a driver that is compiled on the host.
namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues {

/// The argument structures, which never changed between versions; those of native fences are of WDDM 3.2.
struct queue_types {
    using create_context = mirror::v2_2::dxgkarg_createhwcontext;
    using create_queue = mirror::v2_2::dxgkarg_createhwqueue;
    using submit = mirror::v2_2::dxgkarg_submitcommandtohwqueue;
    using switch_list = mirror::v2_2::dxgkarg_switchtohwcontextlist;
    using reset_engine = mirror::v2_2::dxgkarg_resethwengine;
    using invalidate = mirror::v2_2::dxgkargcb_invalidatehwcontext;
    using suspend = mirror::v2_4::dxgkarg_suspendcontext;
    using resume = mirror::v2_4::dxgkarg_resumecontext;
    using properties = mirror::v2_4::dxgkarg_setcontextschedulingproperties;
    using set_log = mirror::v2_4::dxgkarg_setschedulinglogbuffer;
    using log_buffer = mirror::v2_4::dxgk_scheduling_log_buffer;
    using resume_engine = mirror::v2_4::dxgkarg_resumehwengine;
    using create_fence = mirror::v3_1::dxgkarg_createnativefence;
    using destroy_fence = mirror::v3_1::dxgkarg_destroynativefence;
    using update = mirror::v3_1::dxgkarg_updatemonitoredvalues;
};

namespace parts {

/// Calls `use` with the tag of DXGKARGCB_NOTIFY_INTERRUPT_DATA as `version` has it; 2.4 or later.
template <class Use>
decltype(auto) with_notify_data(wddm version, Use&& use) {
    using scheduler::parts::tag;
    if (at_least(version, wddm::v3_1)) {
        return use(tag<mirror::v3_1::dxgkargcb_notify_interrupt_data>{});
    }
    if (at_least(version, wddm::v2_9)) {
        return use(tag<mirror::v2_9::dxgkargcb_notify_interrupt_data>{});
    }
    return use(tag<mirror::v2_4::dxgkargcb_notify_interrupt_data>{});
}

// One function of the table for each way in which a driver's member is called.
template <class Driver, class Notify>
struct thunks {
    [[nodiscard]] static Driver& of(void* adapter) { return *static_cast<Driver*>(adapter); }

    static int WDDMCORE_DRIVER_CALL start(void* a, wddmcore_queue_services const* services,
                                          wddmcore_queue_gpu const* gpu, wddmcore_queue_claims* claims) {
        return of(a).template start_hardware_queues<Notify>(*services, *gpu, *claims);
    }
    static int WDDMCORE_DRIVER_CALL create_context(void* a, void* args) {
        return of(a).create_hw_context(*static_cast<queue_types::create_context*>(args));
    }
    static int WDDMCORE_DRIVER_CALL destroy_context(void* a, void* c) { return of(a).destroy_hw_context(c); }
    static int WDDMCORE_DRIVER_CALL create_queue(void* a, void* c, void* args) {
        return of(a).create_hw_queue(c, *static_cast<queue_types::create_queue*>(args));
    }
    static int WDDMCORE_DRIVER_CALL destroy_queue(void* a, void* q) { return of(a).destroy_hw_queue(q); }
    static int WDDMCORE_DRIVER_CALL submit(void* a, void const* args) {
        return of(a).submit_command_to_hw_queue(*static_cast<queue_types::submit const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL switch_list(void* a, void const* args) {
        return of(a).switch_to_hw_context_list(*static_cast<queue_types::switch_list const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL reset_engine(void* a, void* args) {
        return of(a).reset_hw_engine(*static_cast<queue_types::reset_engine*>(args));
    }
    static int WDDMCORE_DRIVER_CALL suspend(void* a, void const* args) {
        return of(a).suspend_context(*static_cast<queue_types::suspend const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL resume(void* a, void const* args) {
        return of(a).resume_context(*static_cast<queue_types::resume const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL properties(void* a, void const* args) {
        return of(a).set_context_scheduling_properties(*static_cast<queue_types::properties const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL set_log(void* a, void const* args) {
        return of(a).set_scheduling_log_buffer(*static_cast<queue_types::set_log const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL resume_engine(void* a, void* args) {
        return of(a).resume_hw_engine(*static_cast<queue_types::resume_engine*>(args));
    }
    static int WDDMCORE_DRIVER_CALL create_fence(void* a, void* args) {
        return of(a).create_native_fence(*static_cast<queue_types::create_fence*>(args));
    }
    static int WDDMCORE_DRIVER_CALL destroy_fence(void* a, void const* args) {
        return of(a).destroy_native_fence(*static_cast<queue_types::destroy_fence const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL update(void* a, void const* args) {
        return of(a).update_monitored_values(*static_cast<queue_types::update const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL interrupt(void* a, unsigned message) {
        return of(a).interrupt_routine(message) ? 1 : 0;
    }
    static void WDDMCORE_DRIVER_CALL dpc(void* a) { of(a).dpc_routine(); }
    static int WDDMCORE_DRIVER_CALL reset_adapter(void* a) { return of(a).reset_from_timeout(); }
    static int WDDMCORE_DRIVER_CALL restart(void* a) { return of(a).restart_from_timeout(); }
};

}  // namespace parts

/// The table of a driver that is compiled on the host against the mirrors, with the functions of hardware scheduling.
///
/// `Driver` has members named as the table's functions, each returning an NTSTATUS (`interrupt_routine` a bool,
/// `dpc_routine` nothing); `start_hardware_queues<Notify>(services, gpu, claims)` also learns
/// DXGKARGCB_NOTIFY_INTERRUPT_DATA of the version. Native fences are there from WDDM 3.2 on, where the driver has
/// `update_monitored_values`.
/// @param driver   outlives the table; becomes the adapter handle
/// @param version  the interface version that it registers with, 2.4 or later
/// @return the table
template <class Driver>
[[nodiscard]] wddmcore_driver_table bind_queue_driver(Driver& driver, wddm version) {
    return parts::with_notify_data(version, [&](auto chosen) {
        using notify = typename decltype(chosen)::type;
        using to = parts::thunks<Driver, notify>;
        wddmcore_driver_table table{};
        table.size = static_cast<unsigned>(sizeof table);
        table.version = static_cast<unsigned>(version);
        table.adapter = &driver;
        table.start_hardware_queues = &to::start;
        table.create_hw_context = &to::create_context;
        table.destroy_hw_context = &to::destroy_context;
        table.create_hw_queue = &to::create_queue;
        table.destroy_hw_queue = &to::destroy_queue;
        table.submit_command_to_hw_queue = &to::submit;
        table.submit_command_to_hw_queue_size = static_cast<unsigned>(sizeof(queue_types::submit));
        table.switch_to_hw_context_list = &to::switch_list;
        table.reset_hw_engine = &to::reset_engine;
        table.suspend_context = &to::suspend;
        table.resume_context = &to::resume;
        table.set_context_scheduling_properties = &to::properties;
        table.set_scheduling_log_buffer = &to::set_log;
        table.resume_hw_engine = &to::resume_engine;
        table.interrupt_routine = &to::interrupt;
        table.dpc_routine = &to::dpc;
        table.reset_from_timeout = &to::reset_adapter;
        table.restart_from_timeout = &to::restart;
        table.notify_interrupt_data_size = static_cast<unsigned>(sizeof(notify));
        if constexpr (requires(queue_types::update const& args) { driver.update_monitored_values(args); }) {
            if (at_least(version, wddm::v3_2)) {
                table.create_native_fence = &to::create_fence;
                table.create_native_fence_size = static_cast<unsigned>(sizeof(queue_types::create_fence));
                table.destroy_native_fence = &to::destroy_fence;
                table.update_monitored_values = &to::update;
                table.update_monitored_values_size = static_cast<unsigned>(sizeof(queue_types::update));
            }
        }
        return table;
    });
}

}  // namespace wddmcore::testing::hardware_queues
