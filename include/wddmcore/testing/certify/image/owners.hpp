// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../mirror.hpp"
#include "../../kernel/traps.hpp"
#include "../../vidmm.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <map>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

namespace kp = kernel_parts;
using kp::ntstatus;

/// The processes that a driver knows and the device in each of them: the system's own, number 0, in which paging runs,
/// and those of applications. A driver without DxgkDdiCreateProcess, which no version demands, has only the devices.
class owners {
public:
    static constexpr std::uint32_t of_system = 0;
    static constexpr std::uint32_t of_application = 1;  ///< the one that is always there

    explicit owners(kp::kernel_system& kernel) : kernel_(kernel) {}
    owners(owners const&) = delete;
    owners& operator=(owners const&) = delete;

    /// Makes the process of this number, and the device in it, where they are not there yet.
    /// @return of the function that failed; then nothing of the two is left
    ntstatus make(std::uint32_t number, void* miniport) {
        if (all_.contains(number)) {
            return kp::nt::success;
        }
        owner made;
        if (ntstatus const status = create_process(number, miniport, made); status < 0) {
            return status;
        }
        if (ntstatus const status = create_device(number, miniport, made); status < 0) {
            destroy_process(miniport, made);
            return status;
        }
        all_[number] = made;
        return kp::nt::success;
    }

    /// The driver's handle of a process: hKmdProcess. Where the kernel had no memory for it, the application's.
    [[nodiscard]] void* process(std::uint32_t number) const { return at(number).process; }
    /// The driver's handle of the device in it: hDevice.
    [[nodiscard]] void* device(std::uint32_t number) const { return at(number).device; }
    [[nodiscard]] std::size_t count() const { return all_.size(); }
    [[nodiscard]] vidmm_report const& report() const { return report_; }

    /// Destroys all of them, the system's last.
    /// @return the first failure
    ntstatus destroy(void* miniport) {
        ntstatus first = kp::nt::success;
        while (!all_.empty()) {
            auto const last = std::prev(all_.end());
            ntstatus const device = destroy_device(last->second);
            ntstatus const process = destroy_process(miniport, last->second);
            first = first < 0 ? first : device < 0 ? device : process;
            all_.erase(last);
        }
        return first;
    }

private:
    struct owner {
        void* process = nullptr;
        void* device = nullptr;
    };
    using rule = vidmm_rule;

    [[nodiscard]] owner const& at(std::uint32_t number) const {
        static owner const none{};
        for (std::uint32_t const each : {number, of_application}) {
            if (auto const found = all_.find(each); found != all_.end()) {
                return found->second;
            }
        }
        return none;
    }
    template <class Function>
    [[nodiscard]] static Function function(char const* name) {
        return reinterpret_cast<Function>(kp::object_services::objects::current().registered->find(name));
    }
    [[nodiscard]] static kp::registration_sizes const& sizes() {
        return kp::object_services::objects::current().registered->sizes;
    }
    /// As large as the newest: the driver may be compiled with newer headers than the version that it registers, whose
    /// members are zero then.
    [[nodiscard]] std::shared_ptr<vidmm_parts::loan> lend(void const* content, std::size_t bytes, std::size_t whole,
                                                          char const* what) {
        auto memory = lender_.lend(whole, vidmm_parts::loan_side::end, junk_, what, rule::obj_03, rule::obj_03);
        std::memset(memory->data(), 0, whole);
        std::memcpy(memory->data(), content, std::min(bytes, whole));
        return memory;
    }

