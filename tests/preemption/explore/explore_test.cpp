// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "search.hpp"

#include "slow_build.hpp"

#include <doctest/doctest.h>

#include <cstdio>

namespace explore_test {
namespace {
using namespace preemption_explore;

struct total {
    u64 configurations = 0;
    u64 states = 0;
    u64 steps = 0;
    u32 depth = 0;

    void expect_sound(options const& o) {
        outcome const one = explore(o);
        CHECK_MESSAGE(one.broken.empty(), one.broken);
        ++configurations;
        states += one.states;
        steps += one.moves;
        depth = one.depth > depth ? one.depth : depth;
    }
    void print(char const* what) const {
        std::printf("%-28s %5llu configurations %9llu states %10llu steps, closed at depth %u\n", what, configurations,
                    states, steps, depth);
    }
};

#if defined(WDDMCORE_SANITIZED)
constexpr bool watched = true;
#else
constexpr bool watched = false;
#endif

/// A slow build takes each 23rd configuration, one with sanitizers each 389th: primes that divide no
/// dimension, so all pools, classes, kinds and troubles have their turns.
constexpr u32 stride = watched ? 389 : slow_build ? 23 : 1;

constexpr engine_kind kinds[] = {
    {stopping::nowhere, false},        {stopping::nowhere, true},          {stopping::between_buffers, false},
    {stopping::between_buffers, true}, {stopping::inside_a_buffer, false}, {stopping::inside_a_buffer, true},
};

/// The pairs of state and event that the system and hardware can produce, without and with something left after them.
/// What is missing: an idle, drained, halted or lost engine completes and faults nothing (those events are ignored, as
/// are answers and restarts that nobody asked for); a request leaves nothing in hardware except where it was asked.
struct pair {
    engine_state from;
    engine_event event;
    bool nothing_left;
    bool something_left;
};
constexpr pair reachable[] = {
    {engine_state::idle, engine_event::submitted, false, true},
    {engine_state::idle, engine_event::rejected, true, false},
    {engine_state::idle, engine_event::preempt, true, false},
    {engine_state::idle, engine_event::engine_reset, true, false},
    {engine_state::idle, engine_event::reset_failed, true, false},
    {engine_state::idle, engine_event::adapter_reset, true, false},
    {engine_state::busy, engine_event::submitted, false, true},
    {engine_state::busy, engine_event::rejected, false, true},
    {engine_state::busy, engine_event::preempt, true, true},
    {engine_state::busy, engine_event::completed, true, true},
    {engine_state::busy, engine_event::faulted, true, true},
    {engine_state::busy, engine_event::fatal_fault, true, true},
    {engine_state::busy, engine_event::engine_reset, true, false},
    {engine_state::busy, engine_event::reset_failed, false, true},
    {engine_state::busy, engine_event::adapter_reset, true, false},
    {engine_state::stopping, engine_event::submitted, false, true},
    {engine_state::stopping, engine_event::rejected, false, true},
    {engine_state::stopping, engine_event::preempt, false, true},
    {engine_state::stopping, engine_event::completed, true, true},
    {engine_state::stopping, engine_event::stopped, true, true},
    {engine_state::stopping, engine_event::faulted, true, true},
    {engine_state::stopping, engine_event::fatal_fault, true, true},
    {engine_state::stopping, engine_event::engine_reset, true, false},
    {engine_state::stopping, engine_event::reset_failed, false, true},
    {engine_state::stopping, engine_event::adapter_reset, true, false},
    {engine_state::drained, engine_event::submitted, false, true},
    {engine_state::drained, engine_event::rejected, false, true},
    {engine_state::drained, engine_event::preempt, true, false},
    {engine_state::drained, engine_event::stopped, true, true},
    {engine_state::drained, engine_event::engine_reset, true, false},
    {engine_state::drained, engine_event::reset_failed, true, true},
    {engine_state::drained, engine_event::adapter_reset, true, false},
    {engine_state::halted, engine_event::submitted, false, true},
    {engine_state::halted, engine_event::rejected, true, true},
    {engine_state::halted, engine_event::preempt, true, true},
    {engine_state::halted, engine_event::engine_reset, true, false},
    {engine_state::halted, engine_event::reset_failed, false, true},
    {engine_state::halted, engine_event::adapter_reset, true, false},
    {engine_state::lost, engine_event::submitted, false, true},
    {engine_state::lost, engine_event::rejected, true, true},
    {engine_state::lost, engine_event::preempt, true, false},
    {engine_state::lost, engine_event::restarted, true, true},
};

void check_coverage() {
    constexpr char const* states[] = {"idle", "busy", "stopping", "drained", "halted", "lost"};
    constexpr char const* events[] = {"submitted",    "rejected",      "preempt",     "completed",
                                      "stopped",      "faulted",       "fatal fault", "engine reset",
                                      "reset failed", "adapter reset", "restarted"};
    std::printf("steps taken, nothing left / something left\n%-14s", "");
    for (char const* state : states) {
        std::printf("%22s", state);
    }
    for (u32 e = 0; e < engine_events; ++e) {
        std::printf("\n%-14s", events[e]);
        for (u32 s = 0; s < engine_states; ++s) {
            std::printf("%11llu/%10llu", covered.seen[s][e][0], covered.seen[s][e][1]);
        }
    }
    std::printf("\n");
    bool expected[engine_states][engine_events][2] = {};
    for (pair const& p : reachable) {
        expected[static_cast<u32>(p.from)][static_cast<u32>(p.event)][0] = p.nothing_left;
        expected[static_cast<u32>(p.from)][static_cast<u32>(p.event)][1] = p.something_left;
    }
    for (u32 s = 0; s < engine_states; ++s) {
        for (u32 e = 0; e < engine_events; ++e) {
            for (u32 left = 0; left < 2; ++left) {
                CAPTURE(states[s]);
                CAPTURE(events[e]);
                CAPTURE(left);
                CHECK((covered.seen[s][e][left] != 0) == expected[s][e][left]);
            }
        }
    }
}

TEST_CASE(
    "PRE-10 to PRE-17, PRE-26, PRE-30, INT-07 to INT-09, TDR-04 to TDR-07, TDR-10: all histories of small pools") {
    covered = {};
    total all;
    u32 turn = 0;
    for (u32 t = 0; t < troubles; ++t) {
        total sum;
        for (u32 p = 0; p < pool_count - large_pools; ++p) {
            for (engine_kind const kind : kinds) {
                for (u32 v = 0; v < 4; ++v) {
                    if (turn++ % stride == 0) {
                        sum.expect_sound(
                            configure(pools[p], kind, static_cast<trouble>(t), (v & 1) != 0, (v & 2) != 0));
                    }
                }
            }
        }
        sum.print(trouble_names[t]);
        all.configurations += sum.configurations;
        all.states += sum.states;
        all.steps += sum.steps;
        all.depth = sum.depth > all.depth ? sum.depth : all.depth;
    }
    all.print("small pools");
    if (!watched) {
        check_coverage();
    }
}

TEST_CASE("PRE-12, PRE-15: a pool of four packets, one of them rejected") {
    total sum;
    pool const& large = pools[pool_count - 1];
    for (u32 k = slow_build ? 5 : 0; k < 6; ++k) {
        sum.expect_sound(configure(large, kinds[k], trouble::plain, !slow_build, false));
    }
    CHECK(sum.configurations == (slow_build ? 1u : 6u));
    sum.print("four packets");
}

TEST_CASE("PRE-23, AMB-15: requests and resets without end reach no new state") {
    total sum;
    trouble const endless[] = {trouble::plain, trouble::coalesced, trouble::engine_reset, trouble::adapter_reset};
    pool const& two = pools[10];
    for (trouble const what : endless) {
        for (u32 k = 0; k < 6; k += slow_build ? 5 : 1) {
            options o = configure(two, kinds[k], what, true, true);
            o.endless = true;
            sum.expect_sound(o);
        }
    }
    CHECK(sum.configurations == 4u * (slow_build ? 2u : 6u));
    sum.print("endless requests and resets");
}
}  // namespace
}  // namespace explore_test
