// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "boundary_values.hpp"

#include <doctest/doctest.h>

namespace checked_model_test {

// The wide instances against arithmetic twice as wide. Two arguments: every pair of boundary values (each power of two,
// its neighbours and their mirror images; about 390 values of 64 bits). Three and four arguments: every combination of
// the corner values. The 64-bit instances are left out where the compiler has no 128-bit integer.
namespace {

using namespace base_test;

/// Counts the pairs for which a predicate fails, and says the first.
template <class T, class Predicate>
u32 failing_pairs(Predicate holds) {
    u32 failures = 0;
    for (T const a : boundary_values<T>()) {
        for (T const b : boundary_values<T>()) {
            if (!holds(a, b) && failures++ == 0) {
                MESSAGE("first failing pair: " << u64{a} << ", " << u64{b});
            }
        }
    }
    return failures;
}

/// Whether a checked result says what the model says: the value where it fits, a refusal elsewhere.
template <class T>
bool agrees(checked<T> answer, wide<T> model, bool representable = true) {
    bool const fit = representable && model <= largest_of<T>;
    return answer.ok == fit && (!fit || answer.value == model);
}

TEST_CASE_TEMPLATE("checked_add, checked_multiply: as twice as wide", T, base_test_widths) {
    using w = wide<T>;
    auto const adds = [](T a, T b) { return agrees(checked_add(a, b), static_cast<w>(w{a} + w{b})); };
    auto const multiplies = [](T a, T b) { return agrees(checked_multiply(a, b), static_cast<w>(w{a} * w{b})); };
    CHECK(failing_pairs<T>(adds) == 0);
    CHECK(failing_pairs<T>(multiplies) == 0);
}

TEST_CASE_TEMPLATE("round_down, round_up, divide_up, is_multiple: as twice as wide", T, base_test_widths) {
    using w = wide<T>;
    auto const rounds = [](T n, T unit) {
        if (unit == 0) {
            return true;
        }
        // The model only multiplies: the quotient is what it says when its multiple and the next enclose n.
        w const quotient = n / unit;
        w const down = quotient * unit;
        bool const enclosed = down <= n && n < down + unit;
        bool const exact = down == n;
        w const up = exact ? down : down + unit;
        return enclosed && round_down(n, unit) == down && is_multiple(n, unit) == exact &&
               divide_up(n, unit) == quotient + (exact ? 0u : 1u) && agrees(round_up(n, unit), up);
    };
    CHECK(failing_pairs<T>(rounds) == 0);
}

TEST_CASE_TEMPLATE("lesser, greater: are the two arguments in order", T, base_test_widths) {
    auto const orders = [](T a, T b) {
        bool const same = (lesser(a, b) == a && greater(a, b) == b) || (lesser(a, b) == b && greater(a, b) == a);
        return same && lesser(a, b) <= greater(a, b);
    };
    CHECK(failing_pairs<T>(orders) == 0);
}

TEST_CASE_TEMPLATE("fits, range_contains, ranges_overlap: as twice as wide", T, base_test_widths) {
    using w = wide<T>;
    auto const values = corner_values<T>();
    u32 contained = 0;
    u32 overlapping = 0;
    u32 failures = 0;
    for (T const a : values) {
        for (T const a_length : values) {
            for (T const b : values) {
                failures += fits(a, a_length, b) != (w{a} + w{a_length} <= w{b});
                for (T const b_length : values) {
                    w const a_end = w{a} + w{a_length};
                    w const b_end = w{b} + w{b_length};
                    bool const inside = a <= b && b_end <= a_end;
                    bool const shared = std::max<w>(a, b) < std::min<w>(a_end, b_end);
                    failures += range_contains(a, a_length, b, b_length) != inside;
                    failures += ranges_overlap(a, a_length, b, b_length) != shared;
                    contained += inside;
                    overlapping += shared;
                }
            }
        }
    }
    CHECK(failures == 0);
    // Without both answers among the combinations the test above would show nothing.
    CHECK(contained > 0);
    CHECK(overlapping > 0);
}

}  // namespace

}  // namespace checked_model_test
