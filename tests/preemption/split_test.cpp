// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "patch_lists.hpp"

#include <wddmcore/preemption/buffers/split.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>

#include "../base/expect_both.hpp"
#include "../slow_build.hpp"

namespace split_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::preemption;

namespace {

constexpr u32 dma_bytes = 0x1000;

/// Split points at 0x100 (two elements), 0x400 and 0x800; two elements are needed from the start.
constexpr element list[] = {
    element_of(1, 0, 0, 0x000, 0x000), element_of(2, 1, 0, 0x010, 0x000), element_of(1, 0, 0, 0x100, 0x100),
    element_of(3, 1, 0, 0x110, 0x100), element_of(1, 0, 0, 0x480, 0x400), element_of(0, 1, 0, 0xFF0, 0x800),
};
constexpr span<element const> whole = span_of(list);

constexpr u32 portions_of(span<element const> of, u32 bytes, portion* found) {
    u32 count = 0;
    for (portion_cursor<element> cursor{of, bytes}; cursor.more();) {
        found[count++] = cursor.next();
    }
    return count;
}

constexpr bool divides_as_expected() {
    portion found[8] = {};
    constexpr portion expected[] = {
        {{0x000, 0x100}, 0, 2}, {{0x100, 0x400}, 2, 2}, {{0x400, 0x800}, 4, 1}, {{0x800, 0x1000}, 5, 1}};
    bool same = portions_of(whole, dma_bytes, found) == 4;
    for (u32 i = 0; i < 4; ++i) {
        same = same && found[i] == expected[i];
    }
    return same;
}

std::mt19937_64 seeded() {
    char const* const given = std::getenv("WDDMCORE_SEED");
    std::uint64_t const seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 20'261'122;
    MESSAGE("WDDMCORE_SEED=" << seed);
    return std::mt19937_64(seed);
}

}  // namespace

TEST_CASE("SPL-02: a buffer divides at every distinct split offset, and elements of one offset stay together") {
    expect_both(divides_as_expected());
}

TEST_CASE("SPL-02: the next split point lies past the last, and the buffer's end is one") {
    expect_both(next_split_point(whole, 0, dma_bytes) == 0x100);
    expect_both(next_split_point(whole, 0xFF, dma_bytes) == 0x100);
    expect_both(next_split_point(whole, 0x100, dma_bytes) == 0x400);
    expect_both(next_split_point(whole, 0x800, dma_bytes) == dma_bytes);
    expect_both(next_split_point(whole, 0, 0x80) == 0x80);  // never past the end
    expect_both(next_split_point(span<element const>{nullptr, 0}, 0, dma_bytes) == dma_bytes);
}

TEST_CASE("AMB-16: equal offsets are one split point, and falling ones a defect") {
    constexpr element falling[] = {element_of(0, 0, 0, 0x100, 0x100), element_of(0, 0, 0, 0x120, 0x0FF)};
    constexpr element equal[] = {element_of(0, 0, 0, 0x100, 0x100), element_of(0, 0, 0, 0x120, 0x100)};
    constexpr entry nothing[] = {entry_of(nullptr, 0, 0)};
    constexpr patch_rules rules{.slots = 2};
    expect_both(judge_patch_list(span_of(falling), span_of(nothing), dma_bytes, rules) ==
                patch_answer{patch_defect::order, 1});
    expect_both(judge_patch_list(span_of(equal), span_of(nothing), dma_bytes, rules) == nothing_wrong);
}

TEST_CASE("SPL-02: no list is one portion, and an empty buffer none") {
    portion found[8] = {};
    CHECK(portions_of({nullptr, 0}, 64, found) == 1);
    CHECK(found[0] == portion{{0, 64}, 0, 0});
    CHECK(portions_of({nullptr, 0}, 0, found) == 0);
}

TEST_CASE("SPL-02: elements at the buffer's end belong to the last portion") {
    constexpr element at_end[] = {element_of(0, 0, 0, 0x10, 0x10), element_of(0, 1, 0, 0x40, 0x40)};
    portion found[8] = {};
    CHECK(portions_of(span_of(at_end), 0x40, found) == 2);
    CHECK(found[1] == portion{{0x10, 0x40}, 0, 2});
    CHECK(portion_of(span_of(at_end), 0x40, {0x10, 0x40}).get() == portion{{0x10, 0x40}, 0, 2});
}

