// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../vidmm/isolated.hpp"
#include "junit.hpp"
#include "scenario.hpp"

#include <algorithm>
#include <set>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A default scenario of `certify`.
struct certified_scenario {
    char const* name;
    char const* about;
    certified_parts::result (*play)(certified_driver const&, certified_options const&);
};

inline constexpr certified_scenario certified_scenarios[] = {
    {"start", "the adapter is added, asked, started, asked again and stopped",
     [](certified_driver const& d, certified_options const& o) { return certified_parts::adapter_life(d, o); }},
    {"paging", "allocations are filled, moved, mapped, unmapped and lost, in buffers of any size and position",
     [](certified_driver const& d, certified_options const& o) {
         return certified_parts::paging(d, o, [](vidmm_options&) { return true; });
     }},
    {"small buffers", "every operation takes as many passes as it can; busy answers and retries are frequent",
     [](certified_driver const& d, certified_options const& o) {
         return certified_parts::paging(d, o, [](vidmm_options& options) {
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
     [](certified_driver const& d, certified_options const& o) {
         return certified_parts::paging(d, o, [](vidmm_options& options) {
             options.chances.feature = 85;
             options.chances.root_move = 20;
             return options.page_tables.used();
         });
     }},
    {"losses", "resets are frequent, and the power goes where the model can lose it",
     [](certified_driver const& d, certified_options const& o) {
         return certified_parts::paging(d, o, [&d](vidmm_options& options) {
             options.chances.reset = 6;
             options.chances.power_loss = 6;
             options.power_losses = options.lose_power != nullptr || d.table.lose_power != nullptr;
             return true;
         });
     }},
    {"scheduling", "packets are submitted, preempted, resumed and completed on every node",
     [](certified_driver const& d, certified_options const& o) {
         return certified_parts::scheduling(d, o, [](scheduler::options&) {});
     }},
    {"pressure", "requests are as frequent as packets, rings are full, interrupts are late",
     [](certified_driver const& d, certified_options const& o) {
         return certified_parts::scheduling(d, o, [](scheduler::options& options) {
             options.chances.preempt = 25;
             options.chances.preempt_idle = 15;
             options.chances.submit = 95;
             options.chances.interrupt = 15;
             options.chances.query = 12;
         });
     }},
    {"timeouts", "engines fault and hang, and are reset one by one or all together",
     [](certified_driver const& d, certified_options const& o) {
         return certified_parts::scheduling(d, o, [](scheduler::options& options) {
             options.packets *= 5;
             options.troubles = {.fault = 20,
                                 .fault_reset = 20,
                                 .fault_unknown = 20,
                                 .hang = 30,
                                 .paging_hang = 20,
                                 .removals = 5,
                                 .reset_fails = 30};
         });
     }},
};

namespace certified_parts {

[[nodiscard]] inline certified_scenario_report play(certified_scenario const& s, certified_driver const& d,
                                                    certified_options const& o, std::set<std::string>& told,
                                                    std::vector<std::string>& unjudged) {
    certified_scenario_report out{s.name, s.about, {}, {}, {}, {}};
    vidmm_verdict const verdict =
        run_isolated([&] { return s.play(d, o); }, std::chrono::milliseconds(std::uint64_t{o.seconds} * 1000));
    result const found = result::read(verdict.text);
    out.left_out = found.left_out;
    out.exercised = found.exercised;
    out.last_call = verdict.how == vidmm_verdict::ending::finished ? "" : verdict.last_call;
    for (vidmm_violation const& v : verdict.violations) {
        certified_finding f = certified_finding_of(v);
        bool const wanted = f.kind != certified_kind::unusual || o.judge_unusual;
        // A rule is told once: another scenario shows the same cause again.
        if (wanted && told.insert(f.kind == certified_kind::ended ? f.rule + f.sentence : f.rule).second) {
            out.findings.push_back(std::move(f));
        }
    }
    for (std::string const& line : found.unjudged) {
        if (std::find(unjudged.begin(), unjudged.end(), line) == unjudged.end()) {
            unjudged.push_back(line);
        }
    }
    if (!out.findings.empty()) {
        out.left_out.clear();
    }
    return out;
}

/// The rules of both simulators whose precondition occurred in none of the scenarios.
[[nodiscard]] inline std::vector<std::string> rest_of(certified_report const& report) {
    std::vector<std::string> out;
    auto const look = [&](std::string const& id) {
        for (certified_scenario_report const& s : report.scenarios) {
            if (s.exercised.contains(id) ||
                std::any_of(s.findings.begin(), s.findings.end(), [&](auto const& f) { return f.rule == id; })) {
                return;
            }
        }
        out.push_back(id);
    };
    for (vidmm_rule_text const& rule : vidmm_rules) {
        look(rule.id);
    }
    for (scheduler::rule_text const& rule : scheduler::rules) {
        look(rule.id);
    }
    return out;
}

}  // namespace certified_parts

/// Runs a driver through the default scenarios and says which rules it breaks.
/// @param driver   what is certified; what it points at must live longer
/// @param options  seed, length, and what is judged
/// @return the report: a function of driver, options and seed
/// @throws std::runtime_error  the host gave no process or no memory
[[nodiscard]] inline certified_report certify(certified_driver const& driver, certified_options const& options = {}) {
    certified_report report;
    report.driver = driver.name;
    report.seed = options.seed;
    std::set<std::string> told;
    for (certified_scenario const& s : certified_scenarios) {
        bool const wanted =
            options.only.empty() || std::find(options.only.begin(), options.only.end(), s.name) != options.only.end();
        if (wanted && (!options.only_first || report.is_clean())) {
            report.scenarios.push_back(certified_parts::play(s, driver, options, told, report.unjudged));
        }
    }
    report.not_exercised = certified_parts::rest_of(report);
    return report;
}

}  // namespace wddmcore::testing
