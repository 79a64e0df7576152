// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "../slow_build.hpp"

#include <preemption/driver.hpp>
#include <wddmcore/testing/scheduler.hpp>

#include <doctest/doctest.h>

#include <string>

/// The example driver, which leaves every decision to the library's machine, under the scheduler's simulator.
namespace machine_driver {
namespace {

using namespace wddmcore;
namespace sch = wddmcore::testing::scheduler;

/// The seed decides everything: where hardware stops, what it can tell, the version, the troubles.
sch::options options_of(u64 seed) {
    sch::options o;
    o.nodes = 4;
    o.stops_at = sch::granularities[seed % 6];
    o.acknowledges_when_idle = seed / 6 % 2 != 0;
    o.engines = seed / 12 % 3 == 0 ? 2 : 1;
    o.virtual_addresses = seed / 12 % 2 != 0;
    o.submissions_during_request = seed / 24 % 4 != 0;
    o.first_fence_id = seed / 5 % 2 != 0 ? 0xFFFF'FFF0u : 1;
    if (seed / 7 % 2 != 0) {
        o.troubles.fault = 20;
        o.troubles.fault_reset = 10;
        o.troubles.fault_unknown = 10;
        o.troubles.hang = 15;
        o.troubles.paging_hang = 10;
        o.troubles.reset_fails = 10;
        o.troubles.cannot_tell = seed / 14 % 2 != 0;
        o.dependent_nodes = seed / 3 % 2 != 0 ? 6 : 0;
    }
    return o;
}

wddm version_of(u64 seed, bool virtual_addresses) {
    constexpr wddm physical[] = {wddm::win8, wddm::v1_3, wddm::v2_0, wddm::v3_2};
    constexpr wddm gpu_virtual[] = {wddm::v2_0, wddm::v2_2, wddm::v2_9, wddm::v3_2};
    return (virtual_addresses ? gpu_virtual : physical)[seed / 11 % 4];
}

struct sums {
    u64 packets = 0;
    u64 half_run = 0;
    u64 engine_resets = 0;
    u64 adapter_resets = 0;
    u64 requests = 0;
};

template <class Policy>
sums play(u64 seeds) {
    sums all;
    for (u64 seed = 1; seed <= seeds; ++seed) {
        sch::options const o = options_of(seed);
        examples::scheduling_driver<Policy> driver;
        auto const table = sch::bind_scheduled_driver(driver, version_of(seed, o.virtual_addresses));
        sch::report const seen = sch::run(table, o, seed);
        INFO("seed ", seed, ": replay it with options_of(seed)");
        INFO(seen.text());
        REQUIRE(seen.first_rule() == "");
        all.packets += seen.count.packets;
        all.half_run += seen.count.half_run;
        all.engine_resets += seen.count.engine_resets;
        all.adapter_resets += seen.count.adapter_resets;
        all.requests += seen.preemptions.size();
    }
    return all;
}

// A thousand: the figure of the project's goals. A run at random that never preempts or resets would prove nothing.
constexpr u64 all_seeds = slow_build ? 100 : 1000;

void expect_much(sums const& seen) {
    CHECK(seen.packets >= 60 * all_seeds);
    CHECK(seen.requests >= all_seeds);
    CHECK(seen.half_run > all_seeds);
    CHECK(seen.engine_resets > all_seeds / 10);
    CHECK(seen.adapter_resets > all_seeds / 20);
}

TEST_CASE("PRE-12: over a thousand seeds every packet completes once, every call in the interrupt lock") {
    expect_much(play<preemption::under_interrupt_lock>(all_seeds));
}

TEST_CASE("PRE-12: over a thousand seeds every packet completes once, submissions outside the interrupt lock") {
    expect_much(play<examples::submit_outside>(all_seeds));
}

TEST_CASE("the scheduler's run over the machine is a function of the seed") {
    sch::options o = options_of(21);
    o.keep_journal = true;
    std::string text;
    for (u32 i = 0; i != 2; ++i) {
        examples::scheduling_driver<examples::submit_outside> driver;
        sch::report const seen = sch::run(sch::bind_scheduled_driver(driver, wddm::v3_2), o, 21);
        std::string journal = seen.text();
        for (std::string const& line : seen.journal) {
            journal += line + '\n';
        }
        CHECK((i == 0 || journal == text));
        text = journal;
    }
}

}  // namespace
}  // namespace machine_driver
