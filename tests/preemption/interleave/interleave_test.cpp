// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#if defined(__linux__)

#    include "driven.hpp"

#    include "slow_build.hpp"

#    include <doctest/doctest.h>

#    include <cstdio>
#    include <string>

namespace interleave_test {
namespace {
using namespace preemption_interleave;

constexpr scenario scenarios[] = {
    {{"sps", "ct", "d"}, true}, {{"sps", "ct", "d"}, false}, {{"sps", "tc", "dd"}, true},  {{"pss", "cc", "d"}, true},
    {{"spss", "t", "d"}, true}, {{"ssp", "cct", "d"}, true}, {{"ssp", "cct", "d"}, false}, {{"spss", "c", "d"}, false},
};
constexpr u32 scenario_count = slow_build ? 4 : sizeof(scenarios) / sizeof(scenarios[0]);

/// Faults, resets and refusals against submissions, requests, completions and the DPC: of every combination of these
/// each 23rd, in a slow build each 97th; primes that divide no dimension. What bounds them is the number of orders (a
/// billion steps for all of them): three agents, four packets, one request and two resets at the most; and a reset holds
/// both locks from the halt to the end, as its order demands.
std::vector<scenario> troubled() {
    constexpr char const* submitting[] = {"sps", "ssp", "srp", "spr", "rsps", "srsp"};
    constexpr char const* interrupting[] = {"cc", "ct", "f", "fc", "ft", "F", "tF", "u", "cu"};
    constexpr char const* third[] = {"d", "e", "aR", "de", "ed", "eaR"};
    constexpr u32 stride = slow_build ? 97 : 23;
    std::vector<scenario> all;
    u32 turn = 0;
    for (char const* first : submitting) {
        for (char const* second : interrupting) {
            for (char const* last : third) {
                for (bool const acknowledges : {false, true}) {
                    if (turn++ % stride == 0) {
                        all.push_back({{first, second, last}, acknowledges});
                    }
                }
            }
        }
    }
    return all;
}

struct totals {
    u64 runs = 0;
    u64 steps = 0;
    u64 states = 0;
    u32 broken = 0;
    std::string first;
};

template <class Policy>
totals run_all(bool buffered, u32 count, bool until_broken, scenario const* of = scenarios) {
    totals sum;
    for (u32 i = 0; i < count && (sum.broken == 0 || !until_broken); ++i) {
        found const one = driven<Policy>::run(of[i], buffered ? memory_order::store_buffers : memory_order::sequential);
        sum.runs += one.runs;
        sum.steps += one.steps;
        sum.states += one.states;
        sum.broken += one.broken != nullptr ? 1 : 0;
        if (one.broken != nullptr && sum.first.empty()) {
            sum.first =
                std::string(one.broken) + " (" + of[i].calls[0] + " | " + of[i].calls[1] + " | " + of[i].calls[2] + ")";
        }
    }
    return sum;
}

template <class Policy>
void expect_held(char const* name, u32 buffered_count = scenario_count, u32 plain_count = scenario_count,
                 scenario const* of = scenarios) {
    for (u32 buffered = 0; buffered < 2; ++buffered) {
        u32 const count = buffered != 0 ? buffered_count : plain_count;
        totals const sum = run_all<Policy>(buffered != 0, count, false, of);
        std::printf("%-28s %-14s %u programs %9llu runs %10llu steps %9llu states\n", name,
                    buffered != 0 ? "store buffers" : "sequential", count, sum.runs, sum.steps, sum.states);
        CHECK_MESSAGE(sum.broken == 0, sum.first);
        CHECK(sum.runs > count);
    }
}

template <class Policy>
void expect_caught(char const* name, u32 count = scenario_count, scenario const* of = scenarios) {
    totals const sum = run_all<Policy>(false, count, true, of);
    totals const buffered = run_all<Policy>(true, count, true, of);
    std::printf("%-28s caught after %llu runs, with store buffers after %llu: %s\n", name, sum.runs, buffered.runs,
                sum.first.c_str());
    CHECK(sum.broken != 0);
    CHECK(buffered.broken != 0);
}

TEST_CASE(
    "PRE-12, PRE-13, PRE-15: submit, preempt, completion, stop and DPC in all orders, all in the interrupt lock") {
    expect_held<all_inside>("all in the interrupt lock");
}

TEST_CASE("PRE-12, PRE-13, PRE-15: the same with submissions outside, by an exchange-add or a compare-exchange loop") {
    expect_held<outside>("submit outside");
    expect_held<outside_by_loop>("submit outside, by a loop", scenario_count / 2);
}

TEST_CASE("TDR-06, TDR-07, INT-09, PRE-30: faults, resets and refused packets in all orders with the others") {
    std::vector<scenario> const all = troubled();
    u32 const count = static_cast<u32>(all.size());
    expect_held<all_inside>("troubles, all inside", count, count, all.data());
    expect_held<outside>("troubles, submit outside", count, count, all.data());
}

TEST_CASE("TDR-07, TDR-10: a reset beside the interrupt routine, and a refusal beside a submission, are seen") {
    constexpr scenario telling[] = {{{"sps", "ct", "eaR"}, true}, {{"srp", "ct", "e"}, true}};
    expect_caught<reset_outside>("a reset outside the lock", 2, telling);
    expect_caught<reject_outside>("a refusal outside the lock", 2, telling);
}

TEST_CASE("PRE-12, PRE-13: what would lose, double or misorder packets is seen") {
    expect_caught<plain_store_in_submit>("a plain store in submit");
    expect_caught<plain_store_in_completion>("a plain store in completion");
    expect_caught<preempt_outside>("preempt outside the lock");
    expect_caught<separate_words>("separate words");
}
}  // namespace
}  // namespace interleave_test

#endif
