// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <doctest/doctest.h>
#include <wddmcore/adl/runs.hpp>
#include <wddmcore/testing/guarded/buffer.hpp>

#include <cstdint>
#include <iterator>
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
    // A byte has an index for each page of a block, and for no more.
    static_assert(static_cast<u8>(adl::detail::block_pages - 1) == adl::detail::block_pages - 1 &&
                  static_cast<u8>(adl::detail::block_pages) == 0);
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

namespace {

/// A random number from 0 to `limit` - 1.
u32 below(std::mt19937& random, u32 limit) { return static_cast<u32>(random() % limit); }

/// Page numbers in runs of random lengths, and pages past the end that would lengthen the last run.
std::vector<usize> runs_of(std::mt19937& random, u32 pages, u32 longest, usize behind = 1) {
    std::vector<usize> list;
    usize next = 1000;
    while (list.size() < pages) {
        for (u32 length = 1 + below(random, longest); length != 0 && list.size() < pages; --length) {
            list.push_back(next++);
        }
        next += below(random, 3) == 0 ? usize{0} - 700 : 1 + below(random, 4);
    }
    for (u32 t = 0; t != 300; ++t) {
        list.push_back(list.back() + behind);
    }
    return list;
}

/// How many copies of at most `most` pages a list takes.
u32 copies_of(std::vector<usize> const& list, u32 count, u64 most) {
    u32 copies = 0;
    for (u32 t = 0; t < count;) {
        u32 length = 1;
        while (t + length < count && list[t + length] == list[t] + length && length < most) {
            ++length;
        }
        t += length;
        ++copies;
    }
    return copies;
}

}  // namespace

TEST_CASE("OP00-10: one page out of order is seen at every place, and none past the end is looked at") {
    for (u32 n = 0; n != 36; ++n) {
        std::vector<usize> list(n + 20);
        for (usize t = 0; t != list.size(); ++t) {
            list[t] = 500 + t;
        }
        CHECK(adl::detail::consecutive(list.data(), n));
        for (usize wrong = 0; wrong != list.size(); ++wrong) {
            for (usize const by : {usize{1}, usize{16}, usize{0} - 1}) {
                CAPTURE(n);
                CAPTURE(wrong);
                list[wrong] += by;
                // Alone on a list a page is consecutive, whatever its number is.
                CHECK(adl::detail::consecutive(list.data(), n) == (wrong > n || n == 0));
                list[wrong] -= by;
            }
        }
    }
}

TEST_CASE("OP00-10: runs and copies are counted up to every limit") {
    constexpr std::uint32_t seed = 20260802;
    INFO("seed " << seed);
    std::mt19937 random{seed};
    constexpr u32 around_steps[] = {1, 2, 31, 32, 33, 34, 64, 65, 66, 97, 129, 193};  // they are counted 32 at a time
    for (u32 round = 0; round != 120; ++round) {
        u32 const count = round < std::size(around_steps) ? around_steps[round] : 1 + below(random, 140);
        // Behind the end each page is a run, so that one page too many is seen.
        auto const list = runs_of(random, count, 1 + below(random, 9), 2);
        u64 const most = 1 + below(random, 6);
        u32 const runs = copies_of(list, count, ~u64{0});
        u32 const copies = copies_of(list, count, most);
        for (u32 limit = 0; limit <= count + 1; ++limit) {
            CAPTURE(round);
            CAPTURE(limit);
            CHECK(adl::detail::has_more_runs(list.data(), count, limit) == (runs > limit));
            CHECK(adl::detail::has_more_copies(list.data(), count, limit, static_cast<u32>(most)) == (copies > limit));
        }
    }
}

TEST_CASE("OP00-10: the run at the end of a part is the one that a walk by neighbours finds, up to what copies reach") {
    constexpr std::uint32_t seed = 20260803;
    INFO("seed " << seed);
    std::mt19937 random{seed};
    for (u32 round = 0; round != 600; ++round) {
        CAPTURE(round);
        u32 const count = 2 + below(random, 1500);
        auto const list = runs_of(random, count, round % 2 == 0 ? 900 : 12);
        u32 const begin = below(random, count - 1);
        u32 const end = begin + 1 + below(random, count - begin);
        u32 const most = 1 + below(random, 400);
        u32 const commands = below(random, 5);
        u32 first = end;
        u64 last = end;
        if (end != count && list[end] == list[end - 1] + 1) {
            for (first = end - 1; first != begin && list[first] == list[first - 1] + 1; --first) {
            }
            u32 const already = (end - first + most - 1) / most;
            u64 const reach = first + u64{commands < already ? already : commands} * most;
            while (last != count && last != reach && list[last] == list[last - 1] + 1) {
                ++last;
            }
        }
        auto const found = adl::detail::run_over_the_end(list.data(), begin, end, count, most, commands);
        CHECK(found.first == first);
        CHECK(found.end == last);
    }
}

TEST_CASE("OP00-10: the run at the end of a part stops at a break at any place, whatever is compared at once") {
    // From page 3 on whole blocks; behind the last page nothing can be read.
    constexpr u32 count = 3 + 3 * adl::detail::block_pages;
    testing::guarded_buffer memory(count * sizeof(usize));
    auto* const list = reinterpret_cast<usize*>(memory.data());
    for (u32 broken = 4; broken <= count; ++broken) {
        for (u32 t = 0; t != count; ++t) {
            list[t] = 500 + t + (t >= broken ? 1 : 0);
        }
        CAPTURE(broken);
        auto const found = adl::detail::run_over_the_end(list, 0, 3, count, count, 1);
        CHECK(found.first == 0);
        CHECK(found.end == broken);
    }
}

}  // namespace runs_test
