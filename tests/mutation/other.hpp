// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// For a mutant with a build of its own: another value of the same type.
namespace wddmcore_mutant {

template <class T, class U>
inline constexpr bool same = false;
template <class T>
inline constexpr bool same<T, T> = true;

template <class T>
constexpr T other(T value) {
    if constexpr (same<T, bool>) {
        return !value;
    } else if constexpr (__is_enum(T)) {
        return static_cast<T>(static_cast<__underlying_type(T)>(value) + 1);
    } else if constexpr (__is_integral(T)) {
        return static_cast<T>(value + 1);
    } else {
        return T{};
    }
}

}  // namespace wddmcore_mutant
