// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

using namespace plain;

namespace scheduler_latency {
namespace {

[[nodiscard]] scheduler::packet_order buffer_of(std::uint32_t commands) {
    scheduler::packet_order o;
    o.commands = commands;
    return o;
}

/// A long packet runs; after ten commands another context wants the engine. Nanoseconds until the preemption is
/// reported.
[[nodiscard]] std::uint64_t latency_at(granularity where, std::uint32_t commands) {
    driver d;
    scheduler::options o;
    o.nodes = 1;
    o.stops_at = where;
    o.paging_nodes = 0;
    scheduler::player p(scheduler::bind_scheduled_driver(d, wddm::v2_9), o, 1);
    std::uint32_t const game = p.create_context(0, 0);
    std::uint32_t const desktop = p.create_context(0, 0);
    static_cast<void>(p.create_packets(game, {buffer_of(commands)}));
    static_cast<void>(p.create_packets(desktop, {buffer_of(3)}));
    p.submit(game);
    for (int i = 0; i < 10; ++i) {
        p.advance();
    }
    p.preempt(0);
    while (p.result().preemptions.empty()) {
        p.advance();
    }
    p.submit(desktop);
    if (!p.state().contexts[game].queue.empty()) {
        p.submit(game);
    }
    while (!p.done()) {
        p.advance();
    }
    p.finish();
    CHECK(p.result().passed());
    return p.result().preemptions.front().latency();
}

TEST_CASE("PRE-04, PRE-21: the finer the granularity, the sooner a long packet gives way") {
    constexpr std::uint32_t commands = 101;
    std::uint64_t const nowhere = latency_at(granularity::nowhere, commands);
    std::uint64_t const buffer = latency_at(granularity::dma_buffer, commands);
    std::uint64_t const primitive = latency_at(granularity::primitive, commands);
    std::uint64_t const triangle = latency_at(granularity::triangle, commands);
    std::uint64_t const shader = latency_at(granularity::shader, commands);
    // Ten of 101 commands of 1000 ns had run: 91 are left, and one step answers.
    CHECK(nowhere == 92'000);
    CHECK(buffer == 92'000);
    // Stops at multiples of 8 commands: six more to 16, one step to decide, one to answer.
    CHECK(primitive == 8'000);
    // Multiples of 4: two more to 12; one to decide, one to save, one to answer.
    CHECK(triangle == 5'000);
    // At once: one step to decide, two to save, one to answer.
    CHECK(shader == 4'000);
}

TEST_CASE("PRE-06: between buffers the packets behind the running one are taken back, nowhere they are not") {
    auto const completed_before_report = [](granularity where) {
        driver d;
        scheduler::options o;
        o.nodes = 1;
        o.stops_at = where;
        o.paging_nodes = 0;
        scheduler::player p(scheduler::bind_scheduled_driver(d, wddm::win8), o, 1);
        for (int i = 0; i < 3; ++i) {
            std::uint32_t const context = p.create_context(0, 0);
            static_cast<void>(p.create_packets(context, {buffer_of(5)}));
            p.submit(context);
        }
        p.advance();
        p.preempt(0);
        while (p.result().preemptions.empty()) {
            p.advance();
        }
        CHECK(p.result().passed());
        return p.result().count.completions;
    };
    CHECK(completed_before_report(granularity::nowhere) == 3);
    CHECK(completed_before_report(granularity::dma_buffer) == 1);
    CHECK(completed_before_report(granularity::shader) == 0);
}

}  // namespace
}  // namespace scheduler_latency
