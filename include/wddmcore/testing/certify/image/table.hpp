// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "driver.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// The functions that an image registered, as a table for the simulators. A function that is not registered is absent.
namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts::image_functions {

[[nodiscard]] inline image_driver& driver() { return image_driver::current(); }

inline int WDDMCORE_DRIVER_CALL add_device(void*) { return driver().add_device(); }
inline int WDDMCORE_DRIVER_CALL start_adapter(void*, wddmcore_memory_services const* services) {
    image_driver::graphics().memory = services;
    return driver().start_device();
}
inline int WDDMCORE_DRIVER_CALL stop_device(void*) { return driver().stop_device(); }
inline int WDDMCORE_DRIVER_CALL remove_device(void*) { return driver().remove_device(); }
inline int WDDMCORE_DRIVER_CALL query_adapter_info(void*, void const* args) {
    return driver().call("DxgkDdiQueryAdapterInfo", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL create_context_with_info(void*, void* args) { return driver().create_context(args); }
inline int WDDMCORE_DRIVER_CALL destroy_context(void*, void* context) {
    return driver().call_with("DxgkDdiDestroyContext", kp::passive_level, context);
}
inline int WDDMCORE_DRIVER_CALL create_allocation(void*, void* args) {
    return driver().call("DxgkDdiCreateAllocation", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL destroy_allocation(void*, void* handle) { return driver().destroy_allocation(handle); }
inline int WDDMCORE_DRIVER_CALL begin_exclusive_access(void*, void const* args) {
    return driver().call("DxgkDdiBeginExclusiveAccess", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL end_exclusive_access(void*, void const* args) {
    return driver().call("DxgkDdiEndExclusiveAccess", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL map_cpu_host_aperture(void*, void const* args) {
    return driver().call("DxgkDdiMapCpuHostAperture", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL unmap_cpu_host_aperture(void*, void const* args) {
    return driver().call("DxgkDdiUnmapCpuHostAperture", kp::passive_level, args);
}
inline unsigned long long WDDMCORE_DRIVER_CALL get_root_page_table_size(void*, void* args) {
    auto const f = driver().function<std::uint64_t(WDDMCORE_DRIVER_CALL*)(void*, void*)>("DxgkDdiGetRootPageTableSize");
    return driver().kernel().call("DxgkDdiGetRootPageTableSize", kp::passive_level,
                                  [&] { return f(driver().miniport(), args); });
}
inline void WDDMCORE_DRIVER_CALL set_root_page_table(void*, void const* args) {
    auto const f = driver().function<void(WDDMCORE_DRIVER_CALL*)(void*, void const*)>("DxgkDdiSetRootPageTable");
    driver().kernel().call("DxgkDdiSetRootPageTable", kp::passive_level, [&] { f(driver().miniport(), args); });
}
inline int WDDMCORE_DRIVER_CALL build_paging_buffer(void*, void* args) {
    return driver().call("DxgkDdiBuildPagingBuffer", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL patch(void*, void const* args) {
    return driver().call("DxgkDdiPatch", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL submit_command(void*, void const* args) {
    return driver().call("DxgkDdiSubmitCommand", kp::dispatch_level, args);
}
inline int WDDMCORE_DRIVER_CALL submit_command_virtual(void*, void const* args) {
    return driver().call("DxgkDdiSubmitCommandVirtual", kp::dispatch_level, args);
}
inline int WDDMCORE_DRIVER_CALL preempt_command(void*, void const* args) {
    return driver().call("DxgkDdiPreemptCommand", kp::dispatch_level, args);
}
inline int WDDMCORE_DRIVER_CALL cancel_command(void*, void const* args) {
    return driver().call("DxgkDdiCancelCommand", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL query_current_fence(void*, void* args) {
    return driver().call("DxgkDdiQueryCurrentFence", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL interrupt_routine(void*, unsigned message) {
    return driver().interrupt(message) ? 1 : 0;
}
inline void WDDMCORE_DRIVER_CALL dpc_routine(void*) { driver().deferred(); }
inline int WDDMCORE_DRIVER_CALL query_engine_status(void*, void* args) {
    return driver().call("DxgkDdiQueryEngineStatus", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL query_dependent_engine_group(void*, void* args) {
    return driver().call("DxgkDdiQueryDependentEngineGroup", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL reset_engine(void*, void* args) {
    return driver().call("DxgkDdiResetEngine", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL reset_from_timeout(void*) {
    return driver().call_with("DxgkDdiResetFromTimeout", kp::passive_level, driver().miniport());
}
inline int WDDMCORE_DRIVER_CALL restart_from_timeout(void*) {
    return driver().call_with("DxgkDdiRestartFromTimeout", kp::passive_level, driver().miniport());
}

inline int WDDMCORE_DRIVER_CALL set_vidpn_source_address(void*, void const* args) {
    return driver().call("DxgkDdiSetVidPnSourceAddress", kp::device_level, args);
}
inline int WDDMCORE_DRIVER_CALL set_vidpn_source_visibility(void*, wddmcore_source_visibility const* args) {
    return driver().call("DxgkDdiSetVidPnSourceVisibility", kp::passive_level, args);
}
inline int WDDMCORE_DRIVER_CALL present(void*, void* context, void* args) {
    auto const f = driver().function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void*)>("DxgkDdiPresent");
    return driver().kernel().call("DxgkDdiPresent", kp::passive_level, [&] { return f(context, args); });
}

/// A member of a table, where the loaded image has registered the function of that name.
template <class Member>
void when(char const* name, Member& member, Member function) {
    if (driver().has(name)) {
        member = function;
    }
}

/// The table of the loaded image. `create_context` and `start_device` of scheduling are the run's: it knows the device.
[[nodiscard]] inline wddmcore_driver_table table() {
    image_driver& d = driver();
    wddmcore_driver_table t{};
    t.size = sizeof t;
    t.version = d.registered().sizes.version;
    t.add_device = &add_device;
    t.start_adapter = &start_adapter;
    t.stop_device = &stop_device;
    t.remove_device = &remove_device;
    when("DxgkDdiQueryAdapterInfo", t.query_adapter_info, &query_adapter_info);
    when("DxgkDdiCreateContext", t.create_context_with_info, &create_context_with_info);
    when("DxgkDdiDestroyContext", t.destroy_context, &destroy_context);
    when("DxgkDdiCreateAllocation", t.create_allocation, &create_allocation);
    when("DxgkDdiDestroyAllocation", t.destroy_allocation, &destroy_allocation);
    when("DxgkDdiBeginExclusiveAccess", t.begin_exclusive_access, &begin_exclusive_access);
    when("DxgkDdiEndExclusiveAccess", t.end_exclusive_access, &end_exclusive_access);
    when("DxgkDdiMapCpuHostAperture", t.map_cpu_host_aperture, &map_cpu_host_aperture);
    when("DxgkDdiUnmapCpuHostAperture", t.unmap_cpu_host_aperture, &unmap_cpu_host_aperture);
    when("DxgkDdiGetRootPageTableSize", t.get_root_page_table_size, &get_root_page_table_size);
    when("DxgkDdiSetRootPageTable", t.set_root_page_table, &set_root_page_table);
    when("DxgkDdiBuildPagingBuffer", t.build_paging_buffer, &build_paging_buffer);
    when("DxgkDdiPatch", t.patch, &patch);
    when("DxgkDdiSubmitCommand", t.submit_command, &submit_command);
    when("DxgkDdiSubmitCommandVirtual", t.submit_command_virtual, &submit_command_virtual);
    when("DxgkDdiPreemptCommand", t.preempt_command, &preempt_command);
    when("DxgkDdiCancelCommand", t.cancel_command, &cancel_command);
    when("DxgkDdiQueryCurrentFence", t.query_current_fence, &query_current_fence);
    when("DxgkDdiInterruptRoutine", t.interrupt_routine, &interrupt_routine);
    when("DxgkDdiDpcRoutine", t.dpc_routine, &dpc_routine);
    when("DxgkDdiQueryEngineStatus", t.query_engine_status, &query_engine_status);
    when("DxgkDdiQueryDependentEngineGroup", t.query_dependent_engine_group, &query_dependent_engine_group);
    when("DxgkDdiResetEngine", t.reset_engine, &reset_engine);
    when("DxgkDdiResetFromTimeout", t.reset_from_timeout, &reset_from_timeout);
    when("DxgkDdiRestartFromTimeout", t.restart_from_timeout, &restart_from_timeout);
    when("DxgkDdiSetVidPnSourceAddress", t.set_vidpn_source_address, &set_vidpn_source_address);
    when("DxgkDdiSetVidPnSourceVisibility", t.set_vidpn_source_visibility, &set_vidpn_source_visibility);
    when("DxgkDdiPresent", t.present, &present);
    return t;
}

}  // namespace wddmcore::testing::certify_parts::image_functions

#endif
