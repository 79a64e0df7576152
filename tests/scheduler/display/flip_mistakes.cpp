// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "flipping_driver.hpp"

using namespace plain;

namespace scheduler_flip_mistakes {
namespace {

TEST_CASE("FLP-01: a driver whose preemption takes a pending flip back is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::preemption_undoes_flip, "FLP-01");
}

TEST_CASE("FLP-01: a driver that takes a pending flip back with a cancelled packet is caught") {
    setup s = flipping(calm());
    s.options.troubles.removals = 60;
    expect_flip_caught(s, flip_mistake::cancel_undoes_flip, "FLP-01");
}

TEST_CASE("FLP-01: a driver that loses a pending flip when it resets an engine is caught") {
    setup s = flipping(calm());
    s.options.troubles.hang = 150;
    expect_flip_caught(s, flip_mistake::engine_reset_undoes_flip, "FLP-01");
}

TEST_CASE("FLP-01: a driver that programs flips in its DPC, and forgets them with a preemption, is caught") {
    flipping_driver d(flip_mistake::preemption_forgets_postponed_flip);
    setup s = calm();
    s.options.display.held = 0;
    scheduler::player p(scheduler::bind_scheduled_driver(d, s.version), s.options, 1);
    std::uint32_t const context = p.create_context(0, 0);
    auto const flip = [&] { p.flips().flip_to_next(0, p.state().contexts[context], false); };
    auto const wait = [&] {
        for (std::uint64_t step = 0; step <= s.options.display.vsync_steps && !p.stopped(); ++step) {
            p.advance();
        }
    };
    flip();
    wait();
    CHECK(p.result().count.flips == 1);  // late, but in time
    flip();
    p.preempt(0);
    wait();
    CHECK(p.result().first_rule() == "FLP-01");
}

TEST_CASE("FLP-01: a driver that lets a preemption wait for a flip is caught") {
    setup s = flipping(calm());
    s.options.chances.preempt = 20;
    s.options.display.vsync_steps = 30;
    expect_flip_caught(s, flip_mistake::preemption_waits_for_flip, "FLP-01");
}

TEST_CASE("FLP-02: a driver that wants a DMA buffer for the present of a flip is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::present_wants_buffer, "FLP-02");
}

TEST_CASE("FLP-02: a driver that leaves commands of a flip for another pass is caught") {
    expect_flip_caught(flipping(virtual_addresses(calm())), flip_mistake::present_writes, "FLP-02");
}

TEST_CASE("FLP-03: a driver that synchronises with its interrupt to program a flip is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::synchronizes_to_flip, "FLP-03");
}

TEST_CASE("FLP-04: a driver that programs a flip when the vsync has come is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::programs_at_vsync, "FLP-04");
}

TEST_CASE("FLP-04: a driver that adds the segment's base to an address that has it is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::adds_segment_twice, "FLP-04");
}

TEST_CASE("FLP-04: a driver that tells the address that waits for its vsync is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::tells_programmed, "FLP-04");
    bool said = false;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        scheduler::report const report = run_flips(flipping(calm()), seed, flip_mistake::tells_programmed);
        said = said || report.text().find("which waits for its vsync") != std::string::npos;
    }
    CHECK(said);
}

TEST_CASE("FLP-04: a driver that tells the address that was replaced is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::tells_replaced, "FLP-04");
}

TEST_CASE("FLP-05: a driver that queues no DPC after a vsync is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::no_dpc_after_vsync, "FLP-05");
}

TEST_CASE("FLP-05: a DPC that does not call notify-DPC after a vsync is caught") {
    setup s = flipping(calm());
    s.options.chances.query = 0;
    s.options.chances.preempt = 0;
    s.options.chances.preempt_idle = 0;
    s.options.chances.interrupt = 20;
    s.options.chances.interrupt_inside = 0;
    s.options.chances.dpc = 100;
    expect_flip_caught(s, flip_mistake::no_notify_dpc_after_vsync, "FLP-05");
}

TEST_CASE("FLP-05: a driver that tells no address while the source is blanked is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::null_while_blank, "FLP-05");
}

TEST_CASE("FLP-05: a driver that tells no vsync while the source is blanked is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::silent_while_blank, "FLP-05");
}

TEST_CASE("FLP-05: a driver that names another target is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::tells_target_1, "FLP-05");
}

TEST_CASE("FLP-07: a driver that refuses immediate flips is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::refuses_immediate, "FLP-07");
}

TEST_CASE("FLP-07: a driver that refuses flips at the next vsync is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::refuses_interval_1, "FLP-07");
}

TEST_CASE("FLP-07: a driver that lets an immediate flip wait for the vsync is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::immediate_at_vsync, "FLP-07");
}

TEST_CASE("FLP-07: a driver whose flips tear is caught") {
    expect_flip_caught(flipping(calm()), flip_mistake::vsync_at_once, "FLP-07");
}

TEST_CASE("INT-02: a driver that tells of a vsync before it tells of packets is caught") {
    setup s = flipping(calm());
    s.options.chances.interrupt = 20;
    expect_flip_caught(s, flip_mistake::vsync_before_packets, "INT-02");
}

}  // namespace
}  // namespace scheduler_flip_mistakes
