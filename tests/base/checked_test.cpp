// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "boundary_values.hpp"
#include "expect_both.hpp"

#include <doctest/doctest.h>

#include <type_traits>

namespace checked_test {

namespace {

using namespace base_test;

// Per width: the largest number, the one below it, the largest power of two, and 0 to 3 as numbers of that width.
template <class T>
struct of_width {
    static constexpr T top = largest_of<T>;
    static constexpr T below = static_cast<T>(top - 1);
    static constexpr T half = static_cast<T>(u64{1} << (bits_of<T> - 1));
    static constexpr T zero{0}, one{1}, two{2}, three{3};
};

template <class T>
constexpr checked<T> good_number(T value) {
    return {value, true};
}

TEST_CASE_TEMPLATE("checked_add: refuses exactly the sums beyond the largest number", T, u8, u16, u32, u64, usize) {
    using n = of_width<T>;
    expect_both(checked_add(n::zero, n::zero) == good_number(n::zero));
    expect_both(checked_add(n::two, n::one) == good_number(n::three));
    expect_both(checked_add(n::top, n::zero) == good_number(n::top));
    expect_both(checked_add(n::zero, n::top) == good_number(n::top));
    expect_both(checked_add(n::below, n::one) == good_number(n::top));
    expect_both(checked_add(n::half, static_cast<T>(n::half - 1)) == good_number(n::top));
    expect_both(!checked_add(n::top, n::one).ok);
    expect_both(!checked_add(n::one, n::top).ok);
    expect_both(!checked_add(n::half, n::half).ok);
    expect_both(!checked_add(n::top, n::top).ok);
    expect_both(!checked_add(n::below, n::two).ok);
}

TEST_CASE_TEMPLATE("checked_multiply: refuses exactly the products beyond the largest number", T, u8, u16, u32, u64,
                   usize) {
    using n = of_width<T>;
    constexpr T root = static_cast<T>(u64{1} << (bits_of<T> / 2));
    expect_both(checked_multiply(n::zero, n::zero) == good_number(n::zero));
    expect_both(checked_multiply(n::zero, n::top) == good_number(n::zero));
    expect_both(checked_multiply(n::top, n::zero) == good_number(n::zero));
    expect_both(checked_multiply(n::one, n::top) == good_number(n::top));
    expect_both(checked_multiply(n::top, n::one) == good_number(n::top));
    expect_both(checked_multiply(static_cast<T>(n::half - 1), n::two) == good_number(n::below));
    expect_both(checked_multiply(static_cast<T>(root - 1), static_cast<T>(root + 1)) == good_number(n::top));
    expect_both(!checked_multiply(root, root).ok);
    expect_both(!checked_multiply(n::half, n::two).ok);
    expect_both(!checked_multiply(n::two, n::half).ok);
    expect_both(!checked_multiply(n::top, n::two).ok);
    expect_both(!checked_multiply(n::top, n::top).ok);
}

TEST_CASE_TEMPLATE("checked: a value and whether it fits", T, u8, u16, u32, u64, usize) {
    expect_both(checked<T>{1, true} == checked<T>{1, true});
    expect_both(checked<T>{1, true} != checked<T>{2, true});
    expect_both(checked<T>{1, true} != checked<T>{1, false});
    expect_both(std::is_aggregate_v<checked<T>> && std::is_trivially_copyable_v<checked<T>>);
    expect_both(sizeof(checked<T>) == 2 * sizeof(T));
    expect_both(std::is_same_v<decltype(checked_add(T{1}, T{1})), checked<T>>);
    expect_both(std::is_same_v<decltype(divide_up(T{1}, T{1})), T>);
}

TEST_CASE_TEMPLATE("is_power_of_two, log2_of: every power and its neighbours", T, u8, u16, u32, u64, usize) {
    using n = of_width<T>;
    expect_both(!is_power_of_two(n::zero) && is_power_of_two(n::one) && is_power_of_two(n::two));
    expect_both(!is_power_of_two(n::three) && is_power_of_two(n::half));
    expect_both(!is_power_of_two(n::top) && !is_power_of_two(n::below));
    expect_both(log2_of(n::one) == 0 && log2_of(n::two) == 1 && log2_of(n::half) == bits_of<T> - 1);
    for (u32 bit = 0; bit < bits_of<T>; ++bit) {
        T const power = static_cast<T>(u64{1} << bit);
        CHECK(is_power_of_two(power));
        CHECK(log2_of(power) == bit);
        CHECK(is_power_of_two(static_cast<T>(power - 1)) == (bit == 1));
        CHECK(is_power_of_two(static_cast<T>(power + 1)) == (bit == 0));
    }
}

TEST_CASE_TEMPLATE("is_multiple, round_down, divide_up: at the ends of the width", T, u8, u16, u32, u64, usize) {
    using n = of_width<T>;
    expect_both(is_multiple(n::zero, n::top) && is_multiple(n::top, n::one) && is_multiple(n::top, n::top));
    expect_both(!is_multiple(n::top, n::two) && !is_multiple(n::one, n::top) && !is_multiple(n::below, n::top));
    expect_both(round_down(n::zero, n::top) == 0 && round_down(n::top, n::one) == n::top);
    expect_both(round_down(n::top, n::top) == n::top && round_down(n::below, n::top) == 0);
    expect_both(round_down(n::top, n::half) == n::half && round_down(n::top, n::two) == n::below);
    expect_both(divide_up(n::zero, n::one) == 0 && divide_up(n::zero, n::top) == 0);
    expect_both(divide_up(n::top, n::one) == n::top && divide_up(n::top, n::top) == 1);
    expect_both(divide_up(n::one, n::top) == 1 && divide_up(n::top, n::two) == n::half);
    expect_both(divide_up(n::top, n::below) == 2);
}

TEST_CASE_TEMPLATE("round_up: refuses exactly the multiples beyond the largest number", T, u8, u16, u32, u64, usize) {
    using n = of_width<T>;
    expect_both(round_up(n::zero, n::one) == good_number(n::zero));
    expect_both(round_up(n::zero, n::top) == good_number(n::zero));
    expect_both(round_up(n::one, n::top) == good_number(n::top));
    expect_both(round_up(n::one, n::half) == good_number(n::half));
    expect_both(round_up(n::half, n::half) == good_number(n::half));
    expect_both(round_up(n::top, n::top) == good_number(n::top));
    expect_both(round_up(n::top, n::one) == good_number(n::top));
    expect_both(round_up(n::three, n::two) == good_number(T{4}));
    expect_both(!round_up(n::top, n::two).ok);
    expect_both(!round_up(n::top, n::half).ok);
    expect_both(!round_up(static_cast<T>(n::half + 1), n::half).ok);
    expect_both(!round_up(n::top, n::below).ok);
}

TEST_CASE_TEMPLATE("fits: a range inside [0, limit)", T, u8, u16, u32, u64, usize) {
    using n = of_width<T>;
    expect_both(fits(n::zero, n::zero, n::zero) && fits(n::zero, n::top, n::top) && fits(n::top, n::zero, n::top));
    expect_both(fits(n::below, n::one, n::top) && !fits(n::below, n::two, n::top));
    expect_both(!fits(n::one, n::zero, n::zero) && !fits(n::zero, n::one, n::zero) && !fits(n::top, n::zero, n::below));
    expect_both(!fits(n::one, n::top, n::top) && !fits(n::top, n::one, n::top) && !fits(n::top, n::top, n::top));
    expect_both(fits(n::half, static_cast<T>(n::half - 1), n::top) && !fits(n::half, n::half, n::top));
}

TEST_CASE_TEMPLATE("range_contains: a range inside [base, base + size)", T, u8, u16, u32, u64, usize) {
    using n = of_width<T>;
    expect_both(range_contains(n::two, n::two, n::two, n::two) && range_contains(n::two, n::two, n::three, n::one));
    expect_both(!range_contains(n::two, n::two, n::one, n::one) && !range_contains(n::two, n::two, n::two, n::three));
    expect_both(range_contains(n::two, n::two, T{4}, n::zero) && !range_contains(n::two, n::two, T{5}, n::zero));
    expect_both(!range_contains(n::two, n::two, n::one, n::zero));
    // The container may end exactly at the end of the width, or nominally beyond it.
    expect_both(range_contains(n::top, n::one, n::top, n::one) && range_contains(n::top, n::two, n::top, n::two));
    expect_both(!range_contains(n::top, n::one, n::zero, n::one) && !range_contains(n::top, n::two, n::zero, n::one));
    expect_both(!range_contains(n::zero, n::top, n::top, n::one) && range_contains(n::zero, n::top, n::below, n::one));
}

TEST_CASE_TEMPLATE("ranges_overlap: ranges that share a number", T, u8, u16, u32, u64, usize) {
    using n = of_width<T>;
    expect_both(ranges_overlap(n::one, n::one, n::one, n::one) && !ranges_overlap(n::one, n::one, n::two, n::one));
    expect_both(ranges_overlap(n::one, n::two, n::two, n::one) && ranges_overlap(n::two, n::one, n::one, n::two));
    expect_both(!ranges_overlap(n::two, n::one, n::one, n::one));
    expect_both(!ranges_overlap(n::one, n::zero, n::one, n::two) &&
                !ranges_overlap(n::zero, n::three, n::one, n::zero));
    expect_both(!ranges_overlap(n::one, n::zero, n::zero, n::three) &&
                !ranges_overlap(n::top, n::zero, n::top, n::zero));
    // A sum that wrapped would see the first number in a range that ends at the last one.
    expect_both(!ranges_overlap(n::top, n::two, n::zero, n::one) && !ranges_overlap(n::zero, n::one, n::top, n::two));
    expect_both(ranges_overlap(n::zero, n::top, n::below, n::one) && !ranges_overlap(n::zero, n::top, n::top, n::one));
    expect_both(ranges_overlap(n::top, n::top, n::below, n::two));
}

TEST_CASE_TEMPLATE("lesser, greater: of two", T, u8, u16, u32, u64, usize, i32, i64) {
    expect_both(lesser(T{1}, T{2}) == 1 && lesser(T{2}, T{1}) == 1 && lesser(T{2}, T{2}) == 2);
    expect_both(greater(T{1}, T{2}) == 2 && greater(T{2}, T{1}) == 2 && greater(T{2}, T{2}) == 2);
    expect_both(std::is_same_v<decltype(lesser(T{}, T{})), T> && std::is_same_v<decltype(greater(T{}, T{})), T>);
}

TEST_CASE("lesser, greater: need no more than an order") {
    expect_both(lesser(bytes{2}, bytes{1}) == bytes{1} && greater(pages{2}, pages{3}) == pages{3});
}

template <class... Arguments>
concept addable = requires(Arguments... arguments) { wddmcore::checked_add(arguments...); };
template <class T>
concept aligns = requires(T n) { wddmcore::round_up(n, n); };

TEST_CASE("checked arithmetic takes unsigned integers of one width only") {
    expect_both(addable<u32, u32> && addable<usize, usize>);
    expect_both(!addable<i32, i32> && !addable<bool, bool> && !addable<double, double> && !addable<u32, u64>);
    expect_both(!addable<bytes, bytes> && aligns<u64> && !aligns<i64> && !aligns<bytes>);
}

}  // namespace

}  // namespace checked_test
