// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base.hpp>

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace base_test {

using namespace wddmcore;

template <class T>
inline constexpr T largest_of = static_cast<T>(~T{0});

template <class T>
inline constexpr u32 bits_of = sizeof(T) * 8;

template <class T>
std::vector<T> sorted_once(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

/// Every power of two, the numbers beside it, and the mirror image of all these from the largest number down.
template <class T>
std::vector<T> boundary_values() {
    std::vector<T> values;
    for (u32 bit = 0; bit < bits_of<T>; ++bit) {
        u64 const power = u64{1} << bit;
        for (u64 const n : {power - 1, power, power + 1}) {
            values.push_back(static_cast<T>(n));
            values.push_back(static_cast<T>(~n));
        }
    }
    return sorted_once(values);
}

/// Few enough that functions of three and four arguments take every combination.
template <class T>
std::vector<T> corner_values() {
    std::vector<T> values;
    u64 const half = u64{1} << (bits_of<T> - 1);
    for (u64 const n : {u64{0}, u64{1}, u64{2}, u64{7}, page_bytes, half - 1, half}) {
        values.push_back(static_cast<T>(n));
        values.push_back(static_cast<T>(~n));
    }
    return sorted_once(values);
}

// The models must not wrap where the tested width does.
#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 u128;
template <class T>
using wide = std::conditional_t<sizeof(T) < 8, u64, u128>;
#    define base_test_widths u8, u16, u32, u64, usize
#else
template <class T>
using wide = u64;
#    define base_test_widths u8, u16, u32
#endif

}  // namespace base_test
