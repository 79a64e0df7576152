// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hardware_scheduling.hpp"
#include "paging.hpp"
#include "table.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <array>
#    include <deque>

/// The functions of hardware scheduling that an image registered, as members of the table for its simulator.
namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts::image_functions {

/// What these functions need of a run beside the driver: the device, and what its user-mode driver sends.
struct queue_device {
    wddmcore_device_model const* model = nullptr;
    /// Private data that was sent. Its time is that of the call: afterwards there is junk, in memory that stays until
    /// the run ends, so that the hardware finds what a driver that kept the pointer would give it (HWS-05).
    struct alignas(16) private_data {
        std::array<std::byte, 256> bytes{};
    };
    std::deque<private_data> sent{};

    [[nodiscard]] static queue_device& current() {
        static queue_device one;
        return one;
    }
};

/// Private data of one call as the device model's user-mode driver writes it, in place of what the simulator gives to a
/// driver from source.
class sent_data {
public:
    /// @param fill  the model's function
    /// @param what  the number, or the numbers, that it makes private data of
    /// @param call  the driver's function that gets it
    template <class What>
    sent_data(unsigned (*fill)(void*, What, void*, unsigned), What what, char const* call) {
        queue_device& device = queue_device::current();
        auto& room = device.sent.emplace_back().bytes;
        auto const find = [call](char const* id, std::string const& sentence) {
            driver().kernel().find(id, std::string(call) + ": " + sentence);
        };
        auto const bytes = fill(device.model->device, what, room.data(), static_cast<unsigned>(room.size()));
        bytes_ = filled(room, bytes, find);
    }
    ~sent_data() { std::fill(bytes_.begin(), bytes_.end(), std::byte{0xDD}); }
    sent_data(sent_data const&) = delete;
    sent_data& operator=(sent_data const&) = delete;

    [[nodiscard]] void* data() const { return bytes_.data(); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }

private:
    std::span<std::byte> bytes_;
};

/// The level that the simulator calls at: it chooses among those that the function allows.
[[nodiscard]] inline kp::irql level_of_call() {
    auto const& s = *image_driver::graphics().services;
    return static_cast<kp::irql>(s.current_irql(s.system));
}

/// A function that has to make something: without it nothing can go on.
template <class Invoke>
int made_or_over(char const* name, Invoke const& invoke) {
    return driver().kernel().call(name, level_of_call(), [&] {
        int const status = invoke();
        if (status < 0) {
            driver().kernel().stop(crash_id::refused, std::string(name) + " returned " + image_driver::hex(status));
        }
        return status;
    });
}

/// Whether the driver says in DRIVERCAPS that it has native fences, now that it has started (HWS-11).
[[nodiscard]] inline bool claims_native_fences() {
    wddm const version = interface_version_of(driver().registered().sizes.version);
    // Before WDDM 3.2 the feature has no number by which a driver could ask for it.
    if (!at_least(version, wddm::v3_2) || !driver().has("DxgkDdiQueryAdapterInfo")) {
        return false;
    }
    guarded_buffer const answer(vidmm_parts::adapter_sizes_of(version).drivercaps, {.alone = true});
    std::memset(answer.data(), 0, answer.size());
    mirror::v3_2::dxgkarg_queryadapterinfo args{};
    args.Type = static_cast<u32>(adapter_query::drivercaps);
    args.pOutputData = answer.data();
    args.OutputDataSize = static_cast<u32>(answer.size());
    if (driver().call("DxgkDdiQueryAdapterInfo", kp::passive_level, &args) < 0) {
        return false;
    }
    mirror::v3_2::dxgk_drivercaps caps{};
    std::memcpy(&caps, answer.data(), std::min(sizeof caps, answer.size()));
    return caps.SchedulingCaps.NativeGpuFence != 0;
}

inline int WDDMCORE_DRIVER_CALL start_hardware_queues(void*, wddmcore_queue_services const* services,
                                                      wddmcore_queue_gpu const* gpu, wddmcore_queue_claims* claims) {
    auto const& model = *queue_device::current().model;
    image_driver::graphics().services = services->common;
    image_driver::graphics().queues = services;
    model.show_queues(model.device, gpu);
    int const status = driver().start_device();
    if (status < 0) {
        driver().kernel().call("DxgkDdiStartDevice", kp::passive_level, [&] {
            driver().kernel().stop(crash_id::refused, "DxgkDdiStartDevice returned " + image_driver::hex(status));
            return status;
        });
    }
    claims->native_fences = claims_native_fences() ? 1 : 0;
    return status;
}

inline int WDDMCORE_DRIVER_CALL create_hw_context(void*, void* args) {
    auto const f = driver().function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void*)>("DxgkDdiCreateHwContext");
    auto& given = *static_cast<hardware_queues::queue_types::create_context*>(args);
    auto const* const model = queue_device::current().model;
    std::optional<sent_data> data;
    if (model->hw_context_data != nullptr) {
        auto const& usual = *static_cast<wddmcore_hw_context_private_data const*>(given.pPrivateDriverData);
        data.emplace(model->hw_context_data, usual.area, "DxgkDdiCreateHwContext");
        given.pPrivateDriverData = data->data();
        given.PrivateDriverDataSize = data->size();
    }
    void* const device = driver().processes().device(owners::of_application);
    return made_or_over("DxgkDdiCreateHwContext", [&] { return f(device, args); });
}
inline int WDDMCORE_DRIVER_CALL destroy_hw_context(void*, void* context) {
    return driver().call_with("DxgkDdiDestroyHwContext", level_of_call(), context);
}
inline int WDDMCORE_DRIVER_CALL create_hw_queue(void*, void* context, void* args) {
    auto const f = driver().function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void*)>("DxgkDdiCreateHwQueue");
    auto& given = *static_cast<hardware_queues::queue_types::create_queue*>(args);
    auto const* const model = queue_device::current().model;
    std::optional<sent_data> data;
    if (model->hw_queue_data != nullptr) {
        auto const& usual = *static_cast<wddmcore_hw_queue_private_data const*>(given.pPrivateDriverData);
        data.emplace(model->hw_queue_data, usual.ring, "DxgkDdiCreateHwQueue");
        given.pPrivateDriverData = data->data();
        given.PrivateDriverDataSize = data->size();
    }
    return made_or_over("DxgkDdiCreateHwQueue", [&] { return f(context, args); });
}
inline int WDDMCORE_DRIVER_CALL destroy_hw_queue(void*, void* queue) {
    return driver().call_with("DxgkDdiDestroyHwQueue", level_of_call(), queue);
}
inline int WDDMCORE_DRIVER_CALL submit_command_to_hw_queue(void*, void const* args) {
    using submission = hardware_queues::queue_types::submit;
    auto const* const model = queue_device::current().model;
    if (model->hw_submission_data == nullptr) {
        return driver().call("DxgkDdiSubmitCommandToHwQueue", level_of_call(), args);
    }
    hardware_queues::parts::gone_after<submission> own;
    *own = *static_cast<submission const*>(args);
    auto const& usual = *static_cast<wddmcore_hw_submission_private_data const*>(own->pDmaBufferPrivateData);
    sent_data const data(model->hw_submission_data, &usual.state[0], "DxgkDdiSubmitCommandToHwQueue");
    own->pDmaBufferPrivateData = data.data();
    own->DmaBufferPrivateDataSize = data.size();
    return driver().call("DxgkDdiSubmitCommandToHwQueue", level_of_call(), &*own);
}
inline int WDDMCORE_DRIVER_CALL switch_to_hw_context_list(void*, void const* args) {
    return driver().call("DxgkDdiSwitchToHwContextList", level_of_call(), args);
}
inline int WDDMCORE_DRIVER_CALL suspend_context(void*, void const* args) {
    return driver().call("DxgkDdiSuspendContext", level_of_call(), args);
}
inline int WDDMCORE_DRIVER_CALL resume_context(void*, void const* args) {
    return driver().call("DxgkDdiResumeContext", level_of_call(), args);
}
inline int WDDMCORE_DRIVER_CALL set_context_scheduling_properties(void*, void const* args) {
    return driver().call("DxgkDdiSetContextSchedulingProperties", level_of_call(), args);
}
inline int WDDMCORE_DRIVER_CALL set_scheduling_log_buffer(void*, void const* args) {
    return driver().call("DxgkDdiSetSchedulingLogBuffer", level_of_call(), args);
}
inline int WDDMCORE_DRIVER_CALL reset_hw_engine(void*, void* args) {
    return driver().call("DxgkDdiResetHwEngine", level_of_call(), args);
}
inline int WDDMCORE_DRIVER_CALL resume_hw_engine(void*, void* args) {
    return driver().call("DxgkDdiResumeHwEngine", level_of_call(), args);
}
inline int WDDMCORE_DRIVER_CALL create_native_fence(void*, void* args) {
    auto const f = driver().function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void*)>("DxgkDdiCreateNativeFence");
    return made_or_over("DxgkDdiCreateNativeFence", [&] { return f(driver().miniport(), args); });
}

