// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../base/meta.hpp"
#include "../../../ddi/interface_version.hpp"
#include "../../../ddi/mirror/mirror.hpp"
#include "../../driver_table.h"
#include "../../scheduler_table.h"
#include "../display/ddi.hpp"

/// The scheduling structures of each interface version, and the choice of one of them at run time.
namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// The structures of one layout; `submit_virtual` is void where the version has none.
template <class Patch, class Submit, class SubmitVirtual, class Cancel, class Notify>
struct ddi_types {
    using patch = Patch;
    using submit = Submit;
    using submit_virtual = SubmitVirtual;
    using cancel = Cancel;
    using notify = Notify;
    // These never changed.
    using preempt = mirror::win8::dxgkarg_preemptcommand;
    using query_fence = mirror::win8::dxgkarg_querycurrentfence;
    using engine_status = mirror::win8::dxgkarg_queryenginestatus;
    using dependents = mirror::win8::dxgkarg_querydependentenginegroup;
    using reset_engine = mirror::win8::dxgkarg_resetengine;
};

namespace parts {

#define WDDMCORE_SCHEDULER_TYPES(version)                                                            \
    ddi_types<mirror::version::dxgkarg_patch, mirror::version::dxgkarg_submitcommand,                \
              mirror::version::dxgkarg_submitcommandvirtual, mirror::version::dxgkarg_cancelcommand, \
              mirror::version::dxgkargcb_notify_interrupt_data>

using ddi_win8 = ddi_types<mirror::win8::dxgkarg_patch, mirror::win8::dxgkarg_submitcommand, void,
                           mirror::win8::dxgkarg_cancelcommand, mirror::win8::dxgkargcb_notify_interrupt_data>;
using ddi_v1_3 = ddi_types<mirror::v1_3::dxgkarg_patch, mirror::v1_3::dxgkarg_submitcommand, void,
                           mirror::v1_3::dxgkarg_cancelcommand, mirror::v1_3::dxgkargcb_notify_interrupt_data>;
using ddi_v2_0 = WDDMCORE_SCHEDULER_TYPES(v2_0);
using ddi_v2_1 = WDDMCORE_SCHEDULER_TYPES(v2_1);
using ddi_v2_2 = WDDMCORE_SCHEDULER_TYPES(v2_2);
using ddi_v2_4 = WDDMCORE_SCHEDULER_TYPES(v2_4);
using ddi_v2_9 = WDDMCORE_SCHEDULER_TYPES(v2_9);
using ddi_v3_0 = WDDMCORE_SCHEDULER_TYPES(v3_0);
using ddi_v3_1 = WDDMCORE_SCHEDULER_TYPES(v3_1);

#undef WDDMCORE_SCHEDULER_TYPES

template <class T>
struct tag {
    using type = T;
};

/// Calls `use` with the tag of the structures that `version` has; win8 or later (PRE-01).
template <class Use>
decltype(auto) with_ddi_types(wddm version, Use&& use) {
    if (at_least(version, wddm::v3_1)) {
        return use(tag<ddi_v3_1>{});
    }
    if (at_least(version, wddm::v3_0)) {
        return use(tag<ddi_v3_0>{});
    }
    if (at_least(version, wddm::v2_9)) {
        return use(tag<ddi_v2_9>{});
    }
    if (at_least(version, wddm::v2_4)) {
        return use(tag<ddi_v2_4>{});
    }
    if (at_least(version, wddm::v2_2)) {
        return use(tag<ddi_v2_2>{});
    }
    if (at_least(version, wddm::v2_1)) {
        return use(tag<ddi_v2_1>{});
    }
    if (at_least(version, wddm::v2_0)) {
        return use(tag<ddi_v2_0>{});
    }
    return at_least(version, wddm::v1_3) ? use(tag<ddi_v1_3>{}) : use(tag<ddi_win8>{});
}

// One function of the table for each way in which a driver's member is called.
template <class Driver, class Types>
struct thunks {
    [[nodiscard]] static Driver& of(void* adapter) { return *static_cast<Driver*>(adapter); }

