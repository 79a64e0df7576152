// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// as_host_code SEED: examples/c_driver, compiled for the host, through the very runs that `certify` plays with its image. What
// it prints must be what the image's report says.

#include <c_driver/registers.h>
#include <driver_host/windows.hpp>
#include <wddmcore/testing/certify/paging_run.hpp>

#include <cstdio>
#include <cstdlib>

extern "C" int wddmcore_make_device(wddmcore_device_host const* host, wddmcore_device_model* model);

namespace {

using namespace wddmcore;
namespace host = examples::host;
using testing::certify_parts::paging_run;
using testing::certify_parts::paging_services;
using testing::certify_parts::played_driver;

paging_services* services_of_run = nullptr;
wddmcore_device_model model{};

/// As c_driver/registers.h has it: what lies in the device's memory.
void find_hardware_again() {
    auto const& found = *static_cast<found_hardware const*>(model.memory[0].memory);
    host::connect(
        host::machine_resources{found.MemoryBytes, found.BarAddress, found.SystemBase, found.ApertureEntries});
}

bool schedule(played_driver const& d, bool troubles, std::uint64_t seed) {
    auto const o = testing::certify_parts::scheduling_options(true, troubles, 400);
    static_cast<void>(d.table.add_device(nullptr));
    auto const report = testing::scheduler::run(d.table, o, seed);
    std::string const text = report.text();
    std::printf("scheduling%s%s\n", troubles ? ", with troubles: " : ": ",
                text.substr(0, text.find('\n', text.find("requests"))).c_str());
    static_cast<void>(d.table.stop_device(nullptr));
    static_cast<void>(d.table.remove_device(nullptr));
    return report.passed();
}

}  // namespace

int main(int count, char** words) {
    std::uint64_t const seed = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1;
    wddmcore_device_host const machine{sizeof machine, nullptr,
                                       [](void*, unsigned message) { services_of_run->interrupt(message); }};
    if (!host::load_driver() || wddmcore_make_device(&machine, &model) != 0) {
        return 2;
    }
    find_hardware_again();
    played_driver d;
    d.table = host::driver_table();
    d.table.submit_command = nullptr;
    d.model = &model;
    bool good = true;
    d.connect = [](wddmcore_system_services const* s) {
        host::connect(*s, *static_cast<found_hardware const*>(model.memory[0].memory)->Registers);
    };
    d.let_time_pass = [](std::uint64_t) {};
    d.lend_memory = [](testing::gpu_memory_ram const*) {};
    d.find = [&good](char const* id, std::string const& sentence) {
        std::printf("%s: %s\n", id, sentence.c_str());
        good = false;
    };
    d.say = [](std::string const& line) { std::printf("%s", line.c_str()); };
    {
        paging_services services(d);
        services_of_run = &services;
        paging_run(d, services, true).play(seed, 300);
    }
    d.table = host::driver_table();
    good = schedule(d, false, seed) && good;
    good = schedule(d, true, seed) && good;
    return good && host::is_clean() ? 0 : 1;
}
