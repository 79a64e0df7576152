// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "plain_driver.hpp"
#include "seeded_runs.hpp"
#include "slow_build.hpp"

#include <wddmcore/testing/scheduler.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace plain {

namespace scheduler = wddmcore::testing::scheduler;
using scheduler::granularity;
using seeded_runs::seed_or;
using wddmcore::wddm;

/// One driver and one world for it.
struct setup {
    wddm version = wddm::v2_9;
    scheduler::options options;
    mistake wrong = mistake::none;
    bool collects_first = false;
    bool reports_in_dpc = false;
    std::uint32_t also_tells = 0;  ///< a type of record that comes beside each other one
};

/// One node, stops inside buffers, no troubles.
[[nodiscard]] inline setup calm(wddm version = wddm::v2_9) {
    setup s;
    s.version = version;
    s.options.nodes = 1;
    s.options.stops_at = granularity::pixel;
    s.options.timing.stop_every[0] = 3;
    s.options.timing.stop_every[1] = 2;
    s.options.virtual_addresses = false;
    return s;
}

[[nodiscard]] inline setup at_granularity(setup s, granularity where) {
    s.options.stops_at = where;
    return s;
}

[[nodiscard]] inline setup virtual_addresses(setup s) {
    s.options.virtual_addresses = true;
    return s;
}

/// Hardware that answers a request only when it stopped something.
[[nodiscard]] inline setup without_acknowledgement(setup s) {
    s.options.acknowledges_when_idle = false;
    return s;
}

/// Everything that can go wrong does, now and then.
[[nodiscard]] inline setup troubled(setup s) {
    s.options.troubles.hang = 20;
    s.options.troubles.paging_hang = 10;
    s.options.troubles.removals = 5;
    if (wddmcore::at_least(s.version, wddm::v2_0)) {
        s.options.troubles.fault = 20;
        s.options.troubles.fault_reset = 10;
        s.options.troubles.fault_unknown = 10;
    }
    return s;
}

[[nodiscard]] inline scheduler::report run(setup const& s, std::uint64_t seed) {
    driver d(s.wrong);
    d.collects_first = s.collects_first;
    d.reports_in_dpc = s.reports_in_dpc;
    d.also_tells = s.also_tells;
    return scheduler::run(scheduler::bind_scheduled_driver(d, s.version), s.options, seed);
}

/// The mistake breaks this very rule first, in every run that shows it; without it the same runs are clean.
inline void expect_caught(setup s, mistake wrong, char const* rule, std::uint64_t seeds = 400) {
    auto const runs = [&s](std::uint64_t seed, mistake made) {
        s.wrong = made;
        return run(s, seed);
    };
    seeded_runs::expect_caught(runs, wrong, rule, seeds, 3);
}

}  // namespace plain
