// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../shrink.hpp"
#include "isolated.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <initializer_list>

/// The scenarios in which an image is scheduled, by packets and by hardware queues.
namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

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
    for (queue_scenario const& each : {queue_scenario_calm, queue_scenario_troubled}) {
        play(each.name, each.about, scenario_length::packets,
             [&known, &each](image_run& r) { r.schedule_by_hardware(known.queues, each.differently); });
    }
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
                    : !engines             ? "the driver has no hardware queues, or does not say what its nodes are"
                    : known.is_told        ? "the driver has no functions for scheduling"
                                           : "the driver does not say what its engines are";
    none.replay = none.findings.empty() ? "" : none.replay;
    to.scenarios.push_back(none);
}

}  // namespace wddmcore::testing::certify_parts

#endif
