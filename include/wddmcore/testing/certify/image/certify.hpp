// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../shrink.hpp"
#include "run.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <initializer_list>
#    include <sys/wait.h>

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

namespace certify_parts {

/// What a run in a process of its own came to.
struct isolated_run {
    std::vector<vidmm_violation> findings;
    result told;
    std::string ending;  ///< of one that did not come to its end: how, in which call
};

/// A run in a process of its own, whatever becomes of it.
template <class Work>
[[nodiscard]] isolated_run play_isolated(Work const& work) {
    void* const memory =
        ::mmap(nullptr, sizeof(kernel_record), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::runtime_error("no shared memory");
    }
    auto& record = *new (memory) kernel_record{};
    pid_t const process = ::fork();
    if (process == 0) {
        vidmm_parts::journal::current().also_write_to(record.detail);
        vidmm_parts::findings_of_this_process() = &record.findings;
        try {
            work(record);
        } catch (std::exception const& e) {
            record.findings.add("NOT PLAYED", e.what(), record.call);
        }
        ::_exit(0);
    }
    int status = 0;
    bool const ended = process > 0 && ::waitpid(process, &status, 0) == process;
    std::vector<vidmm_violation> findings = record.findings.all();
    std::string last_call = std::string(record.call[0] != '\0' ? record.call : "no call") +
                            (record.thread[0] != '\0' ? std::string(", ") + record.thread : "");
    // The simulator describes each call that builds; of another one it may be an old description.
    bool const described = std::string("DxgkDdiBuildPagingBuffer") == record.call || record.call[0] == '\0';
    if (described && record.detail[0] != '\0') {
        last_call += std::string(" (") + record.detail + ')';
    }
    bool const alarmed = WIFEXITED(status) && WEXITSTATUS(status) == 4;
    bool const hung =
        std::any_of(findings.begin(), findings.end(), [](auto const& f) { return f.rule == crash_id::hang; });
    std::string how = record.finished ? "" : alarmed || hung ? "hung in " : "stopped in ";
    if (WIFSIGNALED(status)) {
        how = "crashed in ";
        findings.push_back(
            {crash_id::crash, "the process was ended by signal " + std::to_string(WTERMSIG(status)), last_call});
    }
    result told = result::read(record.text);
    ::munmap(memory, sizeof(kernel_record));
    if (!ended) {
        throw std::runtime_error("no process");
    }
    return {std::move(findings), std::move(told), how.empty() ? how : how + last_call};
}

/// The same as a scenario of a report.
template <class Work>
void add_isolated(certified_report& to, char const* name, char const* about, certified_options const& o,
                  Work const& work) {
    isolated_run played = play_isolated(work);
    add(to, {name, about, {}, std::move(played.ending), {}, {}, {}}, played.findings, std::move(played.told), o);
}

/// Whether one of these scenarios is to be played.
[[nodiscard]] inline bool wants_any(certified_options const& o, std::initializer_list<char const*> names,
                                    certified_report const& so_far) {
    return std::any_of(names.begin(), names.end(), [&](char const* name) { return wants(o, name, so_far); });
}

/// The scenarios of packet scheduling.
template <class Play>
void schedule_packets(told_engines const& known, Play const& play) {
    play("scheduling", "packets are submitted, preempted, resumed and completed on every node",
         scenario_length::packets, [&known](image_run& r) { r.schedule(known.engines); });
    play("timeouts", "the same with faults, hangs and resets", scenario_length::packets, [&known](image_run& r) {
        testing::scheduler::options o = known.engines;
        o.troubles = scheduler::usual_troubles;
        r.schedule(o);
    });
}

/// Those of hardware scheduling, as a driver from source has them.
template <class Play>
void schedule_queues(told_engines const& known, Play const& play) {
    play("hardware queues", "packets go to hardware queues, contexts are suspended and resumed, native fences signaled",
         scenario_length::packets,
         [&known](image_run& r) { r.schedule_by_hardware(known.queues, [](hardware_queues::options&) {}); });
    play("hardware timeouts", "the same with nodes that hang, and are reset and resumed, in vain or not",
         scenario_length::packets, [&known](image_run& r) {
             r.schedule_by_hardware(known.queues, [](hardware_queues::options& o) {
                 o.packets *= 5;
                 o.hardware_writes_log = false;
                 o.troubles = hardware_queues::usual_troubles;
             });
         });
}

/// What the engines are is asked in a process of its own: a driver is loaded anew when its adapter comes again. Its
/// answers are judged in `paging`; where they do not come, that is what scheduling came to.
template <class Play>
void schedule_image(certified_report& to, driver_source const& source, image_run_options const& run, Play const& play) {
    void* const memory =
        ::mmap(nullptr, sizeof(told_engines), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::runtime_error("no shared memory");
    }
    auto& told = *new (memory) told_engines{};
    bool const engines = run.model->show_engines != nullptr;
    certified_report asked;
    add_isolated(asked, engines ? "scheduling" : "hardware queues", "what the engines are is asked of the driver",
                 run.how, [&](kernel_record& record) {
                     auto const one = std::make_unique<image_run>(record, source, run);
                     one->tell_engines(told);
                     static_cast<void>(std::fflush(stdout));
                     ::_exit(0);
                 });
    told_engines const known = told;
    ::munmap(memory, sizeof(told_engines));
    std::copy_if(asked.unjudged.begin(), asked.unjudged.end(), std::back_inserter(to.unjudged),
                 [&to](auto const& line) {
                     return std::find(to.unjudged.begin(), to.unjudged.end(), line) == to.unjudged.end();
                 });
    if (known.is_told && known.has_engines) {
        schedule_packets(known, play);
    }
    if (known.is_told && known.has_queues) {
        schedule_queues(known, play);
    }
    if (known.is_told && (known.has_engines || !engines)) {
        return;
    }
    certified_scenario_report& none = asked.scenarios.front();
    std::erase_if(none.findings, [&to](certified_finding const& f) {
        return std::any_of(to.scenarios.begin(), to.scenarios.end(), [&f](auto const& s) { return repeats(f, s); });
    });
    none.left_out = !none.findings.empty() ? ""
                    : engines              ? "the driver does not say what its engines are"
                                           : "the driver has no hardware queues, or does not say what its nodes are";
    none.replay = none.findings.empty() ? "" : none.replay;
    to.scenarios.push_back(none);
}

}  // namespace certify_parts

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
