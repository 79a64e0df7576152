// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../calls/ddi_calls.hpp"
#include "bindings.hpp"

#include <stdexcept>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// Values of DXGK_INTERRUPT_TYPE.
namespace interrupt_type {
inline constexpr std::uint32_t list_switched = 13;
inline constexpr std::uint32_t context_suspended = 17;
inline constexpr std::uint32_t fence_signaled = 19;
}  // namespace interrupt_type

/// DXGKARGCB_NOTIFY_INTERRUPT_DATA as far as it concerns hardware queues.
struct record {
    std::uint32_t type = 0;
    std::uint32_t node = 0;
    void* context = nullptr;
    std::uint64_t fence = 0;
    std::vector<void*> fences;
    bool known = false;
};
using record_reader = record (*)(void const*);

template <class Args>
[[nodiscard]] record read_record(void const* from) {
    auto const& data = *static_cast<Args const*>(from);
    record r;
    r.type = static_cast<std::uint32_t>(data.InterruptType);
    switch (r.type) {
        case interrupt_type::list_switched:
            if constexpr (requires { data.HwContextListSwitchCompleted; }) {
                r.node = data.HwContextListSwitchCompleted.NodeOrdinal;
                r.fence = data.HwContextListSwitchCompleted.ContextSwitchFence;
                r.known = true;
            }
            break;
        case interrupt_type::context_suspended:
            if constexpr (requires { data.SuspendContextCompleted; }) {
                r.context = data.SuspendContextCompleted.hContext;
                r.fence = data.SuspendContextCompleted.ContextSuspendFence;
                r.known = true;
            }
            break;
        case interrupt_type::fence_signaled:
            if constexpr (requires { data.NativeFenceSignaled; }) {
                r.node = data.NativeFenceSignaled.NodeOrdinal;
                for (std::uint32_t i = 0; i != data.NativeFenceSignaled.SignaledNativeFenceCount; ++i) {
                    r.fences.push_back(data.NativeFenceSignaled.pSignaledNativeFenceArray[i]);
                }
                r.known = true;
            }
            break;
        default: break;
    }
    return r;
}

/// What the table lacks of the functions that hardware scheduling calls, in words; NULL: nothing.
[[nodiscard]] inline char const* missing_in(wddmcore_driver_table const& t) {
    return scheduler::parts::first_missing({
        {"start_hardware_queues", t.start_hardware_queues != nullptr},
        {"DxgkDdiCreateHwContext", t.create_hw_context != nullptr},
        {"DxgkDdiDestroyHwContext", t.destroy_hw_context != nullptr},
        {"DxgkDdiCreateHwQueue", t.create_hw_queue != nullptr},
        {"DxgkDdiDestroyHwQueue", t.destroy_hw_queue != nullptr},
        {"DxgkDdiSubmitCommandToHwQueue", t.submit_command_to_hw_queue != nullptr},
        {"DxgkDdiSuspendContext and DxgkDdiResumeContext, or DxgkDdiSwitchToHwContextList",
         t.switch_to_hw_context_list != nullptr || (t.suspend_context != nullptr && t.resume_context != nullptr)},
        {"DxgkDdiInterruptRoutine", t.interrupt_routine != nullptr},
        {"DxgkDdiDpcRoutine", t.dpc_routine != nullptr},
        {"DxgkDdiResetFromTimeout", t.reset_from_timeout != nullptr},
        {"DxgkDdiRestartFromTimeout", t.restart_from_timeout != nullptr},
    });
}

/// Whether the table's driver can have native fences: the structures are those of WDDM 3.2.
[[nodiscard]] inline bool has_native_fences(wddmcore_driver_table const& t) {
    return at_least(interface_version_of(t.version), wddm::v3_2) && t.create_native_fence != nullptr &&
           t.destroy_native_fence != nullptr && t.update_monitored_values != nullptr;
}

/// What reads the records of a driver's table.
/// @throws std::invalid_argument  a structure of the driver's is smaller than its version's, a required function is
///                                missing, or the version has no hardware queues
[[nodiscard]] inline record_reader check_table(wddmcore_driver_table const& table) {
    wddm const version = interface_version_of(table.version);
    if (!at_least(version, wddm::v2_4)) {
        throw std::invalid_argument("driver table: hardware queues need interface version 2.4 or later");
    }
    if (char const* const missing = missing_in(table); missing != nullptr) {
        throw std::invalid_argument(std::string("driver table: hardware scheduling needs ") + missing);
    }
    scheduler::parts::compare_size("DXGKARG_SUBMITCOMMANDTOHWQUEUE", table.submit_command_to_hw_queue_size,
                                   sizeof(queue_types::submit));
    if (has_native_fences(table)) {
        scheduler::parts::compare_size("DXGKARG_CREATENATIVEFENCE", table.create_native_fence_size,
                                       sizeof(queue_types::create_fence));
        scheduler::parts::compare_size("DXGKARG_UPDATEMONITOREDVALUES", table.update_monitored_values_size,
                                       sizeof(queue_types::update));
    }
    return with_notify_data(version, [&](auto chosen) -> record_reader {
        using notify = typename decltype(chosen)::type;
        scheduler::parts::compare_size("DXGKARGCB_NOTIFY_INTERRUPT_DATA", table.notify_interrupt_data_size,
                                       sizeof(notify));
        return &read_record<notify>;
    });
}

}  // namespace wddmcore::testing::hardware_queues::parts
