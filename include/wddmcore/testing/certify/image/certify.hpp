// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../shrink.hpp"
#include "schedule.hpp"

#if defined(__x86_64__) && defined(__linux__)

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A driver to be certified: a compiled one, or one from source.
struct certified_image {
    std::string name = "driver";
    driver_source source{};
    wddmcore_device_model const* model = nullptr;  ///< the device; nullptr: none
    std::uint32_t failures = 0;  ///< of 1,000 requests to the kernel that may fail, how many do in a run of its own
    std::vector<registry_value> registry{};  ///< what the driver's keys hold: settings of its INF
    /// One more run, in which each read of what applications send to DxgkDdiRender is looked at: whoever reads a byte
    /// twice in a call may use another one than was checked (AMB-68). A driver may do so and be right, where it makes
    /// no difference what is there the second time. Needs Zydis.
    bool double_fetches = false;
};

/// Certifies a driver: it is loaded, registers, starts, pages, is scheduled, stops and is unloaded, in several
/// processes, and what is wrong is named.
/// @param driver   what is certified; what it points at must live longer
/// @param options  seed, length, and what is judged
/// @return the report: a function of driver, device, options and seed
/// @throws std::runtime_error  the host gives no process or no memory
[[nodiscard]] inline certified_report certify(certified_image const& driver, certified_options const& options = {}) {
    using namespace certify_parts;
    certified_report report;
    report.driver = driver.name;
    report.seed = options.seed;
    report.foreword = driver.source.foreword();
    image_run_options run;
    run.how = options;
    run.model = driver.model;
    run.registry = driver.registry;
    auto const play = [&](char const* name, char const* about, scenario_length length, auto const& work) {
        if (!wants(options, name, report)) {
            return;
        }
        run.how.trace = options_of_scenario(options, name).trace;
        auto const played = [&](kernel_record& record) {
            auto const one = std::make_unique<image_run>(record, driver.source, run);
            work(*one);
            // Nothing of the driver may run again, not even its threads' stacks.
            static_cast<void>(std::fflush(stdout));
            ::_exit(0);
        };
        add_isolated(report, name, about, options, played);
        certified_options const whole = run.how;
        shrink(report.scenarios.back(), options, length, [&](certified_options const& how) {
            run.how.trace.clear();
            run.how.steps = std::min(whole.steps, how.steps);
            run.how.packets = how.packets;
            return play_isolated(played).findings;
        });
        run.how = whole;
    };
    if (!kp::traps::emulates) {
        report.unjudged.emplace_back("privileged instructions and the shared user page; built without Zydis");
    }
    for (std::string& line : driver.source.unjudged()) {
        report.unjudged.push_back(std::move(line));
    }
    play("paging", "loaded, registered, added, started, paged, stopped, removed and unloaded", scenario_length::steps,
         [](image_run& r) { r.page(); });
    play("objects", "processes, allocations that are opened and closed in their devices, presents and renders",
         scenario_length::fixed, [](image_run& r) { r.use_objects(); });
    if (driver.model != nullptr && (driver.model->show_engines != nullptr || driver.model->show_queues != nullptr)) {
        if (wants_any(options, {"scheduling", "timeouts", "hardware queues", "hardware timeouts"}, report)) {
            schedule_image(report, driver.source, run, play);
        }
    } else {
        report.unjudged.emplace_back(image_run::unshown_engines);
    }
    run.how.steps = std::min<std::uint64_t>(run.how.steps, 20);
    run.unknown_operation = true;
    play("unknown operation", "DxgkDdiBuildPagingBuffer is given a code that no version has", scenario_length::steps,
         [](image_run& r) { r.page(); });
    run.unknown_operation = false;
    run.how.steps = options.steps;
    run.mapping_failures = 250;
    play("failed mappings", "as in `paging`, where one of four mappings of memory fails", scenario_length::steps,
         [](image_run& r) { r.page(); });
    run.mapping_failures = 0;
    if (driver.double_fetches && kp::traps::emulates) {
        run.double_fetches = true;
        play("double fetches", "as in `objects`, where each read of what an application sends is looked at",
             scenario_length::fixed, [](image_run& r) { r.use_objects(); });
        run.double_fetches = false;
    }
    if (driver.failures != 0) {
        run.failures = driver.failures;
        play("failures", "as in `paging`, where requests to the kernel fail", scenario_length::steps,
             [](image_run& r) { r.page(); });
    }
    report.not_exercised = rest_of(report);
    return report;
}

}  // namespace wddmcore::testing

#endif
