// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

using namespace plain;

namespace scheduler_interrupt_mistakes {
namespace {

[[nodiscard]] setup faulty() {
    setup s = calm();
    s.options.troubles.fault = 150;
    return s;
}

TEST_CASE("INT-01: a driver that queues no DPC after a record is caught") {
    expect_caught(calm(), mistake::no_dpc, "INT-01");
}

TEST_CASE("INT-01: a DPC that does not call notify-DPC is caught") {
    expect_caught(calm(), mistake::no_notify_dpc, "INT-01");
}

TEST_CASE("IRQ-02: a driver that calls notify-DPC in its interrupt routine is caught") {
    expect_caught(calm(), mistake::notify_dpc_in_isr, "IRQ-02");
}

TEST_CASE("INT-03: a driver that notifies at dispatch level is caught") {
    setup s = calm();
    s.options.chances.interrupt_inside = 0;
    s.options.submissions_during_request = false;
    expect_caught(s, mistake::notifies_at_dispatch, "INT-03");
}

TEST_CASE("INT-03: a driver that synchronises with another message than its interrupt's is caught") {
    expect_caught(calm(), mistake::other_message, "INT-03");
}

TEST_CASE("INT-04: an interrupt routine that calls synchronize-execution is caught") {
    expect_caught(calm(), mistake::synchronizes_in_isr, "INT-04");
}

TEST_CASE("INT-05: a driver that takes interrupts of others is caught") {
    expect_caught(calm(), mistake::takes_every_interrupt, "INT-05");
}

TEST_CASE("INT-05: a driver that does not take its own interrupts is caught") {
    expect_caught(calm(), mistake::takes_no_interrupt, "INT-05");
}

TEST_CASE("INT-05: a driver that does not dismiss the interrupts of all engines is caught") {
    setup s = calm();
    s.options.nodes = 2;
    expect_caught(s, mistake::reads_first_engine_only, "INT-05");
}

TEST_CASE("INT-07: a driver that reports the oldest of several completions is caught") {
    setup s = calm();
    s.options.chances.preempt = 0;
    s.options.chances.query = 0;
    expect_caught(s, mistake::reports_first_of_batch, "INT-07");
}

TEST_CASE("INT-07: a driver that reports a completion before the fault in front of it is caught") {
    expect_caught(faulty(), mistake::completion_before_fault, "INT-07");
}

TEST_CASE("INT-08: a query of the fence that does not report what it found is caught") {
    setup s = calm();
    s.options.chances.query = 20;
    s.options.chances.interrupt = 10;
    s.options.chances.interrupt_inside = 0;
    expect_caught(s, mistake::query_does_not_report, "INT-08");
}

TEST_CASE("INT-08: a query of the fence that reports what was reported is caught") {
    expect_caught(calm(), mistake::query_repeats, "INT-08");
}

TEST_CASE("INT-09: a driver whose last completed id does not follow a fault is caught") {
    setup s = faulty();
    s.options.chances.preempt_idle = 30;
    expect_caught(s, mistake::fault_keeps_last, "INT-09");
}

TEST_CASE("INT-09: a driver that names another packet than the one that faulted is caught") {
    expect_caught(faulty(), mistake::fault_names_next, "INT-09");
}

TEST_CASE("INT-09: a driver that names a packet although the hardware cannot is caught") {
    setup s = calm();
    s.options.troubles.fault_unknown = 100;
    s.options.chances.null_rendering = 0;
    s.options.chances.context_switch = 0;
    s.options.chances.zero_length = 0;
    s.options.chances.paging = 0;
    s.options.ring_entries = 2;
    expect_caught(s, mistake::fault_unknown_with_id, "INT-09");
}

TEST_CASE("INT-10: records of displays, fences and hardware queues are of no packet, and break no rule of packets") {
    for (std::uint32_t const type : {3U, 7U, 10U, 11U, 15U, 18U, 19U}) {
        setup s = calm();
        s.also_tells = type;
        scheduler::report const report = run(s, 1);
        INFO(type, report.text());
        CHECK(report.passed());
    }
    setup s = calm();
    s.also_tells = 77;
    CHECK(run(s, 1).first_rule() == "INT-10");
}
TEST_CASE("INT-10: a driver that reports a fault with the reserved type is caught") {
    expect_caught(faulty(), mistake::old_fault_type, "INT-10");
}

}  // namespace
}  // namespace scheduler_interrupt_mistakes