    ntstatus create_process(std::uint32_t number, void* miniport, owner& to) {
        auto const f = function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void*)>("DxgkDdiCreateProcess");
        if (f == nullptr || sizes().create_process == 0) {
            return kp::nt::success;
        }
        // An application has a name, from the version on that sends it; the system's process has none.
        static char16_t name[] = u"application.exe";
        mirror::v2_5::dxgkarg_createprocess args{};
        args.hDxgkProcess = reinterpret_cast<void*>(std::uintptr_t{0xD7CE'5500'0000} + number * 0x100);
        args.Flags.SystemProcess = number == of_system;
        if (number != of_system) {
            args.ProcessNameLength = static_cast<u32>(std::size(name) - 1);
            args.pProcessName = reinterpret_cast<decltype(args.pProcessName)>(name);
        }
        auto const memory = lend(&args, sizes().create_process, std::rbegin(kp::registrations)->create_process,
                                 "DXGKARG_CREATEPROCESS");
        ntstatus const status =
            kernel_.call("DxgkDdiCreateProcess", kp::passive_level, [&] { return f(miniport, memory->data()); });
        std::memcpy(&args, memory->data(), sizes().create_process);
        memory->end();
        report_.exercised(rule::obj_03);
        if (status >= 0) {
            to.process = args.hKmdProcess;
            judge_process(number, args.hKmdProcess);
        }
        return told("DxgkDdiCreateProcess", status);
    }
    void judge_process(std::uint32_t number, void* handle) {
        std::string const which = number == of_system ? "the system's process" : "process " + std::to_string(number);
        report_.exercised(rule::amb_64);
        if (handle == nullptr) {
            report_.broken(rule::amb_64, "DxgkDdiCreateProcess returned success and left hKmdProcess NULL", which);
        }
        for (auto const& [other, each] : all_) {
            if (handle != nullptr && each.process == handle) {
                report_.broken(rule::amb_64, "two processes have the same hKmdProcess",
                               which + " and process " + std::to_string(other));
            }
        }
    }
    /// A process without a handle has nothing to be destroyed by.
    ntstatus destroy_process(void* miniport, owner const& o) {
        auto const f = function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void*)>("DxgkDdiDestroyProcess");
        if (f == nullptr || o.process == nullptr) {
            return kp::nt::success;
        }
        return told("DxgkDdiDestroyProcess",
                    kernel_.call("DxgkDdiDestroyProcess", kp::passive_level, [&] { return f(miniport, o.process); }));
    }

    ntstatus create_device(std::uint32_t number, void* miniport, owner& to) {
        auto const f = function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void*)>("DxgkDdiCreateDevice");
        if (f == nullptr) {
            return kp::nt::success;
        }
        mirror::v2_0::dxgkarg_createdevice args{};
        args.hDevice = reinterpret_cast<void*>(std::uintptr_t{0xD7CE'5600'0000} + number * 0x100);
        args.Flags.SystemDevice = number == of_system;
        args.hKmdProcess = to.process;
        auto const memory =
            lend(&args, sizes().create_device, std::rbegin(kp::registrations)->create_device, "DXGKARG_CREATEDEVICE");
        ntstatus const status =
            kernel_.call("DxgkDdiCreateDevice", kp::passive_level, [&] { return f(miniport, memory->data()); });
        std::memcpy(&to.device, memory->data(), sizeof to.device);
        memory->end();
        report_.exercised(rule::obj_03);
        return told("DxgkDdiCreateDevice", status);
    }
    ntstatus destroy_device(owner const& o) {
        auto const f = function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*)>("DxgkDdiDestroyDevice");
        if (f == nullptr || o.device == nullptr) {
            return kp::nt::success;
        }
        return told("DxgkDdiDestroyDevice",
                    kernel_.call("DxgkDdiDestroyDevice", kp::passive_level, [&] { return f(o.device); }));
    }

    ntstatus told(char const* what, ntstatus status) {
        if (status < 0) {
            kernel_.find(crash_id::refused,
                         std::string(what) + " returned " + vidmm_parts::hex(static_cast<std::uint32_t>(status)));
        }
        return status;
    }

    static constexpr std::uint64_t junk_ = 0x0DD5;

    kp::kernel_system& kernel_;
    vidmm_parts::lender lender_;
    vidmm_report report_;
    std::map<std::uint32_t, owner> all_;
};

}  // namespace wddmcore::testing::certify_parts

#endif
