// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "dxgk/callbacks.hpp"
#include "dxgk/features.hpp"
#include "instructions/device_access.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// DXGKRNL_INTERFACE: what the graphics kernel gives to a driver that starts.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::dxgk_services {

// The arguments of the callbacks are those of their pages; the first is DeviceHandle or hAdapter.

inline ntstatus WDDMCORE_DRIVER_CALL get_device_information(void*, device_information* to) {
    system().at_most(passive_level, "DxgkCbGetDeviceInformation");
    static char16_t path[] = u"\\Registry\\Machine\\System\\CurrentControlSet\\Control\\Class\\Display\\0000";
    graphics& g = graphics::current();
    *to = {g.miniport,
           &object_services::objects::current().physical,
           {static_cast<std::uint16_t>(sizeof path - 2), static_cast<std::uint16_t>(sizeof path), path},
           g.resources.data(),
           std::uint64_t{16} << 30,
           (std::uint64_t{16} << 30) - 1,
           0,
           0,
           1};
    return nt::success;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL queue_dpc(void*) {
    auto const* const s = graphics::current().services;
    return s != nullptr && s->queue_dpc(s->system) != 0 ? 1 : 0;
}
inline void WDDMCORE_DRIVER_CALL notify_interrupt(void*, void const* data) {
    kernel_system& k = system();
    if (k.level() <= dispatch_level) {
        k.find("IRQ-03", "DxgkCbNotifyInterrupt is called at IRQL " + std::to_string(k.level()));
    }
    if (auto const* const s = graphics::current().services; s != nullptr) {
        s->notify_interrupt(s->system, data);
    }
}
inline void WDDMCORE_DRIVER_CALL notify_dpc(void*) {
    kernel_system& k = system();
    if (k.level() != dispatch_level) {
        k.find("IRQ-02", "DxgkCbNotifyDpc is called at IRQL " + std::to_string(k.level()));
    }
    if (auto const* const s = graphics::current().services; s != nullptr) {
        s->notify_dpc(s->system);
    }
}

/// The driver's routine returns one byte; a simulator wants a number.
struct synchronized_call {
    std::uint8_t(WDDMCORE_DRIVER_CALL* routine)(void*);
    void* argument;
    std::uint8_t returned;
    static int WDDMCORE_DRIVER_CALL run(void* call) {
        kernel_system& k = system();
        auto& c = *static_cast<synchronized_call*>(call);
        irql const before = k.level();
        k.set_level(std::max(before, device_level));
        c.returned = c.routine(c.argument);
        k.set_level(before);
        return c.returned;
    }
};
inline ntstatus WDDMCORE_DRIVER_CALL synchronize(void*, std::uint8_t(WDDMCORE_DRIVER_CALL* routine)(void*),
                                                 void* argument, std::uint32_t message, std::uint8_t* returned) {
    synchronized_call call{routine, argument, 0};
    int answer = 0;
    auto const* const s = graphics::current().services;
    ntstatus const status = s != nullptr
                                ? s->synchronize_execution(s->system, &synchronized_call::run, &call, message, &answer)
                                : (synchronized_call::run(&call), nt::success);
    if (returned != nullptr) {
        *returned = call.returned;
    }
    system().lower(system().level());
    return status;
}
inline ntstatus WDDMCORE_DRIVER_CALL map_memory(void*, std::uint64_t address, std::uint32_t length,
                                                std::uint8_t in_io_space, std::uint8_t, std::uint32_t, void** to) {
    if (in_io_space != 0) {  // ports are not memory on this processor: the driver gets their number back
        bool const there =
            address <= 0xFFFF && traps::device_access::current().has_ports(static_cast<std::uint32_t>(address), length);
        *to = there ? reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)) : nullptr;
        if (!there) {
            system().find("0x1A MEMORY_MANAGEMENT", "DxgkCbMapMemory: the device has no ports there");
        }
        return there ? nt::success : nt::unsuccessful;
    }
    *to = memory_services::map_io(address, length, 0);
    return *to != nullptr ? nt::success : nt::unsuccessful;
}
inline ntstatus WDDMCORE_DRIVER_CALL unmap_memory(void*, void* at) {
    if (reinterpret_cast<std::uintptr_t>(at) > 0xFFFF) {  // ports were not mapped
        memory_services::unmap_io(at, 0);
    }
    return nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL read_space(void*, std::uint32_t, void* to, std::uint32_t offset,
                                                std::uint32_t length, std::uint32_t* done) {
    auto const& space = graphics::current().space;
    std::uint32_t const bytes = offset < space.size() ? std::min<std::uint32_t>(length, 4096 - offset) : 0;
    std::memcpy(to, space.data() + offset % 4096, bytes);
    *done = bytes;
    return nt::success;
}
/// What a device puts into the first 64 bytes says what it is, and stays; of the command register only what it enables
/// can be written.
inline ntstatus WDDMCORE_DRIVER_CALL write_space(void*, std::uint32_t, void const* from, std::uint32_t offset,
                                                 std::uint32_t length, std::uint32_t* done) {
    auto& space = graphics::current().space;
    std::uint32_t const bytes = offset < space.size() ? std::min<std::uint32_t>(length, 4096 - offset) : 0;
    for (std::uint32_t i = 0; i < bytes; ++i) {
        std::uint32_t const at = offset + i;
        if (at >= 0x40 || at == 4 || at == 5) {
            space[at] = static_cast<std::byte const*>(from)[i];
        }
    }
    *done = bytes;
    return nt::success;
}
/// HalGetBusDataByOffset: of the PCI buses only the device is there, on bus 0 in slot 0; an empty slot answers with the
/// vendor 0xFFFF alone, and what is no PCI bus with nothing.
inline std::uint32_t WDDMCORE_DRIVER_CALL bus_data(std::uint32_t type, std::uint32_t bus, std::uint32_t slot, void* to,
                                                   std::uint32_t offset, std::uint32_t length) {
    constexpr std::uint32_t pci_configuration = 4;
    system().at_most(dispatch_level, "HalGetBusDataByOffset");
    std::uint32_t done = 0;
    if (type == pci_configuration && bus == 0 && slot == 0) {
        static_cast<void>(read_space(nullptr, 0, to, offset, length, &done));
    } else if (type == pci_configuration && offset == 0 && length >= 2) {
        constexpr std::uint16_t nobody = 0xFFFF;
        std::memcpy(to, &nobody, done = sizeof nobody);
    }
    return done;
}
inline ntstatus WDDMCORE_DRIVER_CALL is_present(void*, void const*, std::uint8_t* present) {
    *present = 1;
    return nt::success;
}

// What the memory simulator plays, in a run that has one (WDDM 2.9). These have one argument, their structure.

inline ntstatus WDDMCORE_DRIVER_CALL create_physical_memory_object(void* args) {
    auto const* const m = graphics::current().memory;
    return m == nullptr ? unplayed_here("DxgkCbCreatePhysicalMemoryObject")
                        : m->create_physical_memory_object(m->system, args);
}
inline void WDDMCORE_DRIVER_CALL destroy_physical_memory_object(void const* args) {
    if (auto const* const m = graphics::current().memory; m != nullptr) {
        m->destroy_physical_memory_object(m->system, args);
    }
}
inline ntstatus WDDMCORE_DRIVER_CALL open_physical_memory_object(void* args) {
    auto const* const m = graphics::current().memory;
    return m == nullptr ? unplayed_here("DxgkCbOpenPhysicalMemoryObject")
                        : m->open_physical_memory_object(m->system, args);
}
inline void WDDMCORE_DRIVER_CALL close_physical_memory_object(void const* args) {
    if (auto const* const m = graphics::current().memory; m != nullptr) {
        m->close_physical_memory_object(m->system, args);
    }
}
inline ntstatus WDDMCORE_DRIVER_CALL map_physical_memory(void* args) {
    auto const* const m = graphics::current().memory;
    return m == nullptr ? unplayed_here("DxgkCbMapPhysicalMemory") : m->map_physical_memory(m->system, args);
}
inline void WDDMCORE_DRIVER_CALL unmap_physical_memory(void const* args) {
    if (auto const* const m = graphics::current().memory; m != nullptr) {
        m->unmap_physical_memory(m->system, args);
    }
}
inline ntstatus WDDMCORE_DRIVER_CALL allocate_adl(void* args) {
    auto const* const m = graphics::current().memory;
    return m == nullptr ? unplayed_here("DxgkCbAllocateAdl") : m->allocate_adl(m->system, args);
}
inline void WDDMCORE_DRIVER_CALL free_adl(void const* args) {
    if (auto const* const m = graphics::current().memory; m != nullptr) {
        m->free_adl(m->system, args);
    }
}

/// A callback that nobody plays: its name is noted.
inline std::uint64_t WDDMCORE_DRIVER_CALL unplayed(std::uint64_t index) {
    std::string const name = interface_functions[index];
    graphics::current().absent.insert(name);
    bool const has_status =
        std::find(std::begin(without_status), std::end(without_status), name) == std::end(without_status);
    return has_status ? static_cast<std::uint32_t>(nt::not_supported) : 0;
}

[[nodiscard]] inline void* callback(std::string const& name) {
    static std::vector<service> const independent = independent_callbacks();
    static std::vector<service> const features = feature_callbacks();
    static std::vector<service> const known = {
        entry("DxgkCbGetDeviceInformation", &get_device_information),
        entry("DxgkCbQueueDpc", &queue_dpc),
        entry("DxgkCbNotifyInterrupt", &notify_interrupt),
        entry("DxgkCbNotifyDpc", &notify_dpc),
        entry("DxgkCbSynchronizeExecution", &synchronize),
        entry("DxgkCbMapMemory", &map_memory),
        entry("DxgkCbUnmapMemory", &unmap_memory),
        entry("DxgkCbReadDeviceSpace", &read_space),
        entry("DxgkCbWriteDeviceSpace", &write_space),
        entry("DxgkCbIsDevicePresent", &is_present),
        entry("DxgkCbCreatePhysicalMemoryObject", &create_physical_memory_object),
        entry("DxgkCbDestroyPhysicalMemoryObject", &destroy_physical_memory_object),
        entry("DxgkCbOpenPhysicalMemoryObject", &open_physical_memory_object),
        entry("DxgkCbClosePhysicalMemoryObject", &close_physical_memory_object),
        entry("DxgkCbMapPhysicalMemory", &map_physical_memory),
        entry("DxgkCbUnmapPhysicalMemory", &unmap_physical_memory),
        entry("DxgkCbAllocateAdl", &allocate_adl),
        entry("DxgkCbFreeAdl", &free_adl)};
    for (auto const* const list : {&known, &independent, &features}) {
        for (service const& s : *list) {
            if (name == s.name) {
                return s.address;
            }
        }
    }
    return nullptr;
}

/// What of the device the kernel itself shows.
[[nodiscard]] inline std::vector<service> services() { return {entry("HalGetBusDataByOffset", &bus_data)}; }

/// The interface of one version. Drivers register an old version, compile with new headers and copy the whole
/// structure: the memory is as large as the newest one's, and its end is the page's.
[[nodiscard]] inline std::byte* make_interface(std::uint32_t size, std::uint32_t version) {
    static std::byte* const thunks = [] {
        void* const memory = ::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::bad_alloc();
        }
        // mov ecx, index; mov rax, unplayed; jmp rax
        for (std::uint32_t i = 0; i < std::size(interface_functions); ++i) {
            std::byte* at = static_cast<std::byte*>(memory) + 32 * i;
            auto const target = &unplayed;
            at[0] = std::byte{0xB9};
            std::memcpy(at + 1, &i, 4);
            at[5] = std::byte{0x48};
            at[6] = std::byte{0xB8};
            std::memcpy(at + 7, &target, 8);
            at[15] = std::byte{0xFF};
            at[16] = std::byte{0xE0};
        }
        ::mprotect(memory, 8192, PROT_READ | PROT_EXEC);
        return static_cast<std::byte*>(memory);
    }();
    static void* const page = ::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || ::mprotect(static_cast<std::byte*>(page) + 4096, 4096, PROT_NONE) != 0) {
        throw std::bad_alloc();
    }
    constexpr std::uint32_t largest = std::rbegin(registrations)->interface;
    std::byte* const to = static_cast<std::byte*>(page) + 4096 - largest;
    std::memset(to, 0, largest);
    std::memcpy(to, &size, 4);
    std::memcpy(to + 4, &version, 4);
    void* const handle = &graphics::current();
    std::memcpy(to + 8, &handle, 8);
    for (std::uint32_t at = 16; at < size; at += 8) {
        std::uint32_t const i = (at - 16) / 8;
        void* function = callback(interface_functions[i]);
        function = function == nullptr ? thunks + 32 * i : function;
        std::memcpy(to + at, &function, 8);
    }
    return to;
}

}  // namespace wddmcore::testing::kernel_parts::dxgk_services

#endif
