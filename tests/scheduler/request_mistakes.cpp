// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

using namespace plain;

namespace scheduler_request_mistakes {
namespace {

TEST_CASE("PRE-08: a driver that waits for the hardware in the preempt function is caught") {
    expect_caught(calm(), mistake::waits_in_preempt, "PRE-08");
}

TEST_CASE("PRE-08: a driver that loses the hardware's answer is caught") {
    setup s = calm();
    s.options.chances.merged_stop = 0;
    expect_caught(s, mistake::drops_stop, "PRE-08");
}

TEST_CASE("PRE-08: a driver that never asks the hardware is caught") {
    setup s = troubled(calm());
    s.options.chances.wait = 0;
    s.options.timing.timeout_steps = 3;
    s.options.most_steps = 20;
    expect_caught(s, mistake::never_asks, "PRE-08");
}

TEST_CASE("PRE-09: a preempt function that fails is caught") {
    expect_caught(calm(), mistake::preempt_fails, "PRE-09");
}

TEST_CASE("PRE-10: a driver that asks idle hardware is caught") {
    expect_caught(calm(), mistake::asks_idle_hardware, "PRE-10");
}

TEST_CASE("PRE-10: a driver that does not report when everything was reported is caught") {
    setup s = calm();
    s.options.submissions_during_request = false;
    expect_caught(s, mistake::silent_when_idle, "PRE-10");
}

TEST_CASE("PRE-10: a driver that decides outside of the interrupt lock whether it is idle is caught") {
    expect_caught(calm(), mistake::decides_idle_outside_lock, "PRE-10");
}

TEST_CASE("PRE-11: a driver that reports another id than the request's is caught") {
    expect_caught(calm(), mistake::reports_wrong_request, "PRE-11");
}

TEST_CASE("PRE-11: a driver that reports a preemption twice is caught") {
    expect_caught(calm(), mistake::reports_twice, "PRE-11");
}

TEST_CASE("PRE-12: a driver that ignores what had completed when the engine stopped is caught") {
    expect_caught(calm(), mistake::ignores_through, "PRE-12");
}

TEST_CASE("PRE-13: a driver that names a last completed packet without reporting it is caught") {
    expect_caught(calm(), mistake::no_record_before_preemption, "PRE-13");
}

TEST_CASE("PRE-14: a driver whose last completed id is the newest submitted one is caught") {
    expect_caught(calm(), mistake::last_is_newest_submitted, "PRE-14");
}

TEST_CASE("PRE-15: a driver that keeps preempted packets and hands them over again is caught") {
    expect_caught(calm(), mistake::keeps_preempted, "PRE-15");
}

TEST_CASE("PRE-15: a driver that reports before the engine has stopped is caught") {
    setup s = calm();
    s.options.chances.interrupt_inside = 0;
    expect_caught(at_granularity(s, granularity::nowhere), mistake::reports_before_stop, "PRE-15");
}

TEST_CASE("PRE-22: a driver that leaves a waiting packet alone until its condition is met is caught") {
    setup s = calm();
    s.options.nodes = 3;
    s.options.chances.wait = 60;
    s.options.timing.timeout_steps = 4;
    s.options.chances.preempt = 25;
    expect_caught(s, mistake::postpones_while_waiting, "PRE-22");
}

TEST_CASE("PRE-26: a driver that does not report when the last packet completes instead is caught") {
    expect_caught(without_acknowledgement(calm()), mistake::no_report_at_drain, "PRE-26");
}

TEST_CASE("PRE-26: a driver that leaves the request armed when it reports at the last completion is caught") {
    setup s = without_acknowledgement(calm());
    expect_caught(s, mistake::no_disarm, "PRE-26");
}

TEST_CASE("PRE-27: a driver with one last completed id for all engines is caught") {
    setup s = calm();
    s.options.nodes = 4;
    s.options.chances.query = 0;
    s.options.submissions_during_request = false;
    s.options.chances.preempt = 0;  // only idle engines are preempted: nothing in flight can be named by chance
    expect_caught(s, mistake::one_last_for_all, "PRE-27");
}

TEST_CASE("PRE-27: a driver that reports everything for node 0 is caught") {
    setup s = calm();
    s.options.nodes = 4;
    expect_caught(s, mistake::node_0_in_records, "PRE-27");
}

TEST_CASE("LDA-04: a driver that reports another engine than 0 outside of a link is caught") {
    expect_caught(calm(), mistake::engine_1_in_records, "LDA-04");
}

}  // namespace
}  // namespace scheduler_request_mistakes
