// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The driver of kmd_skeleton/driver.hpp from AddDevice to RemoveDevice, on both simulators. The memory manager starts
// it by means of its own answers, pages in the segments that it reported, resets it and stops it. The scheduler
// preempts it and resets engines that hang. kmd_skeleton/gpu.hpp is its hardware, kmd_skeleton/adapter.hpp what the
// library asks of it; driver_host/ stands for Windows and the machine.

#include "driver_host/play.hpp"
#include "kmd_skeleton/table.hpp"

using namespace wddmcore;
using namespace wddmcore::examples;

int main() {
    skeleton::driver driver;
    auto const connect = [&driver](host::machine& around) {
        auto const [memory, bar, system_base, entries] = around.found();
        driver.found = {.memory = {memory},
                        .bar = {bar},
                        .system_base = system_base,
                        .aperture_entries = entries,
                        .save_areas = {0x2000, 0x3000},
                        .services = &around.services(),
                        .registers = &around.registers()};
    };
    auto const root_of = [](void* context) {
        return static_cast<skeleton::own_context*>(static_cast<wdk::context*>(context)->own)->root;
    };
    return host::play({skeleton::table_of(driver), connect, root_of});
}
