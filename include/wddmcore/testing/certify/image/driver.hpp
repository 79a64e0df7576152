// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "owners.hpp"
#include "source.hpp"

#if defined(__x86_64__) && defined(__linux__)

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// A driver in this process, from DriverEntry on: what it registered, and its functions for the simulators.
class image_driver {
public:
    /// Loads the driver and binds its imports.
    /// @throws std::runtime_error  no address space
    image_driver(kp::kernel_system& kernel, driver_source const& source)
        : kernel_(kernel), owners_(kernel), image_(source.load({&missing_service, &kernel.record.last_import})) {
        current_driver() = this;
        kernel_.image = image_.get();
    }
    image_driver(image_driver const&) = delete;
    image_driver& operator=(image_driver const&) = delete;

    [[nodiscard]] static image_driver*& current_driver() {
        static image_driver* one = nullptr;
        return one;
    }
    [[nodiscard]] static image_driver& current() { return *current_driver(); }

    /// DriverEntry, which must register a display driver.
    [[nodiscard]] bool load() {
        static char16_t path[] = u"\\Registry\\Machine\\System\\CurrentControlSet\\Services\\driver";
        kp::unicode_string name{};
        kp::runtime_services::initialize_wide(&name, path);
        kp::object_services::driver_object& object = objects().driver;
        object.type = 4;
        object.size = sizeof object;
        object.start = image_->base();
        object.bytes = static_cast<std::uint32_t>(image_->size());
        auto const entry =
            reinterpret_cast<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, kp::unicode_string*)>(image_->entry());
        ntstatus const status = kernel_.call("DriverEntry", kp::passive_level, [&] { return entry(&object, &name); });
        image_->discard();
        if (status < 0) {
            kernel_.find(crash_id::refused, "DriverEntry returned " + hex(status));
        } else if (!objects().registered) {
            kernel_.find("REGISTRATION", "DriverEntry returned success, and no display driver is registered");
        }
        return status >= 0 && objects().registered.has_value();
    }
    /// DxgkDdiUnload.
    void unload() {
        if (auto const f = function<void(WDDMCORE_DRIVER_CALL*)()>("DxgkDdiUnload"); f != nullptr) {
            kernel_.call("DxgkDdiUnload", kp::passive_level, [&] { f(); });
        }
    }

    [[nodiscard]] kp::kernel_system& kernel() { return kernel_; }
    [[nodiscard]] kp::object_services::registration const& registered() const { return *objects().registered; }
    [[nodiscard]] void* miniport() const { return miniport_; }

    template <class Function>
    [[nodiscard]] Function function(char const* name) const {
        return reinterpret_cast<Function>(registered().find(name));
    }
    [[nodiscard]] bool has(char const* name) const { return registered().find(name) != nullptr; }

    /// A function of an adapter with one structure; STATUS_NOT_SUPPORTED where it is absent.
    ntstatus call(char const* name, kp::irql level, void const* args) {
        auto const f = function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void const*)>(name);
        return f == nullptr ? kp::nt::not_supported : kernel_.call(name, level, [&] { return f(miniport_, args); });
    }
    /// A function of a handle alone.
    ntstatus call_with(char const* name, kp::irql level, void* handle) {
        auto const f = function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*)>(name);
        return f == nullptr ? kp::nt::success : kernel_.call(name, level, [&] { return f(handle); });
    }

    ntstatus add_device() {
        auto const f = function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void**)>("DxgkDdiAddDevice");
        if (f == nullptr) {
            return kp::nt::not_supported;
        }
        return kernel_.call("DxgkDdiAddDevice", kp::passive_level, [&] { return f(&objects().physical, &miniport_); });
    }
    /// DxgkDdiStartDevice, and the system's process and an application's, each with a device for its contexts.
    ntstatus start_device() {
        auto const f = function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void*, void*, std::uint32_t*, std::uint32_t*)>(
            "DxgkDdiStartDevice");
        if (f == nullptr) {
            return kp::nt::not_supported;
        }
        auto const& sizes = registered().sizes;
        graphics().miniport = miniport_;
        // As large as the newest: the driver may be compiled with newer headers than the version that it registers.
        guarded_buffer const information(std::rbegin(kp::registrations)->start_info, {.alone = true});
        std::memset(information.data(), 0, information.size());
        std::byte* const interface = kp::dxgk_services::make_interface(sizes.interface, sizes.version);
        std::uint32_t sources = 0;
        std::uint32_t children = 0;
        ntstatus const status = kernel_.call("DxgkDdiStartDevice", kp::passive_level, [&] {
            return f(miniport_, information.data(), interface, &sources, &children);
        });
        if (status < 0) {
            return status;
        }
        ntstatus const system = owners_.make(owners::of_system, miniport_);
        ntstatus const made = system < 0 ? system : owners_.make(owners::of_application, miniport_);
        if (made < 0) {
            static_cast<void>(stop_device());  // to the caller nothing has started
        }
        return made;
    }
    /// DxgkDdiStopDevice: by then devices and processes are gone.
    ntstatus stop_device() {
        ntstatus const gone = owners_.destroy(miniport_);
        kp::memory_services::release_all();
        ntstatus const stopped = call_with("DxgkDdiStopDevice", kp::passive_level, miniport_);
        return gone < 0 ? gone : stopped;
    }
    /// DxgkDdiRemoveDevice. A device that was never stopped takes its processes along.
    ntstatus remove_device() {
        ntstatus const gone = owners_.destroy(miniport_);
        kp::memory_services::release_all();
        ntstatus const removed = call_with("DxgkDdiRemoveDevice", kp::passive_level, miniport_);
        miniport_ = nullptr;
        return gone < 0 ? gone : removed;
    }
    bool interrupt(std::uint32_t message) {
        auto const f = function<std::uint8_t(WDDMCORE_DRIVER_CALL*)(void*, std::uint32_t)>("DxgkDdiInterruptRoutine");
        return f != nullptr &&
               kernel_.call("DxgkDdiInterruptRoutine", kp::device_level, [&] { return f(miniport_, message) != 0; });
    }
    void deferred() {
        auto const f = function<void(WDDMCORE_DRIVER_CALL*)(void*)>("DxgkDdiDpcRoutine");
        if (f != nullptr) {
            kernel_.call("DxgkDdiDpcRoutine", kp::dispatch_level, [&] { f(miniport_); });
        }
    }
    /// A context of the system's is made on the system's device, another one on that of `before_contexts`.
    ntstatus create_context(void* args) {
        mirror::vista::dxgkarg_createcontext asked;
        std::memcpy(&asked, args, sizeof asked);
        void* const device = owners_.device(asked.Flags.SystemContext != 0 ? owners::of_system : context_owner_);
        auto const f = function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void*)>("DxgkDdiCreateContext");
        return f == nullptr ? kp::nt::not_supported
                            : kernel_.call("DxgkDdiCreateContext", kp::passive_level, [&] { return f(device, args); });
    }
    /// Whose device the next contexts are made on.
    void before_contexts(std::uint32_t process) {
        static_cast<void>(owners_.make(process, miniport_));
        context_owner_ = process;
    }
    /// The driver's handle of a process, which is made where it is not there yet.
    [[nodiscard]] void* process_of(std::uint32_t process) {
        static_cast<void>(owners_.make(process, miniport_));
        return owners_.process(process);
    }
    [[nodiscard]] owners& processes() { return owners_; }
    ntstatus destroy_allocation(void* handle) {
        struct {  // DXGKARG_DESTROYALLOCATION
            std::uint32_t count;
            void** list;
            void* resource;
            std::uint64_t flags;
        } const args{1, &handle, nullptr, 0};
        static_assert(sizeof args == 32);
        return call("DxgkDdiDestroyAllocation", kp::passive_level, &args);
    }

    [[nodiscard]] static std::string hex(ntstatus status) {
        char text[16];
        std::snprintf(text, sizeof text, "0x%08X", static_cast<unsigned>(status));
        return text;
    }
    [[nodiscard]] static kp::dxgk_services::graphics& graphics() { return kp::dxgk_services::graphics::current(); }

private:
    [[nodiscard]] static kp::object_services::objects& objects() { return kp::object_services::objects::current(); }

    static void WDDMCORE_DRIVER_CALL missing_service(std::uint32_t index) {
        image_driver& d = current();
        d.kernel_.stop("NO SERVICE", "the driver calls " + d.image_->imports()[index].library + "!" +
                                         d.image_->imports()[index].name + ", which is not simulated");
    }

    kp::kernel_system& kernel_;
    owners owners_;
    std::unique_ptr<loaded_driver> image_;
    void* miniport_ = nullptr;
    std::uint32_t context_owner_ = owners::of_application;
};

}  // namespace wddmcore::testing::certify_parts

#endif
