// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "collect.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The number of `certified_options` that makes a scenario longer.
enum class scenario_length : std::uint8_t {
    fixed,    ///< none
    steps,    ///< of paging
    packets,  ///< of scheduling
};

namespace certify_parts {

/// The smallest number for which something holds, by bisection. It holds for `known`, and for each number above one for
/// which it holds: a run is the beginning of every longer run of the same seed. Where that is not so, it holds for the
/// answer all the same, which then may not be the smallest.
/// @param holds  is asked for numbers below `known` only
template <class Holds>
[[nodiscard]] std::uint64_t smallest(std::uint64_t known, Holds const& holds) {
    std::uint64_t least = 0;
    while (least < known) {
        std::uint64_t const middle = least + (known - least) / 2;
        if (holds(middle)) {
            known = middle;
        } else {
            least = middle + 1;
        }
    }
    return known;
}

/// Plays a scenario with a finding again, each time shorter, until its first finding is what the run ends with; the
/// replay line becomes that of the shortest run. Of one without findings, nothing is played.
/// @param play  plays the scenario with options and gives its findings; each time in a process of its own
template <class Play>
void shrink(certified_scenario_report& s, certified_options const& o, scenario_length by, Play const& play) {
    if (!o.shrink || s.findings.empty() || by == scenario_length::fixed) {
        return;
    }
    std::string const& rule = s.findings.front().rule;
    bool const steps = by == scenario_length::steps;
    auto const of_length = [&](std::uint64_t n) {
        certified_options out = o;
        out.trace.clear();
        out.steps = steps ? n : o.steps;
        out.packets = steps ? o.packets : static_cast<std::uint32_t>(n);
        return out;
    };
    std::uint64_t const shortest = smallest(steps ? o.steps : o.packets, [&](std::uint64_t n) {
        std::vector<vidmm_violation> const found = play(of_length(n));
        return std::any_of(found.begin(), found.end(), [&rule](vidmm_violation const& v) { return v.rule == rule; });
    });
    s.replay = replay_of(of_length(shortest), s.name);
}

}  // namespace certify_parts

}  // namespace wddmcore::testing
