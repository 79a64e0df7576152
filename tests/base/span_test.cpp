// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/base/span.hpp>

#include "expect_both.hpp"

#include <doctest/doctest.h>

#include <type_traits>

namespace span_test {

namespace {

using namespace wddmcore;

constexpr usize largest = ~usize{0};

constexpr u32 words[] = {10, 11, 12, 13, 14};

// Three of the five: what lies on either side exists, so that only the span's own promises keep a reader out of it.
constexpr span<u32 const> middle{words + 1, 3};

constexpr bool is_part(span<u32 const> part, usize begin, usize count) {
    return part.data == words + begin && part.count == count && part.empty() == (count == 0) &&
           part.begin() == words + begin && part.end() == words + begin + count;
}

TEST_CASE("span: covers a whole array") {
    expect_both(is_part(span_of(words), 0, 5) && is_part(middle, 1, 3));
    expect_both(std::is_same_v<decltype(span_of(words)), span<u32 const>>);
    u16 writable[4]{};
    CHECK(span_of(writable).data == writable);
    CHECK(span_of(writable).count == 4);
    expect_both(std::is_same_v<decltype(span_of(writable)), span<u16>>);
}

TEST_CASE("span: every index gives its element") {
    expect_both(middle[0] == 11 && middle[1] == 12 && middle[2] == 13);
    u8 writable[] = {1, 2, 3};
    span_of(writable)[2] = 9;
    CHECK(writable[0] == 1);
    CHECK(writable[1] == 2);
    CHECK(writable[2] == 9);
}

TEST_CASE("span: first, last and sub name the elements that they say") {
    expect_both(is_part(middle.first(0), 1, 0) && is_part(middle.first(1), 1, 1) && is_part(middle.first(3), 1, 3));
    expect_both(is_part(middle.last(0), 4, 0) && is_part(middle.last(1), 3, 1) && is_part(middle.last(3), 1, 3));
    expect_both(is_part(middle.sub(0, 3), 1, 3) && is_part(middle.sub(1, 1), 2, 1) && is_part(middle.sub(1, 2), 2, 2));
    expect_both(is_part(middle.sub(3, 0), 4, 0) && is_part(middle.sub(0, 0), 1, 0));
}

TEST_CASE("span: an empty one has neither element nor address") {
    constexpr span<u32> nothing{nullptr, 0};
    expect_both(nothing.empty() && nothing.begin() == nothing.end() && nothing.first(0).empty());
    expect_both(nothing.last(0).data == nullptr && nothing.sub(0, 0).empty() && !middle.empty());
}

constexpr u32 sum(span<u32 const> numbers) {
    u32 total = 0;
    for (u32 const n : numbers) {
        total += n;
    }
    return total;
}

TEST_CASE("span: a range-for visits each element once") {
    expect_both(sum(span_of(words)) == 60 && sum(middle) == 36 && sum(middle.first(0)) == 0);
}

TEST_CASE("span: is an aggregate of 16 bytes at most, for return in registers") {
    expect_both(std::is_aggregate_v<span<u32>> && std::is_trivially_copyable_v<span<u32>>);
    expect_both(sizeof(span<u32>) == 2 * sizeof(void*));
}

template <usize Index>
concept indexable = requires { typename meta::constant<middle[Index]>; };
template <usize N>
concept has_first = requires { typename meta::constant<middle.first(N).count>; };
template <usize N>
concept has_last = requires { typename meta::constant<middle.last(N).count>; };
template <usize From, usize N>
concept has_sub = requires { typename meta::constant<middle.sub(From, N).count>; };

TEST_CASE("span: leaving it is no constant expression") {
    expect_both(indexable<0> && indexable<2> && !indexable<3> && !indexable<largest>);
    expect_both(has_first<0> && has_first<3> && !has_first<4> && !has_first<largest>);
    expect_both(has_last<0> && has_last<3> && !has_last<4> && !has_last<largest>);
    expect_both(has_sub<0, 3> && has_sub<3, 0> && has_sub<1, 2>);
    expect_both(!has_sub<0, 4> && !has_sub<1, 3> && !has_sub<4, 0> && !has_sub<3, 1>);
    expect_both(!has_sub<1, largest> && !has_sub<largest, 1> && !has_sub<largest, 2>);
}

}  // namespace

}  // namespace span_test
