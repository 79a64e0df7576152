// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

using namespace plain;

namespace scheduler_submission_mistakes {
namespace {

TEST_CASE("PRE-16: a driver that takes a paging packet with its old id for one that it has is caught") {
    setup s = calm();
    s.options.chances.paging = 60;
    s.options.chances.context_switch = 0;
    s.options.submissions_during_request = false;
    s.options.chances.preempt = 20;
    expect_caught(s, mistake::ignores_known_ids, "PRE-16");
}

TEST_CASE("PRE-18: a driver that refuses ids that are smaller than earlier ones is caught") {
    setup s = calm();
    s.options.chances.paging = 60;
    s.options.chances.preempt = 20;
    expect_caught(s, mistake::wants_rising_ids, "PRE-18");
}

TEST_CASE("PRE-19: a driver that takes the Resubmission flag for the half-run packet's name is caught") {
    expect_caught(calm(wddm::v2_0), mistake::resumes_by_flag, "PRE-19");
    expect_caught(calm(wddm::v3_2), mistake::resumes_by_flag, "PRE-19");
}

TEST_CASE("PRE-19: a driver that needs the Resubmission flag, which 1.x never sets, is caught") {
    expect_caught(calm(wddm::win8), mistake::resumes_by_flag, "PRE-19");
    expect_caught(calm(wddm::v1_3), mistake::resumes_by_flag, "PRE-19");
}

TEST_CASE("AMB-52: a driver that begins a half-run packet anew is caught") {
    expect_caught(calm(), mistake::drops_interruption, "AMB-52");
}

TEST_CASE("AMB-52: a driver that forgets the half-run packet when it hands it over is caught") {
    setup s = calm();
    s.options.chances.preempt = 25;
    expect_caught(s, mistake::slot_consumed_at_hand_over, "AMB-52");
}

TEST_CASE("PRE-29: a driver that executes a null-rendering packet is caught") {
    expect_caught(calm(), mistake::executes_null_rendering, "PRE-29");
}

TEST_CASE("PRE-29: an executed null-rendering packet breaks this rule and no other") {
    setup s = calm();
    s.options.stop_after = 0;
    s.wrong = mistake::executes_null_rendering;
    int caught = 0;
    for (std::uint64_t seed = seed_or(1); seed < seed_or(1) + 8; ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        scheduler::report const report = run(s, seed);
        for (scheduler::violation const& v : report.violations()) {
            CHECK(v.rule == "PRE-29");
            ++caught;
        }
    }
    CHECK(caught != 0);
}

TEST_CASE("PRE-29: a driver that does not complete a null-rendering packet is caught") {
    setup s = calm();
    s.options.chances.null_rendering = 100;
    s.options.chances.paging = 0;
    s.options.chances.preempt = 0;
    s.options.chances.preempt_idle = 0;
    s.options.chances.context_switch = 0;
    s.options.chances.zero_length = 0;
    expect_caught(s, mistake::drops_null_rendering, "PRE-29");
}

TEST_CASE("PRE-30: a driver whose rejected packet completes before its turn is caught") {
    setup s = virtual_addresses(calm());
    s.options.chances.rejected = 30;
    expect_caught(s, mistake::rejected_at_once, "PRE-30");
}

TEST_CASE("PRE-30: a driver whose rejected packet never counts as completed is caught") {
    setup s = virtual_addresses(calm());
    s.options.chances.rejected = 30;
    expect_caught(s, mistake::rejected_dropped, "PRE-30");
}

TEST_CASE("PRE-30: a submit function that fails is caught") {
    setup s = calm();
    s.options.chances.zero_length = 0;
    s.options.chances.context_switch = 0;
    expect_caught(s, mistake::submit_fails, "PRE-30");
}

TEST_CASE("AMB-45: a driver that hands packets over while a request is outstanding is caught") {
    expect_caught(calm(), mistake::hands_over_while_stopping, "AMB-45");
}

TEST_CASE("AMB-45: a driver that loses what was submitted while a request was outstanding is caught") {
    setup s = calm();
    s.options.chances.context_switch = 0;
    s.options.chances.zero_length = 0;
    s.options.chances.null_rendering = 0;
    s.options.contexts = 6;
    s.options.timing.quantum_steps = 12;
    s.options.chances.preempt_idle = 0;
    s.options.chances.preempt = 4;
    expect_caught(s, mistake::drops_held, "AMB-45");
}

TEST_CASE("CTX-01: a driver that ignores the switch to the null context is caught") {
    setup s = calm();
    s.options.chances.preempt = 0;
    s.options.chances.preempt_idle = 0;
    expect_caught(s, mistake::drops_context_switch, "CTX-01");
}

TEST_CASE("CTX-03: a driver that completes the switch and leaves the context on the engine is caught") {
    expect_caught(calm(), mistake::switch_keeps_context, "CTX-03");
}

TEST_CASE("CTX-05: a driver that refuses zero-length buffers is caught") {
    setup s = calm();
    s.options.chances.zero_length = 30;
    expect_caught(s, mistake::refuses_zero_length, "CTX-05");
}

TEST_CASE("SPL-12: a driver that runs a portion in whatever state is loaded is caught") {
    expect_caught(calm(), mistake::portion_keeps_context, "SPL-12");
}

}  // namespace
}  // namespace scheduler_submission_mistakes
