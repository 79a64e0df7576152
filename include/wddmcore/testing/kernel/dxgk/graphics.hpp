// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../memory_table.h"
#include "../../scheduler/hardware_queue_table.h"
#include "../memory.hpp"
#include "../objects.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// What callbacks of DXGKRNL_INTERFACE that need the simulators share.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::dxgk_services {

/// DXGK_DEVICE_INFO, the same in all versions.
struct device_information {
    void* context;
    void* physical_device;
    unicode_string registry_path;
    void* resources;
    std::uint64_t memory;
    std::uint64_t highest;
    std::uint64_t agp_base;
    std::uint64_t agp_size;
    std::uint32_t docking;
};
static_assert(sizeof(device_information) == 80);

/// What the callbacks go to: a simulator's services, or the run's own.
struct graphics {
    wddmcore_system_services const* services = nullptr;
    wddmcore_memory_services const* memory = nullptr;
    wddmcore_queue_services const* queues = nullptr;  // of hardware scheduling, while it is played
    void* miniport = nullptr;
    std::vector<std::byte> resources;     // CM_RESOURCE_LIST
    std::array<std::byte, 4096> space{};  // of the device on its bus
    std::set<std::string> absent;         // callbacks without a service that were called

    static graphics& current() {
        static graphics one;
        return one;
    }
    /// Writes the resource list: one interrupt, the device's memory, its ports.
    void describe(std::span<memory_services::device_range const> ranges, std::uint32_t first_port,
                  std::uint32_t port_count) {
        std::size_t const count = ranges.size() + (port_count != 0 ? 2 : 1);
        resources.assign(20 + 20 * count, std::byte{});
        auto const put = [this](std::size_t at, auto value) {
            std::memcpy(resources.data() + at, &value, sizeof value);
        };
        put(0, std::uint32_t{1});
        put(4, std::uint32_t{5});  // PCIBus
        put(12, std::uint16_t{1});
        put(14, std::uint16_t{1});
        put(16, static_cast<std::uint32_t>(count));
        std::size_t at = 20;
        for (auto const& r : ranges) {
            put(at, std::uint8_t{3});  // CmResourceTypeMemory
            put(at + 1, std::uint8_t{1});
            put(at + 4, r.address);
            put(at + 12, static_cast<std::uint32_t>(r.size));
            at += 20;
        }
        if (port_count != 0) {
            put(at, std::uint8_t{1});  // CmResourceTypePort
            put(at + 1, std::uint8_t{1});
            put(at + 2, std::uint16_t{1});  // CM_RESOURCE_PORT_IO
            put(at + 4, std::uint64_t{first_port});
            put(at + 12, port_count);
            at += 20;
        }
        put(at, std::uint8_t{2});  // CmResourceTypeInterrupt
        put(at + 4, std::uint32_t{5});
        put(at + 8, std::uint32_t{0x51});
        put(at + 12, std::uint64_t{1});
    }
};

/// A callback that nobody plays in this run: its name is noted.
inline ntstatus unplayed_here(char const* name) {
    graphics::current().absent.insert(name);
    return nt::not_supported;
}

}  // namespace wddmcore::testing::kernel_parts::dxgk_services

#endif
