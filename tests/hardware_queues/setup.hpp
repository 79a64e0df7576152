// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../scheduler/seeded_runs.hpp"
#include "../slow_build.hpp"
#include "driver.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace queue_driver {

namespace queues = wddmcore::testing::hardware_queues;
using seeded_runs::seed_or;
using wddmcore::wddm;

/// One driver and one world for it.
struct setup {
    wddm version = wddm::v3_2;
    queues::options options;
    mistake wrong = mistake::none;
};

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
    auto const runs = [&s](std::uint64_t seed, mistake made) {
        s.wrong = made;
        return run(s, seed);
    };
    seeded_runs::expect_caught(runs, wrong, rule, seeds, 10);
}

}  // namespace queue_driver
