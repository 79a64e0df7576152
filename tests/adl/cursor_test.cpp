// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "adl_random.hpp"

#include <wddmcore/testing/guarded/buffer.hpp>

#include <cstring>

namespace cursor_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

// The pages of every kind of source, as one list; the last page of guarded memory for the kinds that have a list.
void check_every_limit(adl::source const& from, std::vector<u64> const& expected, seeded_numbers& random) {
    REQUIRE(page_by_page(from) == expected);
    u64 const limits[] = {1, 2, 3, 7, 16, 255, 256, 257, 1 + random.below(40), expected.size() + 1, ~u64{0}};
    for (u64 const limit : limits) {
        CAPTURE(limit);
        REQUIRE(by_runs(from, pages{limit}) == expected);
    }
}

// The length that a run of a list has to have: as far as each number is one more than the number before it.
u64 obvious_run(std::vector<u64> const& list, u64 from, u64 limit) {
    u64 length = 0;
    while (from + length < list.size() && length < limit) {
        if (length != 0 && (list[from + length] == 0 || list[from + length] != list[from] + length)) {
            break;
        }
        ++length;
    }
    return length;
}

}  // namespace

TEST_CASE("ADL-07: runs re-expand to the pages that page-by-page iteration gives, for every kind of source") {
    u64 const seed = seed_of_run();
    guarded_buffer memory(600 * sizeof(usize));
    for (u64 round = 0; round < 6000 / slow_build_factor; ++round) {
        CAPTURE(round);
        seeded_numbers random(seed + round);
        u64 const count = random.one_in(4) ? random.below(600) : random.below(24);
        u64 const breaks[] = {1, 2, 5, 40, 100'000};
        std::vector<usize> const list = random_list(random, count, breaks[random.below(5)]);
        std::vector<u64> const expected(list.begin(), list.end());
        auto* const at_edge = reinterpret_cast<usize*>(memory.data()) + (600 - count);
        if (count != 0) {
            std::memcpy(at_edge, list.data(), count * sizeof(usize));
        }

        // A plain array, an address descriptor list, and an MDL.
        check_every_limit(adl::from_array(at_edge, count).get(), expected, random);
        mirror::v2_9::dxgk_adl scattered = scattered_adl(list);
        scattered.Pages = at_edge;
        check_every_limit(adl::from_adl(scattered).get(), expected, random);
        mirror::vista::mdl header{};
        header.ByteCount = static_cast<u32>(count * page_bytes);
        check_every_limit(adl::from_mdl(header, at_edge).get(), expected, random);

        // A contiguous list, and a base with a length.
        u64 const base = random.below((u64{1} << 52) - count + 1);
        std::vector<u64> rising;
        for (u64 i = 0; i < count; ++i) {
            rising.push_back(base + i);
        }
        check_every_limit(adl::from_range(page_number{base}, pages{count}).get(), rising, random);
        check_every_limit(adl::from_adl(contiguous_adl(static_cast<usize>(base), static_cast<u32>(count))).get(),
                          rising, random);

        // A part of a source is a source.
        u64 const first = random.below(count + 1);
        u64 const length = random.below(count - first + 1);
        std::vector<u64> const middle(expected.begin() + static_cast<i64>(first),
                                      expected.begin() + static_cast<i64>(first + length));
        check_every_limit(adl::window(adl::from_array(at_edge, count).get(), pages{first}, pages{length}).get(), middle,
                          random);
    }
}

TEST_CASE("ADL-07: a run is as long as it can be") {
    u64 const seed = seed_of_run();
    for (u64 round = 0; round < 4000 / slow_build_factor; ++round) {
        seeded_numbers random(seed ^ (round * 0x1'0001));
        std::vector<usize> const list = random_list(random, 1 + random.below(50), 1 + random.below(12));
        std::vector<u64> const pages_of_list(list.begin(), list.end());
        adl::source const from = adl::from_array(list.data(), list.size()).get();
        for (u64 at = 0; at < list.size(); ++at) {
            u64 const limit = 1 + random.below(20);
            CAPTURE(round);
            CAPTURE(at);
            CAPTURE(limit);
            adl::run const run = adl::walk(from, pages{at}).next_run(pages{limit});
            REQUIRE(run.first.n == list[at]);
            REQUIRE(run.length.n == obvious_run(pages_of_list, at, limit));
        }
    }
}

TEST_CASE("ADL-07: page 0 behind the largest page number is no neighbour") {
    usize const list[] = {~usize{0} - 1, ~usize{0}, 0, 1};
    adl::cursor const start = adl::walk(adl::from_array(list, 4).get());
    CHECK(start.next_run(pages{4}).length == pages{2});
    CHECK(start.advanced(pages{2}).next_run(pages{4}).length == pages{2});
}

TEST_CASE("OP00-10: a run never exceeds the limit, nor what is left") {
    adl::source const from = adl::from_range(page_number{50}, pages{10}).get();
    for (u64 at = 0; at <= 10; ++at) {
        for (u64 limit = 1; limit <= 12; ++limit) {
            adl::run const run = adl::walk(from, pages{at}).next_run(pages{limit});
            u64 const expected = limit < 10 - at ? limit : 10 - at;
            REQUIRE(run.length.n == expected);
            REQUIRE((expected == 0 || run.first.n == 50 + at));
        }
    }
}

TEST_CASE("ADL-07: a cursor is a value: a pass that is repeated sees the same pages") {
    usize const list[] = {3, 4, 9, 10, 11};
    adl::cursor const start = adl::walk(adl::from_array(list, 5).get(), pages{1});
    adl::cursor const later = start.advanced(pages{2});
    CHECK(start.page() == page_number{4});
    CHECK(later.page() == page_number{10});
    CHECK(start.next_run(pages{9}).first == page_number{4});
    CHECK(start.remaining() == pages{4});
    CHECK(later.remaining() == pages{2});
    CHECK(later.advanced(pages{2}).done());
    CHECK_FALSE(later.advanced(pages{1}).done());
}

TEST_CASE("ADL-08: a GPU page needs a full, aligned and consecutive group of system pages") {
    // 64-KiB pages: 16 system pages each.
    constexpr u32 lg2 = 4;
    std::vector<usize> list;
    for (usize i = 0; i < 64; ++i) {
        list.push_back(0x100 + i);
    }
    auto const at = [&list](u64 index) {
        return adl::walk(adl::from_array(list.data(), list.size()).get(), pages{index});
    };
    SUBCASE("full groups") {
        for (u64 index = 0; index < 64; ++index) {
            CAPTURE(index);
            CHECK(at(index).at_gpu_page(lg2) == (index % 16 == 0));
        }
        CHECK_FALSE(at(64).at_gpu_page(lg2));
    }
    SUBCASE("an incomplete last group") {
        list.pop_back();
        CHECK(at(32).at_gpu_page(lg2));
        CHECK_FALSE(at(48).at_gpu_page(lg2));
    }
    SUBCASE("each one of the sixteen pages matters") {
        for (usize broken = 16; broken < 32; ++broken) {
            CAPTURE(broken);
            usize const kept = list[broken];
            list[broken] += 0x1000;
            CHECK(at(0).at_gpu_page(lg2));
            CHECK_FALSE(at(16).at_gpu_page(lg2));
            CHECK(at(32).at_gpu_page(lg2));
            list[broken] = kept;
        }
    }
    SUBCASE("consecutive but not aligned") {
        for (usize& page : list) {
            page += 8;
        }
        CHECK_FALSE(at(0).at_gpu_page(lg2));
        CHECK(at(8).at_gpu_page(lg2));
    }
    SUBCASE("a 4-KiB page is a group of its own, wherever it lies") {
        list = {9, 3};
        CHECK(at(0).at_gpu_page(0));
        CHECK(at(1).at_gpu_page(0));
        CHECK_FALSE(at(2).at_gpu_page(0));
    }
}

TEST_CASE("ADL-06, ADL-07: a run of a list ends where a page number does not follow, at the limit, and before page 0") {
    usize const highest = ~usize{0};
    usize const list[] = {7, 8, 9, 9, 10, highest - 1, highest, 0, 1};
    // By hand: 7 8 9 | 9 10 | the two highest | 0 1.
    u64 const lengths[] = {3, 2, 1, 2, 1, 2, 1, 2, 1};
    for (u64 first = 0; first < 9; ++first) {
        CAPTURE(first);
        CHECK(adl::detail::run_length(list + first, 9 - first) == lengths[first]);
        CHECK(adl::detail::run_length(list + first, 1) == 1);
        CHECK((first == 0 || adl::detail::follows(list + first) == (lengths[first - 1] != 1)));
    }
    // A list that ends where memory ends: the number past the limit is not read.
    guarded_buffer memory(3 * sizeof(usize));
    usize* const at_edge = reinterpret_cast<usize*>(memory.data());
    at_edge[0] = 4;
    at_edge[1] = 5;
    at_edge[2] = 6;
    CHECK(adl::detail::run_length(at_edge, 3) == 3);
}

TEST_CASE("ADL-08: a contiguous list is grouped by its page numbers too") {
    adl::source const from = adl::from_range(page_number{0x1F8}, pages{0x418}).get();
    CHECK_FALSE(adl::walk(from).at_gpu_page(9));
    CHECK(adl::walk(from, pages{8}).at_gpu_page(9));
    CHECK(adl::walk(from, pages{8 + 0x200}).at_gpu_page(9));
    CHECK_FALSE(adl::walk(from, pages{8 + 0x400}).at_gpu_page(9));  // 16 pages of 512 are left
    CHECK(adl::walk(from, pages{8 + 0x400}).at_gpu_page(4));
    CHECK(adl::walk(adl::from_range(page_number{u64{1} << 18}, pages{u64{1} << 18}).get()).at_gpu_page(18));
    CHECK_FALSE(adl::walk(adl::from_range(page_number{u64{1} << 18}, pages{(u64{1} << 18) - 1}).get()).at_gpu_page(18));
}

TEST_CASE("ADL-09: at the end nothing is read and the run is empty") {
    auto* const guard = reinterpret_cast<usize const*>(alignof(usize));
    for (usize const* const list : {static_cast<usize const*>(nullptr), guard}) {
        adl::cursor const nothing = adl::walk(adl::source{list, 0, 0});
        CHECK(nothing.done());
        CHECK(nothing.remaining() == pages{0});
        CHECK(nothing.next_run(pages{1}).length == pages{0});
        CHECK(nothing.next_run(pages{~u64{0}}).length == pages{0});
        CHECK_FALSE(nothing.at_gpu_page(0));
        CHECK_FALSE(nothing.at_gpu_page(9));
    }
}

namespace {

constexpr usize literal_list[] = {4, 5, 6, 9};

constexpr u64 expanded_sum(pages limit) {
    u64 sum = 0;
    for (adl::cursor at = adl::walk(adl::from_array(literal_list, 4).get()); !at.done();) {
        adl::run const run = at.next_run(limit);
        for (u64 i = 0; i < run.length.n; ++i) {
            sum = sum * 10 + run.first.n + i;
        }
        at = at.advanced(run.length);
    }
    return sum;
}

// In constant evaluation a load outside the array is an error of the compiler.
static_assert(expanded_sum(pages{1}) == 4569 && expanded_sum(pages{2}) == 4569 && expanded_sum(pages{100}) == 4569);

}  // namespace

TEST_CASE("ADL-09: the empty run at the end begins nowhere") {
    usize const list[] = {5, 6};
    adl::cursor const at_end{adl::from_array(list, 2).get(), 2};
    CHECK(at_end.next_run(pages{4}).first == page_number{0});
    CHECK(at_end.next_run(pages{4}).length == pages{0});
}

}  // namespace cursor_test
