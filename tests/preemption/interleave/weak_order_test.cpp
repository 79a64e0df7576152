// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#if defined(__linux__)

#    include "driven.hpp"

#    include "slow_build.hpp"

#    include <doctest/doctest.h>

#    include <cstdio>
#    include <string>

/// The engine's word under orders that are as weak as word_policy allows, and weaker.
namespace weak_order_test {
namespace {
using namespace preemption_interleave;

/// In a ring of two every third packet takes the place of one that has left, and in a ring of four none does.
constexpr scenario of_two[] = {{{"ssS", "c", ""}, true}, {{"ssS", "t", ""}, true}};
constexpr scenario of_four[] = {
    {{"srs", "c", "d"}, true}, {{"sp", "ct", "d"}, false}, {{"sps", "t", "d"}, true}, {{"sps", "ct", "d"}, true}};
constexpr u32 some_of_four = slow_build ? 2 : sizeof of_four / sizeof of_four[0];

struct totals {
    u32 programs = 0;
    u64 runs = 0, states = 0;
    std::string broken;
};

template <orders Order, u32 Capacity>
void run_all(totals& sum, scenario const* of, u32 count, bool until_broken) {
    for (u32 i = 0; i < count && (sum.broken.empty() || !until_broken); ++i) {
        found const one = driven<outside_with<Order, Capacity>>::run(of[i], memory_order::acquire_release);
        ++sum.programs;
        sum.runs += one.runs;
        sum.states += one.states;
        if (one.broken != nullptr) {
            sum.broken = std::string(one.broken) + " (" + of[i].calls[0] + " | " + of[i].calls[1] + ")";
        }
    }
    weak.on = false;
}

template <orders Order>
totals run_all(bool until_broken) {
    totals sum;
    run_all<Order, 2>(sum, of_two, sizeof of_two / sizeof of_two[0], until_broken);
    run_all<Order, 4>(sum, of_four, until_broken ? 2 : some_of_four, until_broken);
    return sum;
}

template <orders Order>
void expect_held(char const* name) {
    totals const sum = run_all<Order>(false);
    std::printf("%-48s %u programs %llu runs %llu states\n", name, sum.programs, sum.runs, sum.states);
    CHECK_MESSAGE(sum.broken.empty(), sum.broken);
    CHECK(sum.states > 1000);
}

template <orders Order>
void expect_caught(char const* name) {
    totals const sum = run_all<Order>(true);
    std::printf("%-48s caught after %llu runs: %s\n", name, sum.runs, sum.broken.c_str());
    CHECK_MESSAGE(!sum.broken.empty(), name);
}

/// Messages between two agents: y is stored after x.
struct message_passing {
    u64 x, y;
};
message_passing passed;

/// Whether an agent that sees y may still see the old x.
template <bool Releases, bool Acquires>
bool may_see_old_data() {
    passed = {};
    weak.begin(&passed);
    weak.store(0, &passed.x, 0, 1, false);
    weak.store(0, &passed.y, 0, 1, Releases);
    u64 const y = weak.load(1, &passed.y, 0, Acquires, 0);
    return y == 1 && weak.choices(1, &passed.x, 0) != 1;
}

}  // namespace

TEST_CASE("the model: a message keeps what was before it only if one side releases and the other acquires") {
    CHECK_FALSE(may_see_old_data<true, true>());
    CHECK(may_see_old_data<true, false>());
    CHECK(may_see_old_data<false, true>());
    CHECK(may_see_old_data<false, false>());
    // A load never goes back behind what its agent has seen, and a read-modify-write takes the newest.
    passed = {};
    weak.begin(&passed);
    weak.store(0, &passed.x, 0, 1, false);
    weak.store(0, &passed.x, 1, 2, false);
    CHECK(weak.choices(1, &passed.x, 2) == 3);
    CHECK(weak.load(1, &passed.x, 2, false, 1) == 1);
    CHECK(weak.choices(1, &passed.x, 2) == 2);
    weak.exchange(1, &passed.x, 2, 3, false, false);
    CHECK(weak.choices(1, &passed.x, 3) == 1);
}

TEST_CASE("PRE-12, PRE-13: acquire and release, as word_policy asks for them, are enough on ARM64") {
    expect_held<orders{}>("acquire and release");
    // Every addition is followed by a load of the word, which then learns the same.
    expect_held<orders{.add_acquires = false}>("the addition only releases");
}

TEST_CASE("PRE-12, PRE-13: each weaker order is seen") {
    expect_caught<orders{.add_releases = false}>("the addition does not release");
    expect_caught<orders{.word_acquires = false}>("the word's load does not acquire");
    expect_caught<orders{.cell_acquires = false}>("the load of the oldest entry does not acquire");
    expect_caught<orders{.cell_releases = false}>("the store of the oldest entry does not release");
}

TEST_CASE("PRE-12, PRE-13: a doorbell that hardware may see before the packet is seen") {
    weak.doorbell_orders = false;
    expect_caught<orders{}>("a doorbell without a barrier");
    weak.doorbell_orders = true;
}
}  // namespace weak_order_test

#endif
