// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../slow_build.hpp"
#include "driver.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

namespace queue_driver {

namespace queues = wddmcore::testing::hardware_queues;
using wddmcore::wddm;

/// One driver and one world for it.
struct setup {
    wddm version = wddm::v3_2;
    queues::options options;
    mistake wrong = mistake::none;
};

/// The seed to begin with: WDDMCORE_SEED replays what a failing case printed.
[[nodiscard]] inline std::uint64_t seed_or(std::uint64_t usual) {
    char const* const given = std::getenv("WDDMCORE_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 0) : usual;
}

[[nodiscard]] inline setup calm(wddm version = wddm::v3_2) {
    setup s;
    s.version = version;
    return s;
}

/// Everything that can go wrong does, now and then.
[[nodiscard]] inline setup troubled(setup s) {
    s.options.troubles = queues::usual_troubles;
    return s;
}

/// The driver writes the scheduling log, not the hardware.
[[nodiscard]] inline setup log_by_driver(setup s) {
    s.options.hardware_writes_log = false;
    return s;
}

[[nodiscard]] inline wddmcore::testing::scheduler::report run(setup const& s, std::uint64_t seed) {
    driver d(s.wrong);
    return queues::run(queues::bind_queue_driver(d, s.version), s.options, seed);
}

/// The mistake breaks this very rule first, in every run that shows it; without it the same runs are clean.
inline void expect_caught(setup s, mistake wrong, char const* rule, std::uint64_t seeds = 300) {
    int const enough = slow_build ? 1 : 10;
    int caught = 0;
    std::uint64_t const first = seed_or(1);
    for (std::uint64_t seed = first; seed < first + seeds && caught < enough; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        s.wrong = wrong;
        auto const report = run(s, seed);
        if (!report.passed()) {
            INFO(report.text());
            CHECK(report.first_rule() == rule);
            ++caught;
            s.wrong = mistake::none;
            CHECK(run(s, seed).passed());
        }
    }
    CHECK(caught != 0);
}

}  // namespace queue_driver
