// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

using namespace queue_driver;

namespace hardware_queues_suspension_mistakes {
namespace {

TEST_CASE("HWS-01: a driver that says at once that a context is suspended is caught") {
    expect_caught(calm(), mistake::says_suspended_at_once, "HWS-01");
}

TEST_CASE("HWS-01: a driver that is pending though the context is suspended already is caught") {
    expect_caught(calm(), mistake::pending_when_suspended, "HWS-01");
}

TEST_CASE("HWS-01: a driver whose suspensions fail is caught") {
    expect_caught(calm(), mistake::suspend_fails, "HWS-01");
}

TEST_CASE("HWS-01: a driver that does not report an acknowledgement is caught") {
    setup s = calm();
    s.options.chances.resume_early = 0;
    expect_caught(s, mistake::never_reports_suspension, "HWS-01");
}

TEST_CASE("HWS-01: a driver that does not ask the hardware to suspend is caught") {
    setup s = calm();
    s.options.chances.resume_early = 0;
    expect_caught(s, mistake::never_asks_to_suspend, "HWS-01");
}

TEST_CASE("HWS-02: a driver that takes the acknowledgement of an older suspension for that of the newest is caught") {
    expect_caught(calm(), mistake::takes_any_acknowledgement, "HWS-02");
}

TEST_CASE("HWS-02: a driver that lets a context wait which was resumed before its acknowledgement is caught") {
    expect_caught(calm(), mistake::resume_waits_for_acknowledgement, "HWS-02");
}

TEST_CASE("HWS-02: a driver that asks once for two suspensions, and so never reports the newer one, is caught") {
    expect_caught(calm(), mistake::asks_once_for_two, "HWS-02");
}

TEST_CASE("HWS-02: a driver that keeps 32 bits of a fence is caught") {
    expect_caught(calm(), mistake::fence_of_32_bits, "HWS-02");
}

TEST_CASE("HWS-02: a driver whose resumptions fail is caught") {
    expect_caught(calm(), mistake::resume_fails, "HWS-02");
}

TEST_CASE("HWS-03: a driver that reports a suspension before the hardware has acknowledged it is caught") {
    expect_caught(calm(), mistake::reports_before_acknowledgement, "HWS-03");
}

TEST_CASE("HWS-03: a driver that lets a suspended context run, with other properties, is caught") {
    expect_caught(calm(), mistake::properties_let_it_run, "HWS-03");
}

TEST_CASE("HWS-03: a driver that wakes suspended contexts with their engine is caught") {
    expect_caught(troubled(calm()), mistake::wakes_suspended, "HWS-03");
}

TEST_CASE("HWS-03: a driver that leaves a ring with the hardware when its context is destroyed is caught") {
    expect_caught(calm(), mistake::destroy_leaves_queue, "HWS-03");
}

TEST_CASE("HWS-12: a driver that refuses packets of a suspended context is caught") {
    expect_caught(calm(), mistake::refuses_while_suspended, "HWS-12");
}

}  // namespace
}  // namespace hardware_queues_suspension_mistakes