    static int WDDMCORE_DRIVER_CALL start(void* a, wddmcore_system_services const* services, wddmcore_gpu const* gpu) {
        return of(a).template start_device<Types>(*services, *gpu);
    }
    static int WDDMCORE_DRIVER_CALL create_context(void* a, wddmcore_context_arguments* args) {
        return of(a).create_context(*args);
    }
    static int WDDMCORE_DRIVER_CALL destroy_context(void* a, void* context) { return of(a).destroy_context(context); }
    static int WDDMCORE_DRIVER_CALL patch(void* a, void const* args) {
        return of(a).patch(*static_cast<typename Types::patch const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL submit(void* a, void const* args) {
        return of(a).submit_command(*static_cast<typename Types::submit const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL submit_virtual(void* a, void const* args) {
        return of(a).submit_command_virtual(*static_cast<typename Types::submit_virtual const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL preempt(void* a, void const* args) {
        return of(a).preempt_command(*static_cast<typename Types::preempt const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL cancel(void* a, void const* args) {
        return of(a).cancel_command(*static_cast<typename Types::cancel const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL query_fence(void* a, void* args) {
        return of(a).query_current_fence(*static_cast<typename Types::query_fence*>(args));
    }
    static int WDDMCORE_DRIVER_CALL interrupt(void* a, unsigned message) {
        return of(a).interrupt_routine(message) ? 1 : 0;
    }
    static void WDDMCORE_DRIVER_CALL dpc(void* a) { of(a).dpc_routine(); }
    static int WDDMCORE_DRIVER_CALL status(void* a, void* args) {
        return of(a).query_engine_status(*static_cast<typename Types::engine_status*>(args));
    }
    static int WDDMCORE_DRIVER_CALL dependents(void* a, void* args) {
        return of(a).query_dependent_engine_group(*static_cast<typename Types::dependents*>(args));
    }
    static int WDDMCORE_DRIVER_CALL reset_engine(void* a, void* args) {
        return of(a).reset_engine(*static_cast<typename Types::reset_engine*>(args));
    }
    static int WDDMCORE_DRIVER_CALL reset_adapter(void* a) { return of(a).reset_from_timeout(); }
    static int WDDMCORE_DRIVER_CALL restart(void* a) { return of(a).restart_from_timeout(); }
};

}  // namespace parts

/// The table of a driver that is compiled on the host against the mirrors, with the scheduling functions.
///
/// `Driver` has members named as the table's functions, each returning an NTSTATUS (`interrupt_routine` a bool,
/// `dpc_routine` nothing); those that take a structure of the DDI are member templates over it.
/// `start_device<Types>(services, gpu)` also learns the structures: `Types::notify` is
/// DXGKARGCB_NOTIFY_INTERRUPT_DATA. Optional are `patch`, `submit_command_virtual`, `cancel_command` and, together,
/// `query_engine_status`, `query_dependent_engine_group` and `reset_engine`; and for flips `set_vidpn_source_address`,
/// `set_vidpn_source_visibility` and `present`, which also gets the context's handle.
/// @param driver   outlives the table; becomes the adapter handle
/// @param version  the interface version that it registers with, win8 or later
template <class Driver>
[[nodiscard]] wddmcore_driver_table bind_scheduled_driver(Driver& driver, wddm version) {
    return parts::with_ddi_types(version, [&](auto chosen) {
        using types = typename decltype(chosen)::type;
        using to = parts::thunks<Driver, types>;
        wddmcore_driver_table table{};
        table.size = static_cast<unsigned>(sizeof table);
        table.version = static_cast<unsigned>(version);
        table.adapter = &driver;
        table.start_device = &to::start;
        table.create_context = &to::create_context;
        table.destroy_context = &to::destroy_context;
        table.submit_command = &to::submit;
        table.submit_command_size = static_cast<unsigned>(sizeof(typename types::submit));
        table.preempt_command = &to::preempt;
        table.preempt_command_size = static_cast<unsigned>(sizeof(typename types::preempt));
        table.query_current_fence = &to::query_fence;
        table.query_current_fence_size = static_cast<unsigned>(sizeof(typename types::query_fence));
        table.interrupt_routine = &to::interrupt;
        table.dpc_routine = &to::dpc;
        table.reset_from_timeout = &to::reset_adapter;
        table.restart_from_timeout = &to::restart;
        table.notify_interrupt_data_size = static_cast<unsigned>(sizeof(typename types::notify));
        if constexpr (requires(typename types::patch const& args) { driver.patch(args); }) {
            table.patch = &to::patch;
            table.patch_size = static_cast<unsigned>(sizeof(typename types::patch));
        }
        if constexpr (requires(typename types::cancel const& args) { driver.cancel_command(args); }) {
            table.cancel_command = &to::cancel;
            table.cancel_command_size = static_cast<unsigned>(sizeof(typename types::cancel));
        }
        if constexpr (requires(typename types::reset_engine& args) { driver.reset_engine(args); }) {
            table.query_engine_status = &to::status;
            table.query_engine_status_size = static_cast<unsigned>(sizeof(typename types::engine_status));
            table.query_dependent_engine_group = &to::dependents;
            table.query_dependent_engine_group_size = static_cast<unsigned>(sizeof(typename types::dependents));
            table.reset_engine = &to::reset_engine;
            table.reset_engine_size = static_cast<unsigned>(sizeof(typename types::reset_engine));
        }
        parts::bind_flips(driver, version, table);
        using submit_virtual = typename types::submit_virtual;
        if constexpr (!meta::is_same<submit_virtual, void>) {
            if constexpr (requires(submit_virtual const& args) { driver.submit_command_virtual(args); }) {
                table.submit_command_virtual = &to::submit_virtual;
                table.submit_command_virtual_size = static_cast<unsigned>(sizeof(submit_virtual));
            }
        }
        return table;
    });
}

}  // namespace wddmcore::testing::scheduler
