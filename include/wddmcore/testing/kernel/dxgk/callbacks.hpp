// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../memory.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Callbacks of DXGKRNL_INTERFACE that need nothing of the simulators: handles, memory, what a desk has not.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::dxgk_services {

// Handles.

/// What the system remembers of a D3DKMT_HANDLE.
struct handle_object {
    std::uint32_t type = 0;  // DXGK_HANDLE_TYPE
    std::uint32_t parent = 0;
    void* data = nullptr;         // of the driver: hAllocation, hResource
    void* device_data = nullptr;  // of the driver and one device: hDeviceSpecificAllocation
};
/// The handles that were given out: to DxgkDdiOpenAllocation, whose driver asks what it has behind them.
struct handle_table {
    std::map<std::uint32_t, handle_object> all;
    std::uint32_t next = 0x4000'0000;
    std::uint32_t held = 0;  // acquired and not released

    static handle_table& current() {
        static handle_table one;
        return one;
    }
    std::uint32_t give(handle_object const& what) {
        next += 0x40;
        all[next] = what;
        return next;
    }
    [[nodiscard]] handle_object const* find(std::uint32_t handle, char const* by) const {
        auto const found = all.find(handle);
        if (found == all.end()) {
            system().find("HANDLE", std::string(by) + " is given a handle that the system never gave out");
        }
        return found == all.end() ? nullptr : &found->second;
    }
};

struct handle_data_arguments {  // DXGKARGCB_GETHANDLEDATA
    std::uint32_t handle;
    std::uint32_t type;
    std::uint32_t device_specific;
};
[[nodiscard]] inline void* behind(handle_data_arguments const* args, char const* by) {
    handle_object const* const found = handle_table::current().find(args->handle, by);
    if (found == nullptr || found->type != args->type) {
        return nullptr;
    }
    return (args->device_specific & 1) != 0 ? found->device_data : found->data;
}
inline void* WDDMCORE_DRIVER_CALL get_handle_data(handle_data_arguments const* args) {
    return behind(args, "DxgkCbGetHandleData");
}
inline void* WDDMCORE_DRIVER_CALL acquire_handle_data(handle_data_arguments const* args, void** release) {
    void* const found = behind(args, "DxgkCbAcquireHandleData");
    *release = nullptr;
    if (found != nullptr) {
        ++handle_table::current().held;
        *release = reinterpret_cast<void*>(std::uintptr_t{args->handle});
    }
    return found;
}
struct release_arguments {  // DXGKARGCB_RELEASEHANDLEDATA
    void* handle;
    std::uint32_t type;
};
/// The page passes the structure by value; one of 16 bytes goes by its address in this convention.
inline void WDDMCORE_DRIVER_CALL release_handle_data(release_arguments const* args) {
    std::uint32_t& held = handle_table::current().held;
    if (args->handle == nullptr || held == 0) {
        system().find("HANDLE", "DxgkCbReleaseHandleData releases what was not acquired");
        return;
    }
    --held;
}
inline std::uint32_t WDDMCORE_DRIVER_CALL get_handle_parent(std::uint32_t handle) {
    handle_object const* const found = handle_table::current().find(handle, "DxgkCbGetHandleParent");
    return found == nullptr ? 0 : found->parent;
}
struct children_arguments {  // DXGKARGCB_ENUMHANDLECHILDREN
    std::uint32_t handle;
    std::uint32_t index;
};
inline std::uint32_t WDDMCORE_DRIVER_CALL enumerate_handle_children(children_arguments const* args) {
    handle_table const& table = handle_table::current();
    std::uint32_t index = args->index;
    if (table.find(args->handle, "DxgkCbEnumHandleChildren") == nullptr) {
        return 0;
    }
    for (auto const& [handle, object] : table.all) {
        if (object.parent == args->handle && index-- == 0) {
            return handle;
        }
    }
    return 0;
}

// Memory, from WDDM 2.4 on.

