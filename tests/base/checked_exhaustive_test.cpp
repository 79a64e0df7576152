// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "exhaustive.hpp"

#include <doctest/doctest.h>

namespace checked_exhaustive_test {

// Covered in an optimised build: two arguments, all 2^32 pairs of u16; three, all 2^24 triples of u8; four, all 2^32
// quadruples of u8; about 20 s on one core. One body serves every width; checked_model_test.cpp holds the wider
// instances against arithmetic twice as wide at their boundaries.
namespace {

using namespace base_test;

constexpr u32 numbers = values_of<u16>;

/// Judges a checked result that must be good, or must be refused (its value then means nothing).
constexpr u32 not_good(checked<u16> answer, u32 expected) {
    return differs(answer.value, expected) | differs(answer.ok, 1);
}
constexpr u32 not_refused(checked<u16> answer) { return differs(answer.ok, 0); }

/// The answers of the rounding functions for one n: all four follow from the two multiples around it.
struct rounded {
    u32 down;
    u32 up;
    u32 quotient_up;
};

constexpr u32 not_rounded(u16 n, u16 unit, rounded expected) {
    u32 const exact = expected.down == expected.up;
    return differs(round_down<u16>(n, unit), expected.down) | differs(divide_up<u16>(n, unit), expected.quotient_up) |
           differs(is_multiple<u16>(n, unit), exact);
}

constexpr u32 first_failure(u32 a, u32 b) { return a != nowhere ? a : b; }

TEST_CASE("sweeps: an optimised build takes every row, any other those of the boundary values") {
    CHECK(row_values<u16>().size() == (every_row ? 65536 : boundary_values<u16>().size()));
    CHECK(row_values<u8>().size() == (every_row ? 256 : boundary_values<u8>().size()));
    CHECK(boundary_values<u8>().size() > 3 * 8);
    CHECK(boundary_values<u16>().size() > 3 * 16);
}

TEST_CASE("checked_add: every pair of 16-bit numbers") {
    auto const row = [](u16 a) {
        u32 const cut = numbers - a;
        auto const good = [a](u16 b) { return not_good(checked_add<u16>(a, b), u32{a} + b); };
        auto const refused = [a](u16 b) { return not_refused(checked_add<u16>(a, b)); };
        return first_failure(first_difference<u16>(0, cut, good), first_difference<u16>(cut, numbers, refused));
    };
    CHECK(sweep_pairs<u16>(row) == no_failure);
}

TEST_CASE("checked_multiply: every pair of 16-bit numbers") {
    auto const row = [](u16 a) {
        u32 cut = 0;
        for (u64 product = 0; product < numbers && cut < numbers; product += a) {
            ++cut;
        }
        auto const good = [a](u16 b) { return not_good(checked_multiply<u16>(a, b), u32{a} * b); };
        auto const refused = [a](u16 b) { return not_refused(checked_multiply<u16>(a, b)); };
        return first_failure(first_difference<u16>(0, cut, good), first_difference<u16>(cut, numbers, refused));
    };
    CHECK(sweep_pairs<u16>(row) == no_failure);
}

TEST_CASE("round_down, round_up, divide_up, is_multiple: every pair of 16-bit numbers") {
    auto const row = [](u16 unit) {
        u32 failure = nowhere;
        u32 count = 0;
        for (u32 down = 0; unit != 0 && down < numbers && failure == nowhere; down += unit, ++count) {
            u32 const up = down + unit;
            auto const exact = [=](u16 n) {
                return not_rounded(n, unit, {down, down, count}) | not_good(round_up<u16>(n, unit), down);
            };
            auto const good = [=](u16 n) {
                return not_rounded(n, unit, {down, up, count + 1}) | not_good(round_up<u16>(n, unit), up);
            };
            auto const refused = [=](u16 n) {
                return not_rounded(n, unit, {down, up, count + 1}) | not_refused(round_up<u16>(n, unit));
            };
            failure = first_failure(first_difference<u16>(down, down + 1, exact),
                                    up < numbers ? first_difference<u16>(down + 1, up, good)
                                                 : first_difference<u16>(down + 1, numbers, refused));
        }
        return failure;
    };
    CHECK(sweep_pairs<u16>(row) == no_failure);
}

/// Judges a yes-or-no function over a row: yes within [first, end), no elsewhere.
template <class Function>
u32 first_difference_from_range(i64 first, i64 end, Function function) {
    auto const clamp = [](i64 n) { return static_cast<u32>(std::clamp<i64>(n, 0, values_of<u8>)); };
    u32 const from = clamp(first);
    u32 const to = std::max(clamp(end), from);
    auto const yes = [function](u8 n) { return differs(function(n), 1); };
    auto const no = [function](u8 n) { return differs(function(n), 0); };
    return first_failure(first_difference<u8>(0, from, no), first_failure(first_difference<u8>(from, to, yes),
                                                                          first_difference<u8>(to, values_of<u8>, no)));
}

TEST_CASE("fits: every triple of 8-bit numbers") {
    auto const row = [](u8 begin, u8 limit) {
        return first_difference_from_range(0, i64{limit} - begin + 1,
                                           [=](u8 length) { return fits<u8>(begin, length, limit); });
    };
    CHECK(sweep_triples<u8>(row) == no_failure);
}

TEST_CASE("range_contains: every quadruple of 8-bit numbers") {
    auto const row = [](u8 base, u8 size, u8 begin) {
        i64 const room = begin < base ? -1 : i64{base} + size - begin;
        return first_difference_from_range(0, room + 1,
                                           [=](u8 length) { return range_contains<u8>(base, size, begin, length); });
    };
    CHECK(sweep_quadruples<u8>(row) == no_failure);
}

TEST_CASE("ranges_overlap: every quadruple of 8-bit numbers") {
    auto const row = [](u8 a, u8 a_length, u8 b) {
        // The shortest length with which the second range reaches into the first, unless it begins behind it.
        i64 const shortest = std::max<i64>(i64{a} - b + 1, 1);
        bool const reachable = a_length != 0 && i64{b} < i64{a} + a_length;
        return first_difference_from_range(shortest, reachable ? i64{values_of<u8>} : 0,
                                           [=](u8 b_length) { return ranges_overlap<u8>(a, a_length, b, b_length); });
    };
    CHECK(sweep_quadruples<u8>(row) == no_failure);
}

TEST_CASE("is_power_of_two, log2_of: every 16-bit number") {
    std::vector<u32> logarithm(numbers, nowhere);
    for (u32 log2 = 0; log2 < 16; ++log2) {
        logarithm[u32{1} << log2] = log2;
    }
    u32 powers = 0;
    for (u32 n = 0; n < numbers; ++n) {
        bool const is_power = logarithm[n] != nowhere;
        REQUIRE(is_power_of_two(static_cast<u16>(n)) == is_power);
        if (is_power) {
            REQUIRE(log2_of(static_cast<u16>(n)) == logarithm[n]);
            ++powers;
        }
    }
    CHECK(powers == 16);
}

TEST_CASE("lesser, greater: every pair of 8-bit numbers") {
    for (u32 a = 0; a < values_of<u8>; ++a) {
        for (u32 b = 0; b < values_of<u8>; ++b) {
            REQUIRE(lesser(static_cast<u8>(a), static_cast<u8>(b)) == std::min(a, b));
            REQUIRE(greater(static_cast<u8>(a), static_cast<u8>(b)) == std::max(a, b));
        }
    }
}

}  // namespace

}  // namespace checked_exhaustive_test
