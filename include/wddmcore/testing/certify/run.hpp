// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../vidmm/isolated.hpp"
#include "collect.hpp"
#include "hardware_scheduling.hpp"
#include "scenario.hpp"
#include "shrink.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A default scenario of `certify`.
struct certified_scenario {
    char const* name;        ///< as `certified_options::only` takes it
    char const* about;       ///< what happens in it, in one sentence
    scenario_length length;  ///< what makes a run longer: steps, packets or nothing
    /// Plays it in this process; returns what it tells beside its findings.
    certify_parts::result (*play)(certified_driver const&, certified_options const&);
};

/// The default scenarios, in the order in which they are played.
inline constexpr certified_scenario certified_scenarios[] = {
    {"start", "the adapter is added, asked, started, asked again and stopped", scenario_length::fixed,
     [](certified_driver const& d, certified_options const& o) { return certify_parts::adapter_life(d, o); }},
    {"paging", "allocations are filled, moved, mapped, unmapped and lost, in buffers of any size and position",
     scenario_length::steps,
     [](certified_driver const& d, certified_options const& o) {
         return certify_parts::paging(d, o, [](vidmm_options&) { return true; });
     }},
    {"small buffers", "every operation takes as many passes as it can; busy answers and retries are frequent",
     scenario_length::steps,
     [](certified_driver const& d, certified_options const& o) {
         return certify_parts::paging(d, o, [](vidmm_options& options) {
             options.paging_buffer = options.smallest_paging_buffer;
             options.packing = vidmm_packing::packed;
             options.chances.begun_buffer = 90;
             options.largest_allocation = std::max<std::uint64_t>(options.largest_allocation, 1 << 18);
             options.chances.busy = 60;
             options.chances.retry = 40;
             return true;
         });
     }},
    {"address spaces", "processes map and unmap, page tables move, contexts hear of their roots",
     scenario_length::steps,
     [](certified_driver const& d, certified_options const& o) {
         return certify_parts::paging(d, o, [](vidmm_options& options) {
             options.chances.feature = 85;
             options.chances.root_move = 20;
             return options.page_tables.used();
         });
     }},
    {"losses", "resets are frequent, and the power goes where the model can lose it", scenario_length::steps,
     [](certified_driver const& d, certified_options const& o) {
         return certify_parts::paging(d, o, [&d](vidmm_options& options) {
             options.chances.reset = 6;
             options.chances.power_loss = 6;
             options.power_losses = options.lose_power != nullptr || d.table.lose_power != nullptr;
             return true;
         });
     }},
    {"unknown operation", "DxgkDdiBuildPagingBuffer is given a code that no version has", scenario_length::steps,
     [](certified_driver const& d, certified_options const& o) {
         certified_options few = o;
         few.steps = std::min<std::uint64_t>(o.steps, 20);
         return certify_parts::paging(d, few, [](vidmm_options& options) { return options.unknown_operation = true; });
     }},
    {"scheduling", "packets are submitted, preempted, resumed and completed on every node", scenario_length::packets,
     [](certified_driver const& d, certified_options const& o) {
         return certify_parts::scheduling(d, o, [](scheduler::options&) {});
     }},
    {"pressure", "requests are as frequent as packets, rings are full, interrupts are late", scenario_length::packets,
     [](certified_driver const& d, certified_options const& o) {
         return certify_parts::scheduling(d, o, [](scheduler::options& options) {
             options.chances.preempt = 25;
             options.chances.preempt_idle = 15;
             options.chances.submit = 95;
             options.chances.interrupt = 15;
             options.chances.query = 12;
         });
     }},
    {"timeouts", "engines fault and hang, and are reset one by one or all together", scenario_length::packets,
     [](certified_driver const& d, certified_options const& o) {
         return certify_parts::scheduling(d, o, [](scheduler::options& options) {
             options.packets *= 5;
             options.troubles = scheduler::usual_troubles;
             options.troubles.hang = 30;
             options.troubles.reset_fails = 30;
         });
     }},
    {"link", "packets go to both adapters of a link, some to both at once; they are preempted, hang and are reset",
     scenario_length::packets,
     [](certified_driver const& d, certified_options const& o) {
         return certify_parts::linked_scheduling(d, o, [](scheduler::options& options) {
             options.packets *= 2;
             options.chances.broadcast = 60;
             options.chances.preempt = 12;
             options.troubles = scheduler::usual_troubles;
             options.troubles.hang = 30;
         });
     }},
    {certify_parts::queue_scenario_calm.name, certify_parts::queue_scenario_calm.about, scenario_length::packets,
     [](certified_driver const& d, certified_options const& o) {
         return certify_parts::hardware_scheduling(d, o, certify_parts::queue_scenario_calm.differently);
     }},
    {certify_parts::queue_scenario_troubled.name, certify_parts::queue_scenario_troubled.about,
     scenario_length::packets,
     [](certified_driver const& d, certified_options const& o) {
         return certify_parts::hardware_scheduling(d, o, certify_parts::queue_scenario_troubled.differently);
     }},
};

/// Runs a driver through the default scenarios and says which rules it breaks.
/// @param driver   what is certified; what it points at must live longer
/// @param options  seed, length, and what is judged
/// @return the report: a function of driver, options and seed
/// @throws std::runtime_error  the host gave no process or no memory
[[nodiscard]] inline certified_report certify(certified_driver const& driver, certified_options const& options = {}) {
    using namespace certify_parts;
    certified_report report;
    report.driver = driver.name;
    report.seed = options.seed;
    for (certified_scenario const& s : certified_scenarios) {
        if (!wants(options, s.name, report)) {
            continue;
        }
        certified_options const one = options_of_scenario(options, s.name);
        auto const play = [&](certified_options const& how) {
            return run_isolated([&] { return s.play(driver, how); },
                                std::chrono::milliseconds(std::uint64_t{options.seconds} * 1000));
        };
        vidmm_verdict const verdict = play(one);
        std::string const ending = verdict.how == vidmm_verdict::ending::finished  ? ""
                                   : verdict.how == vidmm_verdict::ending::crashed ? "crashed in "
                                                                                   : "hung in ";
        add(report, {s.name, s.about, {}, ending.empty() ? "" : ending + verdict.last_call, {}, {}, {}},
            verdict.violations, result::read(verdict.text), options);
        shrink(report.scenarios.back(), options, s.length,
               [&play](certified_options const& how) { return play(how).violations; });
    }
    report.not_exercised = rest_of(report);
    return report;
}

}  // namespace wddmcore::testing
