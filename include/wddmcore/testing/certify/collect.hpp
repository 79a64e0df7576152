// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "driver.hpp"
#include "html.hpp"
#include "junit.hpp"
#include "result.hpp"

#include <algorithm>

/// How scenarios become a report, whatever kind of driver they played.
namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// Whether a finding says what one of these said: a rule is told once, for it shows the same cause again and again.
[[nodiscard]] inline bool repeats(certified_finding const& f, certified_scenario_report const& s) {
    return std::any_of(s.findings.begin(), s.findings.end(), [&f](certified_finding const& e) {
        return e.rule == f.rule && (f.kind < certified_kind::stops || e.sentence == f.sentence);
    });
}

/// What plays a scenario again: the same options lead to the same calls.
[[nodiscard]] inline std::string replay_of(certified_options const& o, std::string const& scenario) {
    certified_options const usual;
    std::string out = o.command.empty() ? "" : o.command + ' ';
    out += "--seed " + std::to_string(o.seed);
    if (o.steps != usual.steps) {
        out += " --steps " + std::to_string(o.steps);
    }
    if (o.packets != usual.packets) {
        out += " --packets " + std::to_string(o.packets);
    }
    bool const spaced = scenario.find(' ') != std::string::npos;
    return out + " --only " + (spaced ? '"' + scenario + '"' : scenario);
}

/// The options of one scenario: the same but for the file of its trace.
[[nodiscard]] inline certified_options options_of_scenario(certified_options const& o, std::string const& scenario) {
    certified_options out = o;
    if (!o.trace.empty() && o.only.size() != 1) {
        std::string name = scenario;
        std::replace(name.begin(), name.end(), ' ', '-');
        out.trace = file_beside(o.trace, name);
    }
    return out;
}

/// Adds what a scenario found and told.
inline void add(certified_report& to, certified_scenario_report s, std::vector<vidmm_violation> const& violations,
                result told, certified_options const& o) {
    for (vidmm_violation const& v : violations) {
        certified_finding f = certified_finding_of(v);
        if (repeats(f, s) || (f.kind == certified_kind::unusual && !o.judge_unusual)) {
            continue;
        }
        if (std::any_of(to.scenarios.begin(), to.scenarios.end(),
                        [&f](auto const& earlier) { return repeats(f, earlier); })) {
            s.again.insert(f.rule);
        } else {
            s.findings.push_back(std::move(f));
        }
    }
    for (std::string const& line : told.unjudged) {
        if (std::find(to.unjudged.begin(), to.unjudged.end(), line) == to.unjudged.end()) {
            to.unjudged.push_back(line);
        }
    }
    s.replay = s.findings.empty() ? std::string() : replay_of(o, s.name);
    s.left_out = s.findings.empty() ? std::move(told.left_out) : std::string();
    s.exercised = std::move(told.exercised);
    s.said = std::move(told.said);
    to.scenarios.push_back(std::move(s));
}

/// Whether a scenario of this name is to be played.
[[nodiscard]] inline bool wants(certified_options const& o, char const* name, certified_report const& so_far) {
    bool const named = o.only.empty() || std::find(o.only.begin(), o.only.end(), name) != o.only.end();
    return named && (!o.only_first || so_far.is_clean());
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

}  // namespace wddmcore::testing::certify_parts
