// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "report.hpp"

#include <algorithm>

namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace certify_parts {

[[nodiscard]] inline char const* words_of(certified_kind kind) {
    switch (kind) {
        case certified_kind::broken: return "a documented rule is broken";
        case certified_kind::refused: return "Windows is known to refuse this";
        case certified_kind::unusual: return "this is unusual";
        case certified_kind::stops: return "Windows stops here";
        case certified_kind::ended: return "the run did not come to its end";
    }
    return "?";
}

[[nodiscard]] inline std::string lines_of(certified_finding const& f) {
    std::string out = "  " + f.rule + ", " + words_of(f.kind) + ": " + f.sentence + '\n';
    if (!f.demand.empty()) {
        out += "      rule:   " + f.demand + "\n      source: " + f.source + '\n';
    }
    return out + "      seen:   " + f.state + '\n';
}

/// Ids one after the other in lines of a readable width.
[[nodiscard]] inline std::string wrapped(std::vector<std::string> const& ids) {
    constexpr std::size_t width = 110;
    std::string out;
    std::string line = " ";
    for (std::string const& id : ids) {
        if (line.size() + 1 + id.size() > width) {
            out += line + '\n';
            line = " ";
        }
        line += ' ' + id;
    }
    return ids.empty() ? "  none\n" : out + line + '\n';
}

/// How many findings of each kind there are.
[[nodiscard]] inline std::string counts_of(certified_report const& report) {
    std::size_t counts[5] = {};
    for (certified_scenario_report const& s : report.scenarios) {
        for (certified_finding const& f : s.findings) {
            ++counts[static_cast<std::size_t>(f.kind)];
        }
    }
    return report.is_clean()
               ? "nothing was found"
               : std::to_string(counts[0]) + " documented rules broken, " + std::to_string(counts[1]) +
                     " known refusals, " + std::to_string(counts[2]) + " unusual, " + std::to_string(counts[3]) +
                     " bug checks, " + std::to_string(counts[4]) + " other ends";
}

}  // namespace certify_parts

inline std::string certified_report::text() const {
    using namespace certify_parts;
    std::string out;
    for (std::string const& line : foreword) {
        out += line + '\n';
    }
    out += driver + ", seed " + std::to_string(seed) + ": ";
    out += counts_of(*this) + '\n';
    if (certified_finding const* const cause = first()) {
        out += "\nMend this first; what comes after it may follow from it.\n" + lines_of(*cause);
        auto const in =
            std::find_if(scenarios.begin(), scenarios.end(), [](auto const& s) { return !s.replay.empty(); });
        if (in != scenarios.end()) {
            out += "      replay: " + in->replay + '\n';
        }
    }
    for (certified_scenario_report const& s : scenarios) {
        out += '\n' + s.name + ": " + s.about + '\n';
        if (!s.left_out.empty()) {
            out += "  left out: " + s.left_out + '\n';
            continue;
        }
        for (certified_finding const& f : s.findings) {
            out += lines_of(f);
        }
        if (!s.replay.empty()) {
            out += "  replay: " + s.replay + '\n';
        }
        if (!s.ending.empty()) {
            out += "  " + s.ending + '\n';
        }
        if (!s.again.empty()) {
            out += "  " + words_of_again(s) + '\n';
        }
        for (std::string const& line : s.said) {
            out += "  " + line + '\n';
        }
        std::vector<std::string> held;
        for (auto const& [id, times] : s.exercised) {
            held.push_back(id + '*' + std::to_string(times));
        }
        out += "  rules exercised, and how often: " + std::to_string(held.size()) + '\n' + wrapped(held);
    }
    out += "\nNot exercised, which is not the same as kept:\n" + wrapped(not_exercised);
    out += "\nNot judged:\n";
    for (std::string const& line : unjudged) {
        out += "  " + line + '\n';
    }
    return unjudged.empty() ? out + "  nothing is missing for it\n" : out;
}

}  // namespace wddmcore::testing