/// Two functions of native fences have no handle of the adapter, only their structure.
inline int call_without_adapter(char const* name, void const* args) {
    auto const f = driver().function<ntstatus(WDDMCORE_DRIVER_CALL*)(void const*)>(name);
    return driver().kernel().call(name, level_of_call(), [&] { return f(args); });
}
inline int WDDMCORE_DRIVER_CALL destroy_native_fence(void*, void const* args) {
    return call_without_adapter("DxgkDdiDestroyNativeFence", args);
}
inline int WDDMCORE_DRIVER_CALL update_monitored_values(void*, void const* args) {
    return call_without_adapter("DxgkDdiUpdateMonitoredValues", args);
}

/// The table of the loaded image with its functions of hardware scheduling; without start_hardware_queues where the
/// device shows none.
[[nodiscard]] inline wddmcore_driver_table with_queues(wddmcore_driver_table t, wddmcore_device_model const* model) {
    queue_device::current().model = model;
    if (model != nullptr && model->show_queues != nullptr) {
        t.start_hardware_queues = &start_hardware_queues;
    }
    when("DxgkDdiCreateHwContext", t.create_hw_context, &create_hw_context);
    when("DxgkDdiDestroyHwContext", t.destroy_hw_context, &destroy_hw_context);
    when("DxgkDdiCreateHwQueue", t.create_hw_queue, &create_hw_queue);
    when("DxgkDdiDestroyHwQueue", t.destroy_hw_queue, &destroy_hw_queue);
    when("DxgkDdiSubmitCommandToHwQueue", t.submit_command_to_hw_queue, &submit_command_to_hw_queue);
    when("DxgkDdiSwitchToHwContextList", t.switch_to_hw_context_list, &switch_to_hw_context_list);
    when("DxgkDdiSuspendContext", t.suspend_context, &suspend_context);
    when("DxgkDdiResumeContext", t.resume_context, &resume_context);
    when("DxgkDdiSetContextSchedulingProperties", t.set_context_scheduling_properties,
         &set_context_scheduling_properties);
    when("DxgkDdiSetSchedulingLogBuffer", t.set_scheduling_log_buffer, &set_scheduling_log_buffer);
    when("DxgkDdiResetHwEngine", t.reset_hw_engine, &reset_hw_engine);
    when("DxgkDdiResumeHwEngine", t.resume_hw_engine, &resume_hw_engine);
    when("DxgkDdiCreateNativeFence", t.create_native_fence, &create_native_fence);
    when("DxgkDdiDestroyNativeFence", t.destroy_native_fence, &destroy_native_fence);
    when("DxgkDdiUpdateMonitoredValues", t.update_monitored_values, &update_monitored_values);
    return t;
}

}  // namespace wddmcore::testing::certify_parts::image_functions

#endif
