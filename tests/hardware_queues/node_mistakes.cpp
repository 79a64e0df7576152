// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

using namespace queue_driver;

namespace hardware_queues_node_mistakes {
namespace {

TEST_CASE("HWS-07: a driver that runs the second context of a list first is caught") {
    expect_caught(calm(), mistake::swaps_list, "HWS-07");
}

TEST_CASE("HWS-07: a driver that runs something though there is no first context is caught") {
    expect_caught(calm(), mistake::runs_second_of_empty_list, "HWS-07");
}

TEST_CASE("HWS-07: a driver that drops the second context is caught") {
    expect_caught(calm(), mistake::drops_second, "HWS-07");
}

TEST_CASE("HWS-07: a driver that reports a switch before the hardware has switched is caught") {
    expect_caught(calm(), mistake::reports_switch_at_once, "HWS-07");
}

TEST_CASE("HWS-07: a driver that does not report a switch is caught") {
    expect_caught(calm(), mistake::never_reports_switch, "HWS-07");
}

TEST_CASE("HWS-07: a driver that does not switch is caught") {
    expect_caught(calm(), mistake::never_switches, "HWS-07");
}

TEST_CASE("HWS-08: a driver whose engine runs before it is resumed is caught") {
    setup s = troubled(calm());
    s.options.troubles.reset_fails = s.options.troubles.resume_fails = 0;
    expect_caught(s, mistake::restarts_in_reset, "HWS-08");
}

TEST_CASE("HWS-08: a driver that does not say whose work a reset discarded is caught") {
    expect_caught(troubled(calm()), mistake::invalidates_nothing, "HWS-08");
}

TEST_CASE("HWS-08: a driver that lets an invalidated context run is caught") {
    setup s = troubled(calm());
    s.options.packets = 120;
    expect_caught(s, mistake::invalidates_and_runs, "HWS-08");
}

TEST_CASE("HWS-08: a driver that hides that its engine cannot be resumed is caught") {
    expect_caught(troubled(calm()), mistake::hides_failed_resume, "HWS-08");
}

TEST_CASE("HWS-08: a driver that hides that a reset failed is caught") {
    expect_caught(troubled(calm()), mistake::hides_failed_reset, "HWS-08");
}

TEST_CASE("HWS-08: a driver that leaves the other contexts asleep when its engine is resumed is caught") {
    setup s = troubled(calm());
    s.options.chances.suspend = 0;
    s.options.packets = 120;
    expect_caught(s, mistake::wakes_nobody, "HWS-08");
}

TEST_CASE("TDR-11: a driver that does not stop its nodes for a reset of the adapter is caught") {
    setup s = troubled(calm());
    s.options.packets = 120;
    s.options.troubles.reset_fails = 100;
    expect_caught(s, mistake::adapter_reset_does_nothing, "TDR-11");
}

TEST_CASE("TDR-11: a driver that does not restart its nodes is caught") {
    setup s = troubled(calm());
    s.options.troubles.reset_fails = 100;
    expect_caught(s, mistake::restart_does_nothing, "TDR-11");
}

TEST_CASE("HWS-09: a driver that returns while an entry of the old log is under way is caught") {
    expect_caught(calm(), mistake::returns_before_quiet, "HWS-09");
}

TEST_CASE("HWS-09: a driver that goes on in the old log is caught") {
    expect_caught(log_by_driver(calm()), mistake::writes_to_old_log, "HWS-09");
}

TEST_CASE("HWS-09: a driver that takes entries for zeroed, and writes some of their members, is caught") {
    expect_caught(log_by_driver(calm()), mistake::writes_half_entry, "HWS-09");
}

}  // namespace
}  // namespace hardware_queues_node_mistakes
