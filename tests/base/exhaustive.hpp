// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../slow_build.hpp"
#include "boundary_values.hpp"

#include <string>

/// Sweeps over every argument of a narrow instance.
///
/// A sweep is cut into rows: all arguments but one are fixed, the last takes every value. Within a row the model says,
/// in arithmetic too wide to wrap, where the answer changes; between two such places the expectation is one constant or
/// one sum. That keeps the models obvious, and 2^32 calls within seconds.
///
/// An optimised build without sanitizers takes every row. Any other build takes the rows whose fixed arguments are
/// boundary values, still with every value of the last argument.
namespace base_test {

#if defined(__OPTIMIZE__)
inline constexpr bool every_row = !slow_build;
#else
inline constexpr bool every_row = false;
#endif

/// How many values T has.
template <class T>
inline constexpr u32 values_of = u32{1} << bits_of<T>;

/// The fixed arguments of the rows that this build takes.
template <class T>
std::vector<T> row_values() {
    if constexpr (!every_row) {
        return boundary_values<T>();
    }
    std::vector<T> values;
    for (u32 n = 0; n < values_of<T>; ++n) {
        values.push_back(static_cast<T>(n));
    }
    return values;
}

/// 0 when the two are equal. Differences are or-ed together: a branch for each would double the time of a sweep.
constexpr u32 differs(u32 actual, u32 expected) { return actual ^ expected; }

inline constexpr u32 nowhere = ~u32{0};

/// The first n of [first, end) whose difference is not 0, or `nowhere`.
template <class T, class Difference>
u32 first_difference(u32 first, u32 end, Difference difference) {
    u32 any = 0;
    for (u32 n = first; n < end; ++n) {
        any |= difference(static_cast<T>(n));
    }
    if (any == 0) {
        return nowhere;
    }
    u32 n = first;
    while (difference(static_cast<T>(n)) == 0) {
        ++n;
    }
    return n;
}

inline std::string const no_failure = "no failing argument";

/// Runs `row(a)`, which gives the failing last argument or `nowhere`, for every row.
template <class T, class Row>
std::string sweep_pairs(Row row) {
    for (T const a : row_values<T>()) {
        if (u32 const b = row(a); b != nowhere) {
            return "fixed " + std::to_string(a) + ", last " + std::to_string(b);
        }
    }
    return no_failure;
}

/// As sweep_pairs, for functions of three arguments.
template <class T, class Row>
std::string sweep_triples(Row row) {
    for (T const a : row_values<T>()) {
        auto const failure = sweep_pairs<T>([row, a](T b) { return row(a, b); });
        if (failure != no_failure) {
            return "fixed " + std::to_string(a) + ", " + failure;
        }
    }
    return no_failure;
}

/// As sweep_pairs, for functions of four arguments.
template <class T, class Row>
std::string sweep_quadruples(Row row) {
    for (T const a : row_values<T>()) {
        auto const failure = sweep_triples<T>([row, a](T b, T c) { return row(a, b, c); });
        if (failure != no_failure) {
            return "fixed " + std::to_string(a) + ", " + failure;
        }
    }
    return no_failure;
}

}  // namespace base_test
