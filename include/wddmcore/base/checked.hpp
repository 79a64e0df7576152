// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "meta.hpp"

/// Arithmetic that tells when it would wrap. Generic over the width, so that tests can try every input of the 16-bit
/// instance.
///
/// Everything here is pure: any IRQL, touches no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// A number, or the statement that it does not fit.
template <meta::unsigned_integer T>
struct checked {
    T value;  ///< meaningful only when ok
    bool ok;  ///< whether the number fits

    friend constexpr bool operator==(checked const&, checked const&) = default;
};

/// @return a + b, or not ok when the sum does not fit.
template <meta::unsigned_integer T>
[[nodiscard]] constexpr checked<T> checked_add(T a, T b) noexcept {
    T const sum = static_cast<T>(a + b);
    return {sum, sum >= a};
}
static_assert(checked_add<u32>(0xFFFF'FFFFu, 1u).ok == false);

/// @return a * b, or not ok when the product does not fit.
template <meta::unsigned_integer T>
[[nodiscard]] constexpr checked<T> checked_multiply(T a, T b) noexcept {
    // Narrow operands are promoted to int, whose product could overflow, so every width multiplies in u64.
    T const product = static_cast<T>(static_cast<u64>(a) * b);
    return {product, a == 0 || b <= static_cast<T>(static_cast<T>(~T{0}) / a)};
}
static_assert(checked_multiply<u32>(0x1'0000u, 0x1'0000u).ok == false);

/// @return whether n is 1, 2, 4, ...
template <meta::unsigned_integer T>
[[nodiscard]] constexpr bool is_power_of_two(T n) noexcept {
    return n != 0 && (n & (n - 1)) == 0;
}
static_assert(is_power_of_two(4096u) && !is_power_of_two(0u) && !is_power_of_two(12u));

/// @param unit  not 0
/// @return whether n is a multiple of unit
template <meta::unsigned_integer T>
[[nodiscard]] constexpr bool is_multiple(T n, T unit) noexcept {
    return n % unit == 0;
}
static_assert(is_multiple(8192u, 4096u) && !is_multiple(4100u, 4096u));

/// @param unit  not 0; need not be a power of two
/// @return the largest multiple of unit that is not above n
template <meta::unsigned_integer T>
[[nodiscard]] constexpr T round_down(T n, T unit) noexcept {
    return static_cast<T>(n - n % unit);
}
static_assert(round_down(4097u, 4096u) == 4096u);

/// @param unit  not 0; need not be a power of two
/// @return the smallest multiple of unit that is not below n, or not ok when it does not fit
template <meta::unsigned_integer T>
[[nodiscard]] constexpr checked<T> round_up(T n, T unit) noexcept {
    T const over = static_cast<T>(n % unit);
    return over == 0 ? checked<T>{n, true} : checked_add<T>(n, static_cast<T>(unit - over));
}
static_assert(round_up(4097u, 4096u) == checked<u32>{8192u, true});

/// @param unit  not 0
/// @return n / unit rounded up, which always fits
template <meta::unsigned_integer T>
[[nodiscard]] constexpr T divide_up(T n, T unit) noexcept {
    return static_cast<T>(n / unit + (n % unit != 0));
}
static_assert(divide_up(4097u, 4096u) == 2u && divide_up(0u, 4096u) == 0u);

/// Range containment without a sum that could wrap.
///
/// @return whether [begin, begin + length) lies inside [0, limit); an empty range fits anywhere up to and including
///         limit
template <meta::unsigned_integer T>
[[nodiscard]] constexpr bool fits(T begin, T length, T limit) noexcept {
    return begin <= limit && length <= static_cast<T>(limit - begin);
}
static_assert(fits(3u, 5u, 8u) && !fits(3u, 6u, 8u) && !fits(0xFFFF'FFFFu, 2u, 8u));

/// @return whether [begin, begin + length) lies inside [base, base + size), with no sum that could wrap.
template <meta::unsigned_integer T>
[[nodiscard]] constexpr bool range_contains(T base, T size, T begin, T length) noexcept {
    return begin >= base && fits<T>(static_cast<T>(begin - base), length, size);
}
static_assert(range_contains(16u, 8u, 20u, 4u) && !range_contains(16u, 8u, 20u, 5u));

/// @return whether [a, a + a_length) and [b, b + b_length) overlap; an empty range overlaps nothing.
template <meta::unsigned_integer T>
[[nodiscard]] constexpr bool ranges_overlap(T a, T a_length, T b, T b_length) noexcept {
    return a_length != 0 && b_length != 0 &&
           (a <= b ? static_cast<T>(b - a) < a_length : static_cast<T>(a - b) < b_length);
}
static_assert(ranges_overlap(0u, 4u, 3u, 1u) && !ranges_overlap(0u, 4u, 4u, 1u));

/// @param n  a power of two; of any other number the log2 is rounded down, of 0 it is 0
/// @return log2 of n
template <meta::unsigned_integer T>
[[nodiscard]] constexpr u32 log2_of(T n) noexcept {
    u32 shift = 0;
    while (n > 1) {
        n = static_cast<T>(n >> 1);
        ++shift;
    }
    return shift;
}
static_assert(log2_of(4096u) == 12u);

/// @return the smaller of two (`min` and `max` are macros in many drivers)
template <class T>
[[nodiscard]] constexpr T lesser(T a, T b) noexcept {
    return b < a ? b : a;
}
static_assert(lesser(3u, 2u) == 2u);

/// @return the larger of two
template <class T>
[[nodiscard]] constexpr T greater(T a, T b) noexcept {
    return a < b ? b : a;
}
static_assert(greater(3u, 2u) == 3u);

}  // namespace wddmcore
