// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../finding_log.hpp"
#include "../rules.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What a finding says: the kinds of sentence are kept apart.
enum class certified_kind : std::uint8_t {
    broken,   ///< a documented rule is broken; there is a page
    refused,  ///< Windows is known to refuse this; no page says so (OBS)
    unusual,  ///< no page says anything; this library's reading or law (AMB, LAW)
    stops,    ///< Windows stops there, with the bug check that is the id
    ended,    ///< the run did not come to its end: a crash, a hang, a function that failed, a service that is missing
};

/// One finding, told once, whatever it led to.
struct certified_finding {
    certified_kind kind = certified_kind::broken;
    std::string rule;           ///< its id, a bug check, or a `crash_id`
    std::string sentence;       ///< what was wrong
    std::string state;          ///< where it was seen, with the numbers that show it
    std::string demand;         ///< the rule's own sentence; empty where there is no rule
    std::string source;         ///< where the rule comes from: a page, or in words
    differing_memory memory{};  ///< where bytes of memory show it

    /// @return whether every member is equal
    [[nodiscard]] bool operator==(certified_finding const&) const = default;
};

/// One scenario and what it showed.
struct certified_scenario_report {
    std::string name;                                ///< as `certified_options::only` takes it
    std::string about;                               ///< what happens in it, in one sentence
    std::string left_out;                            ///< why it did not run; empty: it did
    std::string ending;                              ///< of a scenario that crashed or hung: how, in which call
    std::vector<std::string> said;                   ///< what the run tells of itself: amounts, a hash of its trace
    std::vector<certified_finding> findings;         ///< in the order in which they were made
    std::map<std::string, std::uint64_t> exercised;  ///< how often each rule's precondition occurred
    std::string replay{};                            ///< what plays this scenario again; of one with findings
    std::set<std::string> again{};                   ///< rules found here that an earlier scenario has told
};

namespace certify_parts {
/// "found again: …", the rules of a scenario that an earlier one has told.
[[nodiscard]] inline std::string words_of_again(certified_scenario_report const& s) {
    std::string out;
    for (std::string const& id : s.again) {
        out += (out.empty() ? "found again: " : ", ") + id;
    }
    return out;
}
}  // namespace certify_parts

/// What certifying a driver showed. Equal for equal runs: no times, no host addresses.
struct certified_report {
    std::string driver;                                ///< its name
    std::uint64_t seed = 0;                            ///< that everything random followed from
    std::vector<std::string> foreword;                 ///< what was certified, and on what; of compiled drivers
    std::vector<certified_scenario_report> scenarios;  ///< in the order in which they were played
    std::vector<std::string> not_exercised;            ///< rules of the simulators whose precondition never occurred
    std::vector<std::string> unjudged;                 ///< what could not be judged, and what would be needed for it

    /// The first finding of all; nullptr when there is none.
    [[nodiscard]] certified_finding const* first() const {
        for (certified_scenario_report const& s : scenarios) {
            if (!s.findings.empty()) {
                return &s.findings.front();
            }
        }
        return nullptr;
    }
    /// Whether nothing was found, of no kind.
    [[nodiscard]] bool is_clean() const { return first() == nullptr; }
    /// Whether no rule of the DDI was found broken, nothing was found that Windows refuses, and the driver came to the
    /// end; what is only unusual does not count. Says nothing of rules that were not exercised.
    [[nodiscard]] bool passed() const {
        for (certified_scenario_report const& s : scenarios) {
            for (certified_finding const& f : s.findings) {
                if (f.kind != certified_kind::unusual) {
                    return false;
                }
            }
        }
        return true;
    }

    /// The report in words.
    [[nodiscard]] std::string text() const;
    /// The same as JUnit XML: a suite for each scenario, a case for each rule that it exercised or found broken, and
    /// one more suite of skipped cases for the rules that were not exercised.
    [[nodiscard]] std::string junit() const;
    /// The same as one HTML page, which is complete in itself, asks nothing of a network and runs no script: for a
    /// browser, for paper, and well-formed XML. Findings of each kind stand under a heading of their own.
    [[nodiscard]] std::string html() const;
};

/// A finding of a simulator with its kind, its rule's sentence and its source.
/// @param v  what the simulator found
/// @return the finding, of the kind that its id says
[[nodiscard]] inline certified_finding certified_finding_of(vidmm_violation const& v) {
    certified_finding f{certified_kind::ended, v.rule, v.sentence, v.state, {}, {}, v.memory};
    rules::entry const* const rule = rules::find(v.rule.c_str());
    if (rule == nullptr) {
        f.kind = v.rule.starts_with("0x") ? certified_kind::stops : certified_kind::ended;
        return f;
    }
    f.demand = rule->sentence;
    switch (rule->from) {
        case rules::origin::documented:
            f.kind = certified_kind::broken;
            f.source = rule->page;
            break;
        case rules::origin::derived:
            f.kind = certified_kind::broken;
            f.source = std::string("follows from ") + rule->page;
            break;
        case rules::origin::observed:
            f.kind = certified_kind::refused;
            f.source = "seen by driver authors on running systems; no page says it";
            break;
        case rules::origin::decision:
            f.kind = certified_kind::unusual;
            f.source = std::string("no page says it; how this library reads ") + rule->page;
            break;
        case rules::origin::law:
            f.kind = certified_kind::unusual;
            f.source = "no page says it; a law of this library";
            break;
    }
    return f;
}

}  // namespace wddmcore::testing
