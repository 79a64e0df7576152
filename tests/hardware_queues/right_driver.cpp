// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

#include <set>

using namespace queue_driver;

namespace hardware_queues_right_driver {
namespace {

void expect_clean(setup const& s, std::uint64_t seeds, char const* what) {
    std::uint64_t const first = seed_or(1);
    for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
        auto const report = run(s, seed);
        if (!report.passed()) {
            INFO(what, ", WDDMCORE_SEED=", seed);
            INFO(report.text());
            CHECK(report.passed());
            return;
        }
        CHECK(report.count.packets == s.options.packets);
        CHECK(report.count.completions + report.count.aborted >= s.options.packets);
    }
}

TEST_CASE("HWS-01 to HWS-15: the library's parts, over hundreds of seeds") {
    expect_clean(calm(), slow_build ? 20 : 500, "calm");
    expect_clean(log_by_driver(calm()), slow_build ? 20 : 200, "the driver writes the log");
}

TEST_CASE("HWS-08: the library's parts while nodes hang, are reset, and cannot be reset or resumed") {
    setup s = troubled(calm());
    s.options.packets = 120;
    expect_clean(s, slow_build ? 20 : 300, "troubled");
    s.options.troubles.cannot_tell = true;
    expect_clean(log_by_driver(s), slow_build ? 20 : 200, "hardware that cannot tell");
}

TEST_CASE("HWS-01 HWS-07: a driver that reports from its DPC, or waits in a call, is right as well") {
    for (std::uint64_t seed = seed_or(1); seed < seed_or(1) + (slow_build ? 10 : 100); ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        for (bool const waits : {false, true}) {
            driver d;
            d.reports_in_dpc = !waits;
            d.waits_in_suspend = waits;
            setup const s = waits ? calm() : troubled(calm());
            auto const report = queues::run(queues::bind_queue_driver(d, s.version), s.options, seed);
            INFO(report.text());
            REQUIRE(report.passed());
            CHECK(report.times_exercised(wddmcore::testing::scheduler::rule::hws_01) != 0);
        }
    }
}

TEST_CASE("TDR-11 HWS-08: until a driver resets a node in the interrupt lock, contexts run there") {
    setup s = troubled(calm());
    s.options.packets = 120;
    s.options.troubles.resume_fails = 60;
    s.options.chances.interrupt_inside = 60;
    for (std::uint64_t seed = seed_or(1); seed < seed_or(1) + (slow_build ? 20 : 200); ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        driver d;
        d.resets_in_lock = true;
        auto const report = queues::run(queues::bind_queue_driver(d, s.version), s.options, seed);
        INFO(report.text());
        REQUIRE(report.passed());
    }
}

}  // namespace
}  // namespace hardware_queues_right_driver
