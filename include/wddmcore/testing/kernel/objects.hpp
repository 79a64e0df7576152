// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "registration_tables.hpp"
#include "waits.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <optional>
#    include <set>

/// Devices, requests, handles, the registry, and the way a display driver finds the graphics kernel.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::object_services {

inline constexpr ntstatus object_name_not_found = nt::name_not_found;
inline constexpr ntstatus revision_mismatch = static_cast<ntstatus>(0xC0000059);
inline constexpr ntstatus invalid_device_request = static_cast<ntstatus>(0xC0000010);
inline constexpr ntstatus not_found = static_cast<ntstatus>(0xC0000225);

/// DRIVER_OBJECT, DEVICE_OBJECT and FILE_OBJECT, as far as drivers look at them.
struct driver_object {
    std::uint16_t type, size;
    void* device;
    std::uint32_t flags;
    void* start;
    std::uint32_t bytes;
    void* section;
    void* extension;
    unicode_string name;
    void* hardware;
    void* fast_io;
    void* initialize;
    void* start_io;
    void(WDDMCORE_DRIVER_CALL* unload)(driver_object*);
    void* major[28];
};
static_assert(sizeof(driver_object) == 0x150);
struct device_object {
    std::uint16_t type, size;
    std::int32_t references;
    driver_object* driver;
    device_object* next;
    device_object* attached;
    std::byte others[0x20];
    void* extension;
    std::uint32_t device_type;
    std::int8_t stack_size;
    std::byte rest[0x103];
};
static_assert(sizeof(device_object) == 0x150);
struct status_block {
    std::uint64_t status;
    std::uint64_t information;
};

/// What a driver has handed to the graphics kernel.
struct registration {
    registration_sizes sizes{};
    std::vector<void*> functions;  // by registered_functions; absent ones are null

    [[nodiscard]] void* find(char const* name) const {
        for (std::size_t i = 0; i < functions.size(); ++i) {
            if (name == std::string(registered_functions[i])) {
                return functions[i];
            }
        }
        return nullptr;
    }
};

/// A request on its way, known by the address that a driver has for it.
struct request {
    std::uint32_t code = 0;
    void* output = nullptr;
    bool internal = false;
    dispatcher* event = nullptr;
    status_block* status = nullptr;
};

/// What this part of the kernel remembers.
struct objects {
    driver_object driver{};
    driver_object graphics_driver{};
    device_object graphics{};
    device_object physical{};
    std::array<std::byte, 512> file{};
    bool graphics_loaded = false;
    std::optional<registration> registered;
    std::map<void*, request> requests;
    std::set<std::uintptr_t> handles;
    std::uintptr_t next_handle = 0x8000'0000'1000;

    static objects& current() {
        static objects one;
        return one;
    }
    [[nodiscard]] void* open() {
        next_handle += 4;
        handles.insert(next_handle);
        return reinterpret_cast<void*>(next_handle);
    }
};

// The graphics kernel.

inline constexpr std::uint32_t ask_for_registration = 0x23003F;  // METHOD_NEITHER, of a full display driver
inline constexpr std::uint32_t ask_for_display_only = 0x230043, ask_for_display_only_later = 0x230047;

/// DxgkInitialize: takes the functions over, as many as the version has.
inline ntstatus WDDMCORE_DRIVER_CALL initialize_graphics(driver_object*, unicode_string*, std::byte const* data) {
    kernel_system& k = system();
    std::uint32_t version = 0;
    std::memcpy(&version, data, sizeof version);
    for (registration_sizes const& row : registrations) {
        if (row.version == version) {
            registration found;
            found.sizes = row;
            found.functions.resize((row.initialization_data - 8) / 8);
            std::memcpy(found.functions.data(), data + 8, row.initialization_data - 8);
            objects::current().registered = std::move(found);
            return nt::success;
        }
    }
    k.find("REGISTRATION",
           "DRIVER_INITIALIZATION_DATA.Version is " + std::to_string(version) + ", which no system knows");
    return revision_mismatch;
}