TEST_CASE("SPL-07: a window names the elements between its ends, which are split points") {
    expect_both(portion_of(whole, dma_bytes, {0, dma_bytes}).get() == portion{{0, dma_bytes}, 0, 6});
    expect_both(portion_of(whole, dma_bytes, {0x100, 0x800}).get() == portion{{0x100, 0x800}, 2, 3});
    expect_both(portion_of(whole, dma_bytes, {0, 0}).get() == portion{{0, 0}, 0, 0});  // zero-length, CTX-05
    expect_both(portion_of(whole, dma_bytes, {0x100, 0x900}).error == errc::inconsistent);
    expect_both(portion_of(whole, dma_bytes, {0x80, 0x400}).error == errc::inconsistent);
    expect_both(portion_of(whole, dma_bytes, {0x400, 0x100}).error == errc::out_of_range);
    expect_both(portion_of(whole, dma_bytes, {0x800, dma_bytes + 1}).error == errc::out_of_range);
}

TEST_CASE(
    "CTX-05: a zero-length window at either end of a buffer, or at a split point, is a portion without elements") {
    constexpr element unbinds_last[] = {element_of(0, 0, 0, 0x10, 0x10), element_of(0, 1, 0, 0x40, 0x40)};
    struct {
        span<element const> list;
        u32 bytes;
    } const buffers[] = {{whole, dma_bytes}, {span_of(unbinds_last), 0x40}, {{nullptr, 0}, 64}, {{nullptr, 0}, 0}};
    for (auto const& buffer : buffers) {
        CAPTURE(buffer.bytes);
        for (u32 const at : {0u, buffer.bytes}) {
            packet_window const window{at, at};
            CHECK(window_is_legal(window, buffer.bytes));
            auto const answer = portion_of(buffer.list, buffer.bytes, window);
            REQUIRE(answer.ok());
            CHECK(answer.get().window == window);
            CHECK(answer.get().element_count == 0);
        }
        CHECK(portion_of(buffer.list, buffer.bytes, {buffer.bytes + 1, buffer.bytes + 1}).error == errc::out_of_range);
    }
    expect_both(portion_of(whole, dma_bytes, {0x400, 0x400}).get() == portion{{0x400, 0x400}, 4, 0});
    expect_both(portion_of(whole, dma_bytes, {dma_bytes, dma_bytes}).get() == portion{{dma_bytes, dma_bytes}, 6, 0});
    expect_both(portion_of(whole, dma_bytes, {0x80, 0x80}).error == errc::inconsistent);
    // Every window that a split can make is legal, and no other place is a split's.
    for (u32 at = 0; at <= 0x40; ++at) {
        bool const split = at == 0 || at == 0x10 || at == 0x40;
        CHECK(portion_of(span_of(unbinds_last), 0x40, {at, at}).ok() == split);
    }
}

TEST_CASE("SPL-12: random lists: portions follow each other, cover all bytes and all elements once") {
    std::mt19937_64 random = seeded();
    for (int round = 0; round < (slow_build ? 2'000 : 20'000); ++round) {
        u32 const bytes = static_cast<u32>(random() % 64) * 4;
        std::vector<element> elements;
        std::set<u32> points;
        u32 split = 0;
        for (u64 n = random() % 10; n != 0; --n) {
            split += static_cast<u32>(random() % 3) * 4 * static_cast<u32>(random() % 4);
            if (split <= bytes) {
                elements.push_back(element_of(0, 0, 0, split, split));
                points.insert(split);
            }
        }
        points.insert(bytes);
        points.erase(0);
        span<element const> const view{elements.data(), elements.size()};
        portion_cursor<element> cursor{view, bytes};
        u32 at = 0;
        u32 next_element = 0;
        CAPTURE(round);
        while (cursor.more()) {
            portion const one = cursor.next();
            REQUIRE(one.window.start == at);
            REQUIRE(one.window.end == *points.upper_bound(at));
            REQUIRE(one.first_element == next_element);
            REQUIRE(portion_of(view, bytes, one.window).get() == one);
            at = one.window.end;
            next_element += one.element_count;
        }
        REQUIRE(at == bytes);
        if (bytes != 0) {
            REQUIRE(next_element == elements.size());
        }
    }
}

TEST_CASE("LDA-05: a part of a buffer that several adapters read is not changed at submission") {
    expect_both(!may_modify_at_submission({0, 0x800}, 0x1000, 2));
    expect_both(!may_modify_at_submission({0x800, 0x1000}, 0x1000, 4));
    expect_both(may_modify_at_submission({0x800, 0x1000}, 0x1000, 1));
    expect_both(may_modify_at_submission({0, 0x1000}, 0x1000, 4));
}

}  // namespace split_test
