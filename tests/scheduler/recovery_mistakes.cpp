// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

using namespace plain;

namespace scheduler_recovery_mistakes {
namespace {

/// Engines that hang.
[[nodiscard]] setup hanging() {
    setup s = calm();
    s.options.troubles.hang = 80;
    return s;
}

/// Engines that are only slow: what they do can end at the very moment of the reset.
[[nodiscard]] setup slow() {
    setup s = calm();
    s.options.stops_at = granularity::nowhere;
    s.options.timing.timeout_steps = 4;
    s.options.chances.preempt = 20;
    return s;
}

/// Paging packets that hang: every reset of their engine becomes one of the adapter.
[[nodiscard]] setup paging_hangs() {
    setup s = calm();
    s.options.chances.paging = 70;
    s.options.troubles.paging_hang = 150;
    s.options.troubles.late = 100;
    return s;
}

TEST_CASE("TDR-02: a dependent mask without the node itself is caught") {
    expect_caught(hanging(), mistake::mask_without_itself, "TDR-02");
}

TEST_CASE("TDR-02: a dependent mask without the other nodes is caught") {
    setup s = hanging();
    s.options.nodes = 4;
    s.options.dependent_nodes = 0b1110;
    expect_caught(s, mistake::mask_without_others, "TDR-02");
}

TEST_CASE("TDR-03: a driver that calls every engine responsive is caught") {
    expect_caught(hanging(), mistake::always_responsive, "TDR-03");
}

TEST_CASE("TDR-03: a status query that fails is caught") { expect_caught(hanging(), mistake::status_fails, "TDR-03"); }

TEST_CASE("TDR-04: a driver that returns from the reset with the engine as it was is caught") {
    expect_caught(hanging(), mistake::reset_leaves_engine, "TDR-04");
}

TEST_CASE("TDR-05: a driver that names the request as the last aborted id is caught") {
    expect_caught(hanging(), mistake::aborts_request_id, "TDR-05");
}

TEST_CASE("TDR-06: a driver that does not look at the hardware before a reset is caught") {
    setup s = slow();
    s.options.acknowledges_when_idle = false;
    expect_caught(s, mistake::does_not_collect, "TDR-06", 2000);
}

TEST_CASE("TDR-06: a driver that names what had completed before it looked is caught") {
    expect_caught(slow(), mistake::aborts_first_for_drained, "TDR-06", 2000);
}

TEST_CASE("TDR-07: a driver whose last completed id does not follow an engine reset is caught") {
    setup s = hanging();
    s.options.chances.preempt_idle = 30;
    expect_caught(s, mistake::reset_keeps_last, "TDR-07");
}

TEST_CASE("TDR-07, AMB-48: a driver whose last completed id does not follow an adapter reset is caught") {
    setup s = hanging();
    s.options.troubles.reset_fails = 100;
    s.options.chances.query = 20;
    expect_caught(s, mistake::adapter_reset_keeps_last, "TDR-07");
}

TEST_CASE("TDR-08: a driver that hides a failed engine reset is caught") {
    setup s = hanging();
    s.options.troubles.reset_fails = 100;
    expect_caught(s, mistake::hides_failed_reset, "TDR-08");
}

TEST_CASE("TDR-10: a driver whose hardware writes the system's ids is caught by a late write") {
    expect_caught(paging_hangs(), mistake::serial_is_fence_id, "TDR-10", 3000);
}

TEST_CASE("TDR-10: a driver that takes a stop from before a reset for the answer to its request is caught") {
    setup s = hanging();
    s.options.troubles.late = 100;
    s.options.chances.preempt = 25;
    expect_caught(s, mistake::generation_not_compared, "TDR-10", 2000);
}

TEST_CASE("TDR-10: a driver that hands packets over again after a reset is caught") {
    setup s = hanging();
    s.options.chances.preempt_idle = 0;
    expect_caught(s, mistake::reset_keeps_ring, "TDR-10");
}

TEST_CASE("TDR-11: a driver that leaves the engines running in an adapter reset is caught") {
    setup s = hanging();
    s.options.nodes = 4;
    s.options.troubles.reset_fails = 100;
    expect_caught(s, mistake::adapter_reset_does_nothing, "TDR-11");
}

TEST_CASE("TDR-11: a restart that fails is caught") { expect_caught(paging_hangs(), mistake::restart_fails, "TDR-11"); }

TEST_CASE("TDR-14: a cancel function that fails is caught") {
    expect_caught(hanging(), mistake::cancel_fails, "TDR-14");
}

TEST_CASE("TDR-14: a cancel function that reports a completion is caught") {
    expect_caught(hanging(), mistake::cancel_reports, "TDR-14");
}

TEST_CASE("TDR-14: a driver that keeps the state of a cancelled packet for the next one is caught") {
    setup s = calm();
    s.options.troubles.removals = 60;
    s.options.chances.preempt = 25;
    s.options.chances.split = 0;
    s.options.contexts = 2;
    s.options.packets = 150;
    s.options.most_steps = 3;
    expect_caught(s, mistake::cancel_keeps_slot, "TDR-14", 2000);
}

TEST_CASE("AMB-46: a driver that reports a request after the reset that ended it is caught") {
    expect_caught(hanging(), mistake::reports_after_reset, "AMB-46");
}

TEST_CASE("AMB-47: a driver that names the newest packet as aborted is caught") {
    expect_caught(hanging(), mistake::aborts_newest, "AMB-47");
}

TEST_CASE("AMB-47: a driver that names a packet that only waited in the ring is caught") {
    setup s = calm();
    s.options.troubles.fault_reset = 100;
    expect_caught(s, mistake::aborts_oldest_waiting, "AMB-47");
}

}  // namespace
}  // namespace scheduler_recovery_mistakes
