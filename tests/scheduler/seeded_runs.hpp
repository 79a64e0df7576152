// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../slow_build.hpp"

#include <wddmcore/testing/scheduler/report.hpp>
#include <wddmcore/testing/trace.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

/// What tests do with runs of a simulator of scheduling, whichever it is and whichever driver it plays.
namespace seeded_runs {

/// The seed to begin with: WDDMCORE_SEED replays what a failing case printed.
[[nodiscard]] inline std::uint64_t seed_or(std::uint64_t usual) {
    char const* const given = std::getenv("WDDMCORE_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 0) : usual;
}

/// The mistake breaks this very rule first, in every run that shows it; without it the same runs are clean.
/// @param runs    the report of a run, by seed and mistake
/// @param enough  runs that show it
template <class Mistake, class Runs>
void expect_caught(Runs runs, Mistake wrong, char const* rule, std::uint64_t seeds, int enough) {
    enough = slow_build ? 1 : enough;
    int caught = 0;
    std::uint64_t const first = seed_or(1);
    for (std::uint64_t seed = first; seed < first + seeds && caught < enough; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        auto const report = runs(seed, wrong);
        if (!report.passed()) {
            INFO(report.text());
            CHECK(report.first_rule() == rule);
            ++caught;
            CHECK(runs(seed, Mistake::none).passed());
        }
    }
    CHECK(caught != 0);
}

/// All that a run says: journal, report and trace.
/// @param run  plays it, with options that are like these
template <class Options, class Run>
[[nodiscard]] std::string transcript(Options options, Run run) {
    wddmcore::testing::trace trace;
    options.trace = &trace;
    options.keep_journal = true;
    auto const report = run(options);
    std::ostringstream out;
    for (std::string const& line : report.journal) {
        out << line << '\n';
    }
    out << report.text();
    trace.write(out);
    return out.str();
}

}  // namespace seeded_runs