struct contiguous_arguments {  // DXGKARGCB_ALLOCATECONTIGUOUSMEMORY
    std::uint64_t bytes;
    std::uint64_t lowest, highest, boundary;
    std::uint32_t cache;
    void* handle;
    void* memory;
};
static_assert(sizeof(contiguous_arguments) == 56);
inline ntstatus WDDMCORE_DRIVER_CALL allocate_contiguous(void*, contiguous_arguments* args) {
    system().at_most(passive_level, "DxgkCbAllocateContiguousMemory");
    void* const memory = pool_services::contiguous(static_cast<std::size_t>(args->bytes), args->highest);
    args->handle = args->memory = memory;
    return memory == nullptr ? nt::no_memory : nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL free_contiguous(void*, void* const* handle) {
    system().at_most(passive_level, "DxgkCbFreeContiguousMemory");
    pool::current().give(*handle, 0, "DxgkCbFreeContiguousMemory");
    return nt::success;
}
struct pages_arguments {  // DXGKARGCB_ALLOCATEPAGESFORMDL
    std::uint64_t lowest, highest, skip;
    std::uint64_t bytes;
    std::uint32_t cache;
    std::uint32_t flags;
    void* handle;
    memory_services::mdl* list;
};
static_assert(sizeof(pages_arguments) == 56);
inline ntstatus WDDMCORE_DRIVER_CALL allocate_pages(void*, pages_arguments* args) {
    system().at_most(passive_level, "DxgkCbAllocatePagesForMdl");
    args->list = memory_services::allocate_pages(0, 0, 0, static_cast<std::size_t>(args->bytes));
    args->handle = args->list;
    return args->list == nullptr ? nt::no_memory : nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL free_pages(void*, memory_services::mdl* const* handle) {
    system().at_most(passive_level, "DxgkCbFreePagesFromMdl");
    memory_services::free_pages(*handle);
    memory_services::free_mdl(*handle);  // the system made the MDL, too
    return nt::success;
}

// Events and displays.

inline ntstatus WDDMCORE_DRIVER_CALL evaluate_acpi(void*, std::uint32_t, void const*, std::uint32_t, void*,
                                                   std::uint32_t) {
    system().at_most(passive_level, "DxgkCbEvalAcpiMethod");
    return nt::name_not_found;  // the firmware of a desk has no methods for the device
}
inline void WDDMCORE_DRIVER_CALL log_event(void const*, std::uint8_t, std::uint16_t, void const*) {}
inline ntstatus WDDMCORE_DRIVER_CALL indicate_child(void*, void const*) {
    system().at_most(dispatch_level, "DxgkCbIndicateChildStatus");
    return nt::success;  // nobody looks at displays
}
inline ntstatus WDDMCORE_DRIVER_CALL report_diagnostic(void*, void const*) { return nt::success; }
struct display_information {  // DXGK_DISPLAY_INFORMATION
    std::uint32_t width, height, pitch, format;
    std::uint64_t address;
    std::uint32_t target, acpi;
};
static_assert(sizeof(display_information) == 32);
inline ntstatus WDDMCORE_DRIVER_CALL acquire_display(void*, display_information* to) {
    system().at_most(passive_level, "DxgkCbAcquirePostDisplayOwnership");
    *to = {};  // a width of 0: firmware has lit no display
    return nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL acquire_display2(void* device, display_information* to, std::uint32_t* flags) {
    if (flags != nullptr) {
        *flags = 0;
    }
    return acquire_display(device, to);
}

[[nodiscard]] inline std::vector<service> independent_callbacks() {
    return {entry("DxgkCbGetHandleData", &get_handle_data),
            entry("DxgkCbAcquireHandleData", &acquire_handle_data),
            entry("DxgkCbReleaseHandleData", &release_handle_data),
            entry("DxgkCbGetHandleParent", &get_handle_parent),
            entry("DxgkCbEnumHandleChildren", &enumerate_handle_children),
            entry("DxgkCbAllocateContiguousMemory", &allocate_contiguous),
            entry("DxgkCbFreeContiguousMemory", &free_contiguous),
            entry("DxgkCbAllocatePagesForMdl", &allocate_pages),
            entry("DxgkCbFreePagesFromMdl", &free_pages),
            entry("DxgkCbEvalAcpiMethod", &evaluate_acpi),
            entry("DxgkCbLogEtwEvent", &log_event),
            entry("DxgkCbIndicateChildStatus", &indicate_child),
            entry("DxgkCbReportDiagnostic", &report_diagnostic),
            entry("DxgkCbAcquirePostDisplayOwnership", &acquire_display),
            entry("DxgkCbAcquirePostDisplayOwnership2", &acquire_display2)};
}

/// Callbacks that return no status: where nobody plays one, its answer is nothing, 0.
inline constexpr char const* without_status[] = {
    "DxgkCbSetPowerComponentActive",   "DxgkCbSetPowerComponentIdle",
    "DxgkCbSetPowerComponentLatency",  "DxgkCbSetPowerComponentResidency",
    "DxgkCbCompleteFStateTransition",  "DxgkCbCompletePStateTransition",
    "DxgkCbMapContextAllocation",      "DxgkCbHardwareContentProtectionTeardown",
    "DxgkCbMultiPlaneOverlayDisabled", "DxgkCbMitigatedRangeUpdate",
    "DxgkCbUnmapMdlFromIoMmu",
};

}  // namespace wddmcore::testing::kernel_parts::dxgk_services

#endif
