// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mistake.hpp"

namespace zoo {

using record = mirror::v3_2::dxgkargcb_notify_interrupt_data;
using submit_args = mirror::v3_2::dxgkarg_submitcommandvirtual;
using preempt_args = mirror::v3_2::dxgkarg_preemptcommand;

inline constexpr u32 completed = 1;
inline constexpr u32 preempted = 2;
inline constexpr u32 page_faulted = 9;

// The functions of the table are templates by themselves: clang crashes on a lambda with a calling convention in one.
namespace detail {

template <void (*Change)(wddmcore_system_services&)>
int WDDMCORE_DRIVER_CALL started_with(void* d, wddmcore_system_services const* services, wddmcore_gpu const* gpu) {
    static wddmcore_system_services own;
    kept.services = own = *services;
    kept.gpu = *gpu;
    Change(own);
    return sound.start_device(d, &own, gpu);
}
template <void (*Change)(wddmcore_gpu&)>
int WDDMCORE_DRIVER_CALL started_seeing(void* d, wddmcore_system_services const* services, wddmcore_gpu const* gpu) {
    static wddmcore_gpu own;
    kept.gpu = own = *gpu;
    Change(own);
    return sound.start_device(d, services, &own);
}
template <void (*Change)(submit_args&)>
int WDDMCORE_DRIVER_CALL submitted(void* d, void const* args) {
    submit_args other = *static_cast<submit_args const*>(args);
    Change(other);
    return sound.submit_command_virtual(d, &other);
}

template <bool (*Change)(record&)>
void WDDMCORE_DRIVER_CALL notified(void* system, void const* data) {
    record told = *static_cast<record const*>(data);
    if (Change(told)) {
        kept.services.notify_interrupt(system, &told);
    }
}
template <bool (*Change)(record&)>
void notify_otherwise(wddmcore_system_services& s) {
    s.notify_interrupt = notified<Change>;
}

}  // namespace detail

/// The driver starts with services of its own, each of which may reach the system's by `kept.services`.
template <void (*Change)(wddmcore_system_services&)>
void serves(wddmcore_driver_table& t) {
    t.start_device = detail::started_with<Change>;
}

/// The driver notifies other records; of those for which `Change` answers false, none.
template <bool (*Change)(record&)>
void notifies(wddmcore_driver_table& t) {
    serves<detail::notify_otherwise<Change>>(t);
}

/// The driver sees its registers otherwise; the real ones are in `kept.gpu`.
template <void (*Change)(wddmcore_gpu&)>
void sees(wddmcore_driver_table& t) {
    t.start_device = detail::started_seeing<Change>;
}

/// DxgkDdiSubmitCommandVirtual understands its arguments otherwise.
template <void (*Change)(submit_args&)>
void submits(wddmcore_driver_table& t) {
    t.submit_command_virtual = detail::submitted<Change>;
}

}  // namespace zoo
