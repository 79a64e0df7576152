// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/driver_table.h>
#include <wddmcore/testing/scheduler_table.h>

#include <dispmprt.h>

/// What stands for Windows while an example driver runs on a host: the kernel's functions that it uses, and its table of DDI
/// functions behind the simulators' table. There is one driver and one adapter.
namespace wddmcore::examples::host {

/// What PCI resources say at the next StartDevice.
struct machine_resources {
    unsigned long long memory_bytes;
    unsigned long long bar;
    unsigned long long system_base;
    void* aperture_entries;
};

/// Calls DriverEntry, which must register the driver. Returns whether it did.
[[nodiscard]] bool load_driver();

/// Where memory is found from now on.
void connect(machine_resources const& found);
/// Which services and registers the driver sees from the next StartDevice on.
void connect(wddmcore_system_services const& services, wddmcore_gpu const& registers);

/// DxgkDdiStartDevice with what is connected, and a DxgkDdiCreateDevice for the contexts.
[[nodiscard]] int start_device();

/// The driver as the simulators see it.
[[nodiscard]] wddmcore_driver_table driver_table();

/// What hAdapter is, and the functions that the driver registered.
[[nodiscard]] void* adapter();
[[nodiscard]] DRIVER_INITIALIZATION_DATA const& functions();

/// Whether all pool memory was given back and every spin lock was released.
[[nodiscard]] bool is_clean();

}  // namespace wddmcore::examples::host
