// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "toy_machine.hpp"

#include <doctest/doctest.h>

namespace toy {

inline constexpr u64 usual_seeds = slow_build ? 1 : 3;

/// The driver breaks this very rule first, whatever the seed; the driver without the mistake breaks none.
inline void expect_first(setup s, char const* rule, u64 seeds = usual_seeds) {
    u64 const first = seed_or(1);
    for (u64 seed = first; seed < first + seeds; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        s.options.seed = seed;
        testing::vidmm_report const report = run(s);
        INFO(report.text());
        CHECK(report.first_rule() == rule);
        setup right = s;
        right.wrong = {};
        right.steps = 30;
        CHECK(run(right).passed());
    }
}

/// The same with fewer seeds, for drivers whose runs are long.
inline void expect_caught(setup const& s, char const* rule) { expect_first(s, rule, slow_build ? 1 : 2); }

/// The same where the sentence also has to name the mistake.
inline void expect_named(setup s, char const* rule, char const* sentence, u64 seeds = usual_seeds) {
    // Executed at once, so that nobody has changed what the wrong formula read before it is looked at.
    s.options.execution = testing::vidmm_execution::at_submit;
    u64 const first = seed_or(1);
    for (u64 seed = first; seed < first + seeds; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        s.options.seed = seed;
        testing::vidmm_report const report = run(s);
        INFO(report.text());
        REQUIRE_FALSE(report.passed());
        CHECK(report.violations().front().rule == rule);
        CHECK(report.violations().front().sentence == sentence);
    }
}

/// One switch of `bugs`, on top of a setup.
[[nodiscard]] inline setup with(setup s, bool bugs::* mistake) {
    s.wrong.*mistake = true;
    return s;
}

}  // namespace toy
