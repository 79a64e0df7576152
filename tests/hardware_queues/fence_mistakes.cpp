// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

using namespace queue_driver;

namespace hardware_queues_fence_mistakes {
namespace {

/// Values are signaled all the time, also between the steps of an update.
[[nodiscard]] setup signaling() {
    setup s = calm();
    s.options.chances.signal = 90;
    s.options.chances.update = 50;
    s.options.chances.node_inside_update = 80;
    s.options.packets = 120;
    s.options.fences = 6;
    return s;
}

TEST_CASE("HWS-10: a driver that interrupts when the value is only reached is caught") {
    expect_caught(calm(), mistake::interrupts_at_equal, "HWS-10");
}

TEST_CASE("HWS-10: a driver that reads the current value before it stores the monitored one is caught") {
    expect_caught(signaling(), mistake::reads_before_store, "HWS-10");
}

TEST_CASE("HWS-10: a driver that stores the monitored value and decides nothing is caught") {
    expect_caught(calm(), mistake::decides_nothing, "HWS-10");
}

TEST_CASE("HWS-10: a driver that does not report a signal is caught") {
    expect_caught(calm(), mistake::drops_signal, "HWS-10");
}

TEST_CASE("HWS-10: a driver that does not store the monitored value is caught") {
    expect_caught(calm(), mistake::stores_nothing, "HWS-10");
}

TEST_CASE("HWS-11: a driver that claims native fences without asking is caught") {
    setup s = calm();
    expect_caught(s, mistake::claims_unasked, "HWS-11");
    s.options.native_fences_enabled = false;
    expect_caught(s, mistake::claims_unasked, "HWS-11");
}

TEST_CASE("HWS-11: without the system's word there are no native fences, and no rule of them is exercised") {
    setup s = calm();
    s.options.native_fences_enabled = false;
    auto const report = run(s, seed_or(1));
    INFO(report.text());
    CHECK(report.passed());
    CHECK(report.text().find("HWS-10 not exercised") != std::string::npos);
    CHECK(report.text().find("HWS-11 not exercised") != std::string::npos);
}

TEST_CASE("HWS-15: a driver whose hardware keeps its copies of monitored values is caught") {
    expect_caught(calm(), mistake::no_barrier, "HWS-15");
}

TEST_CASE("HWS-15: a driver whose hardware looks before the monitored value is stored is caught") {
    expect_caught(calm(), mistake::barrier_before_store, "HWS-15");
}

TEST_CASE("HWS-10 HWS-15: a right driver while values are signaled between the steps of updates") {
    for (std::uint64_t seed = seed_or(1); seed < seed_or(1) + (slow_build ? 20 : 300); ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        auto const report = run(signaling(), seed);
        INFO(report.text());
        REQUIRE(report.passed());
    }
}

TEST_CASE("INT-01: a driver that queues no DPC for a record is caught") {
    expect_caught(calm(), mistake::no_dpc, "INT-01");
}

TEST_CASE("INT-01: a driver whose DPC does not tell the system is caught") {
    expect_caught(calm(), mistake::no_notify_dpc, "INT-01");
}

TEST_CASE("INT-03: a driver that notifies below device level is caught") {
    setup s = troubled(calm());
    s.options.packets = 120;
    expect_caught(s, mistake::notifies_at_passive_level, "INT-03");
}

TEST_CASE("INT-05: a driver that reads the events of one node only is caught") {
    expect_caught(calm(), mistake::reads_first_node_only, "INT-05");
}

}  // namespace
}  // namespace hardware_queues_fence_mistakes