[[nodiscard]] inline bool ends_with(unicode_string const* name, std::u16string_view text) {
    std::u16string_view const whole(name->buffer, name->length / 2U);
    if (whole.size() < text.size()) {
        return false;
    }
    auto const lower = [](char16_t c) { return c >= u'A' && c <= u'Z' ? static_cast<char16_t>(c + 32) : c; };
    return std::equal(text.begin(), text.end(), whole.end() - static_cast<std::ptrdiff_t>(text.size()),
                      [&](char16_t a, char16_t b) { return lower(a) == lower(b); });
}
inline ntstatus WDDMCORE_DRIVER_CALL load_driver(unicode_string const* name) {
    system().at_most(passive_level, "ZwLoadDriver");
    if (!ends_with(name, u"\\dxgkrnl")) {
        return object_name_not_found;
    }
    return std::exchange(objects::current().graphics_loaded, true) ? nt::image_already_loaded : nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL device_pointer(unicode_string const* name, std::uint32_t, void** file,
                                                    device_object** device) {
    objects& all = objects::current();
    if (!ends_with(name, u"\\device\\dxgkrnl") || !all.graphics_loaded) {
        return object_name_not_found;
    }
    all.graphics.type = 3;
    all.graphics.driver = &all.graphics_driver;
    all.graphics.stack_size = 1;
    *file = all.file.data();
    *device = &all.graphics;
    return nt::success;
}
inline void* WDDMCORE_DRIVER_CALL build_control(std::uint32_t code, device_object*, void*, std::uint32_t, void* output,
                                                std::uint32_t, std::uint8_t internal, dispatcher* event,
                                                status_block* status) {
    if (system().fails()) {
        return nullptr;
    }
    std::byte* const packet = pool::current().take(0xD0 + 0x48, 0, true, "a request");
    objects::current().requests[packet] = {code, output, internal != 0, event, status};
    return packet;
}
inline ntstatus WDDMCORE_DRIVER_CALL call_driver(device_object* device, void* packet) {
    objects& all = objects::current();
    auto const found = all.requests.find(packet);
    if (found == all.requests.end()) {
        system().stop("0xC9 DRIVER_VERIFIER_IOMANAGER_VIOLATION", "IofCallDriver with a request that nobody has built");
    }
    request const r = found->second;
    all.requests.erase(found);
    pool::current().give(packet, 0, "the end of a request");
    ntstatus answer = invalid_device_request;
    bool const display_only = r.code == ask_for_display_only || r.code == ask_for_display_only_later;
    if (device == &all.graphics && r.internal && r.code == ask_for_registration && r.output != nullptr) {
        auto const function = &initialize_graphics;
        std::memcpy(r.output, &function, sizeof function);
        answer = nt::success;
    } else if (device == &all.graphics && display_only) {
        system().find("NOT JUDGED",
                      "the image is a display-only driver, which has no memory and no scheduling to judge");
    }
    *r.status = {static_cast<std::uint32_t>(answer), 0};
    if (r.event != nullptr) {
        r.event->signalled = 1;
    }
    return answer;
}
inline ntstatus WDDMCORE_DRIVER_CALL query_path(unicode_string const*) { return object_name_not_found; }

// References and handles.

inline std::intptr_t WDDMCORE_DRIVER_CALL count_up(void*) { return 2; }
inline std::intptr_t WDDMCORE_DRIVER_CALL count_down(void*) { return 1; }
inline ntstatus WDDMCORE_DRIVER_CALL by_handle(void* handle, std::uint32_t, void*, std::uint8_t, void** object, void*) {
    if (thread* const t = wait_services::thread_of(handle); t != nullptr) {
        *object = t->object;
        return nt::success;
    }
    return nt::invalid_handle;
}
inline ntstatus WDDMCORE_DRIVER_CALL by_handle_tagged(void* handle, std::uint32_t a, void* type, std::uint8_t mode,
                                                      std::uint32_t, void** object, void* info) {
    return by_handle(handle, a, type, mode, object, info);
}
inline ntstatus WDDMCORE_DRIVER_CALL close(void* handle) {
    system().at_most(passive_level, "ZwClose");
    if (objects::current().handles.erase(reinterpret_cast<std::uintptr_t>(handle)) == 0 &&
        wait_services::thread_of(handle) == nullptr) {
        system().find("0x93 INVALID_KERNEL_HANDLE", "ZwClose of a handle that is not open");
        return nt::invalid_handle;
    }
    return nt::success;
}

// Properties and files: there are none.

inline ntstatus WDDMCORE_DRIVER_CALL device_property(device_object*, std::uint32_t, std::uint32_t, void*,
                                                     std::uint32_t* length) {
    if (length != nullptr) {
        *length = 0;
    }
    return not_found;
}
/// DEVPROPKEY by its address: the device has no property that somebody set.
inline ntstatus WDDMCORE_DRIVER_CALL device_property_data(device_object*, void const*, std::uint32_t, std::uint32_t,
                                                          std::uint32_t, void*, std::uint32_t* length, std::uint32_t*) {
    system().at_most(apc_level, "IoGetDevicePropertyData");
    if (length != nullptr) {
        *length = 0;
    }
    return object_name_not_found;
}
inline ntstatus WDDMCORE_DRIVER_CALL no_file(void**, std::uint32_t, void*, void*, void*, std::uint32_t, std::uint32_t,
                                             std::uint32_t, std::uint32_t, void*, std::uint32_t) {
    return object_name_not_found;
}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("ZwLoadDriver", &load_driver),
            entry("ZwUnloadDriver", &query_path),
            entry("IoGetDeviceObjectPointer", &device_pointer),
            entry("IoBuildDeviceIoControlRequest", &build_control),
            entry("IofCallDriver", &call_driver),
            entry("ObfReferenceObject", &count_up),
            entry("ObfDereferenceObject", &count_down),
            entry("ObReferenceObjectByHandle", &by_handle),
            entry("ObReferenceObjectByHandleWithTag", &by_handle_tagged),
            entry("ObfReferenceObjectWithTag", &count_up),
            entry("ObfDereferenceObjectWithTag", &count_down),
            entry("ZwClose", &close),
            entry("IoGetDeviceProperty", &device_property),
            entry("IoGetDevicePropertyData", &device_property_data),
            entry("ZwCreateFile", &no_file)};
}

}  // namespace wddmcore::testing::kernel_parts::object_services

#endif
