// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "setup.hpp"

#include <sstream>
#include <stdexcept>

using namespace plain;

namespace scheduler_determinism {
namespace {

[[nodiscard]] std::string transcript(setup s, std::uint64_t seed) {
    return seeded_runs::transcript(s.options, [&](auto const& options) {
        s.options = options;
        return run(s, seed);
    });
}

TEST_CASE("a run is a function of driver, options and seed") {
    for (setup const& s : {calm(), troubled(calm(wddm::win8)), troubled(virtual_addresses(calm()))}) {
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            std::string const first = transcript(s, seed);
            CHECK(first == transcript(s, seed));
            CHECK(first != transcript(s, seed + 1));
        }
    }
}

TEST_CASE("a report of a broken rule is the same every time, and names seed and step") {
    for (mistake const wrong : {mistake::keeps_preempted, mistake::no_dpc, mistake::reports_first_of_batch}) {
        setup s = calm();
        s.wrong = wrong;
        scheduler::report const one = run(s, 7);
        scheduler::report const two = run(s, 7);
        REQUIRE_FALSE(one.passed());
        CHECK(one.violations() == two.violations());
        CHECK(one.violations().front().state.find("seed 7, step ") != std::string::npos);
    }
}

TEST_CASE("a broken rule does not end the run when it is not to") {
    setup s = calm();
    s.wrong = mistake::no_notify_dpc;
    s.options.stop_after = 0;
    scheduler::report const report = run(s, 1);
    CHECK(report.violations().size() == 1);
    CHECK(report.first_rule() == "INT-01");
    CHECK(report.count.completions > 20);
}

TEST_CASE("a trace is one JSON object with a row for each engine") {
    setup s = troubled(calm());
    s.options.nodes = 3;
    std::string const all = transcript(s, 3);
    std::size_t const start = all.find("{\"displayTimeUnit\"");
    REQUIRE(start != std::string::npos);
    int depth = 0;
    bool in_text = false;
    for (std::size_t i = start; i < all.size(); ++i) {
        char const c = all[i];
        if (c == '"' && all[i - 1] != '\\') {
            in_text = !in_text;
        } else if (!in_text) {
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        }
    }
    CHECK(depth == 0);
    CHECK_FALSE(in_text);
    for (char const* const part :
         {"\"ph\":\"X\"", "\"ph\":\"i\"", "node 2, engine 0", "preempt with", "submit render"}) {
        CHECK(all.find(part, start) != std::string::npos);
    }
}

TEST_CASE("PRE-01: a table without preemption, or one that does not fit its version, is not played") {
    driver d;
    wddmcore_driver_table table = scheduler::bind_scheduled_driver(d, wddm::v2_0);
    table.version = static_cast<unsigned>(wddm::win7);
    CHECK_THROWS_AS(static_cast<void>(scheduler::run(table, calm().options, 1)), std::invalid_argument);
    table = scheduler::bind_scheduled_driver(d, wddm::v2_0);
    table.submit_command_size -= 8;
    CHECK_THROWS_AS(static_cast<void>(scheduler::run(table, calm().options, 1)), std::invalid_argument);
    table = scheduler::bind_scheduled_driver(d, wddm::v2_0);
    table.size = 8;  // members behind it are absent
    CHECK_THROWS_AS(static_cast<void>(scheduler::run(table, calm().options, 1)), std::invalid_argument);
    table = scheduler::bind_scheduled_driver(d, wddm::win8);
    CHECK_THROWS_AS(static_cast<void>(scheduler::run(table, virtual_addresses(calm()).options, 1)),
                    std::invalid_argument);
}

}  // namespace
}  // namespace scheduler_determinism
