// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// as_host_code SEED: examples/c_driver, compiled for the host, through the very runs that `certify` plays with its image. What
// it prints must be what the image's report says.

#include <driver_host/play.hpp>
#include <driver_host/windows.hpp>
#include <wddmcore/testing/certify/driver.hpp>
#include <wddmcore/testing/certify/image/paging.hpp>

#include <driver_image/device.cpp>  // its machine is connected to the driver below

#include <cstdio>
#include <cstdlib>

namespace {

namespace host = examples::host;
namespace parts = testing::certify_parts;

std::uint64_t seed = 1;
wddmcore_device_model model{};
host::played_driver const* loaded = nullptr;
parts::paging_services* services_of_run = nullptr;

int WDDMCORE_DRIVER_CALL start_adapter(void* adapter, wddmcore_memory_services const*) {
    return loaded->table.start_device(adapter, &services_of_run->table(), &of(model.device).machine.registers());
}

void print(parts::result const& r) {
    for (std::string const& line : r.said) {
        std::printf("%s\n", line.c_str());
    }
}

bool schedule(testing::vidmm_adapter_description const& said, bool troubles) {
    wddmcore_driver_table const& t = loaded->table;
    static_cast<void>(t.add_device(t.adapter));
    testing::scheduler::options options = parts::scheduling_options_of(said, true);
    options.packets = testing::certified_options{}.packets;
    if (troubles) {
        options.troubles = testing::scheduler::usual_troubles;
    }
    auto const report = testing::scheduler::run(t, options, seed);
    std::string numbers = report.numbers();
    std::replace(numbers.begin(), numbers.end(), '\n', ' ');
    std::printf("%s\n", numbers.c_str());
    static_cast<void>(t.stop_device(t.adapter));
    static_cast<void>(t.remove_device(t.adapter));
    return report.passed();
}

}  // namespace

/// In place of the home that plays the example drivers.
int wddmcore::examples::host::play(played_driver const& d) {
    static wddmcore_device_host const around{sizeof around, nullptr,
                                             [](void*, unsigned message) { services_of_run->interrupt(message); }};
    model.size = sizeof model;
    if (wddmcore_make_device(&around, &model) != 0) {
        return 2;
    }
    loaded = &d;
    d.connect(of(model.device).machine);
    bool good = true;
    parts::played_driver played;
    played.table = d.table;
    played.table.start_adapter = &start_adapter;
    played.table.submit_command = nullptr;
    played.model = &model;
    played.connect = [](wddmcore_system_services const*) {};
    played.let_time_pass = [](std::uint64_t) {};
    played.lend_memory = [](testing::gpu_memory_ram const*) {};
    played.find = [&good](char const* id, std::string const& sentence) {
        std::printf("%s: %s\n", id, sentence.c_str());
        good = false;
    };
    played.write = [](std::string const& lines) { print(parts::result::read(lines)); };
    parts::paging_services services(played);
    services_of_run = &services;
    static testing::vidmm_parts::kept_findings found;
    testing::vidmm_parts::findings_of_this_process() = &found;
    testing::vidmm_adapter_description said;
    {
        parts::paging_run run(played, services, true);
        testing::certified_options options;
        options.seed = seed;
        run.play(options);
        said = run.description();
    }
    good = schedule(said, false) && good;
    good = schedule(said, true) && good;
    for (testing::vidmm_violation const& v : found.all()) {
        std::printf("%s: %s\n", v.rule.c_str(), v.sentence.c_str());
    }
    return good && found.used == 0 && d.is_clean() ? 0 : 1;
}

int main(int count, char** words) {
    seed = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1;
    return examples::host::play_windows_driver();
}
