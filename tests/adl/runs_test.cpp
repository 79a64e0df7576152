// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <doctest/doctest.h>
#include <wddmcore/adl/runs.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace runs_test {

using namespace wddmcore;

namespace {

constexpr usize last_number = ~usize{0};

// A list with short runs and gaps, from a seed.
std::vector<usize> scattered(std::mt19937& random, std::size_t count) {
    std::vector<usize> list;
    usize page = 100;
    while (list.size() != count) {
        page += random() % 3 == 0 ? 2u : 1u;
        list.push_back(page);
    }
    return list;
}

}  // namespace

TEST_CASE("ADL-07: a run ends where numbers stop being consecutive, and at what was asked for") {
    constexpr usize list[] = {5, 6, 7, 9, 10};
    static_assert(adl::detail::run_length(list, 5) == 3);
    CHECK(adl::detail::run_length(list, 5) == 3);
    CHECK(adl::detail::run_length(list, 2) == 2);
    CHECK(adl::detail::run_length(list + 3, 2) == 2);
    CHECK(adl::detail::run_length(list + 4, 1) == 1);
}

TEST_CASE("ADL-06: a number that wrapped to 0 ends a run of the cursor, and is left to the judge of reach elsewhere") {
    usize const list[] = {last_number - 1, last_number, 0, 1};
    CHECK(adl::detail::run_length(list, 4) == 2);
    CHECK(adl::detail::consecutive(list, 3));
    CHECK_FALSE(adl::detail::has_more_runs(list, 4, 1));
}

TEST_CASE("OP00-10: ends of runs are those that a walk by neighbours finds") {
    constexpr std::uint32_t seed = 20260731;
    INFO("seed " << seed);
    std::mt19937 random{seed};
    for (int round = 0; round != 200; ++round) {
        u32 const n = 1 + random() % adl::detail::block_pages;
        auto const list = scattered(random, n + 1);
        std::vector<u32> expected;
        for (u32 t = 0; t != n; ++t) {
            if (list[t + 1] != list[t] + 1) {
                expected.push_back(t);
            }
        }
        adl::detail::run_ends ends;
        u32 const found = adl::detail::find_run_ends(list.data(), n, ends);
        REQUIRE(std::vector<u32>(ends.at, ends.at + found) == expected);
        CHECK(adl::detail::consecutive(list.data(), n) == expected.empty());
        u64 const first_end = expected.empty() ? n + 1 : expected[0] + 1;
        CHECK(adl::detail::run_length(list.data(), n + 1) == first_end);
    }
}

TEST_CASE("OP00-10: a run that is open at the end of a part is followed, as far as copies still fit") {
    std::vector<usize> list(1000);
    for (usize t = 0; t != list.size(); ++t) {
        list[t] = t < 10 ? 7 * t + 1000 : 2000 + t;
    }
    auto const whole = adl::detail::run_over_the_end(list.data(), 0, 20, 1000, 1000, 5);
    CHECK(whole.first == 10);
    CHECK(whole.end == 1000);
    auto const cut = adl::detail::run_over_the_end(list.data(), 0, 20, 1000, 100, 3);
    CHECK(cut.first == 10);
    CHECK(cut.end == 310);  // three copies of 100 pages
    auto const closed = adl::detail::run_over_the_end(list.data(), 0, 10, 1000, 100, 3);
    CHECK(closed.first == 10);
    CHECK(closed.end == 10);
}

}  // namespace runs_test
