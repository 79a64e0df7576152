// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The shortest run that has a finding: how it is looked for, and what the replay line says of it.
#include <wddmcore/testing/certify.hpp>

#include <doctest/doctest.h>

namespace certified_shrink {

using namespace wddmcore;
namespace parts = testing::certify_parts;
using testing::scenario_length;

/// A scenario that finds PGB-22 from `first` steps or packets on, and something else from the beginning.
struct fake_scenario {
    std::uint64_t first;
    std::vector<testing::certified_options> played{};

    std::string replay_after(testing::certified_options const& o, scenario_length by) {
        testing::certified_scenario_report s{"paging", "things move", {}, {}, {}, {}, {}, "as it was"};
        s.findings.push_back(testing::certified_finding_of({"PGB-22", "a sentence", "a state"}));
        parts::shrink(s, o, by, [&](testing::certified_options const& how) {
            played.push_back(how);
            std::vector<testing::vidmm_violation> found{{"OP00-02", "another", "state"}};
            if ((by == scenario_length::steps ? how.steps : how.packets) >= first) {
                found.push_back({"PGB-22", "a sentence", "another state"});
            }
            return found;
        });
        return s.replay;
    }
};

TEST_CASE("PGB-22: the smallest number is found, wherever it is, in few questions") {
    for (std::uint64_t known = 0; known != 40; ++known) {
        for (std::uint64_t from = 0; from <= known; ++from) {
            int asked = 0;
            auto const holds = [&](std::uint64_t n) {
                ++asked;
                CHECK(n < known);
                return n >= from;
            };
            CHECK(parts::smallest(known, holds) == from);
            CHECK(asked <= 6);
        }
    }
    // Where it holds here and there, the answer is one of them.
    auto const odd = [](std::uint64_t n) { return n % 2 == 1; };
    CHECK(odd(parts::smallest(299, odd)));
}

TEST_CASE("PGB-22: a scenario shrinks by the number that it has, to the rule of its first finding") {
    testing::certified_options o;
    o.shrink = true;
    o.seed = 5;
    o.trace = "a file";
    o.packets = 150;
    fake_scenario paging{17};
    CHECK(paging.replay_after(o, scenario_length::steps) == "--seed 5 --steps 17 --packets 150 --only paging");
    REQUIRE_FALSE(paging.played.empty());
    CHECK(paging.played.size() <= 9);
    for (testing::certified_options const& how : paging.played) {
        CHECK(how.trace.empty());
        CHECK(how.seed == 5);
        CHECK(how.steps < o.steps);
        CHECK(how.packets == 150);
    }
    fake_scenario scheduling{31};
    CHECK(scheduling.replay_after(o, scenario_length::packets) == "--seed 5 --packets 31 --only paging");
    CHECK(scheduling.played.front().steps == o.steps);
    CHECK(fake_scenario{0}.replay_after(o, scenario_length::steps) == "--seed 5 --steps 0 --packets 150 --only paging");
    CHECK(fake_scenario{1000}.replay_after(o, scenario_length::steps) == "--seed 5 --packets 150 --only paging");
}

TEST_CASE("PGB-22: nothing is played again unless somebody asks, there is a finding, and there is a number") {
    testing::certified_options o;
    fake_scenario scenario{17};
    CHECK(scenario.replay_after(o, scenario_length::steps) == "as it was");
    o.shrink = true;
    CHECK(scenario.replay_after(o, scenario_length::fixed) == "as it was");
    testing::certified_scenario_report clean{"paging", "things move", {}, {}, {}, {}, {}};
    parts::shrink(clean, o, scenario_length::steps, [&](testing::certified_options const& how) {
        scenario.played.push_back(how);
        return std::vector<testing::vidmm_violation>{};
    });
    CHECK(clean.replay.empty());
    CHECK(scenario.played.empty());
}

}  // namespace certified_shrink
