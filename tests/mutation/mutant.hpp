// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// What stage mutation writes into copies of the core's headers: each place knows its mutants by number, and the program
/// says at run time which one is in force. The compiler's own evaluation always sees the original.
#if __cplusplus >= 202002L  // CMake tries the compiler without a standard
namespace wddmcore_mutant {

int ask(int number) noexcept;      ///< the number that is in force; notes that this one was reached
void cannot(int number) noexcept;  ///< notes that the change has no meaning for the types or the value here
void did(int number) noexcept;     ///< notes that it had one elsewhere

[[nodiscard]] constexpr bool is(int number) noexcept {
    if (__builtin_is_constant_evaluated()) {
        return false;
    }
    return ask(number) == number;
}

template <class T, class U>
inline constexpr bool same = false;
template <class T>
inline constexpr bool same<T, T> = true;

struct less {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a < b) { return a < b; }
};
struct less_or_equal {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a <= b) { return a <= b; }
};
struct greater {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a > b) { return a > b; }
};
struct greater_or_equal {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a >= b) { return a >= b; }
};
struct equal {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a == b) { return a == b; }
};
struct not_equal {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a != b) { return a != b; }
};
struct plus {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a + b) { return a + b; }
};
struct minus {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a - b) { return a - b; }
};
struct times {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a * b) { return a * b; }
};
struct divided {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a / b) { return a / b; }
};
struct remainder {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a % b) { return a % b; }
};
struct bit_and {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a & b) { return a & b; }
};
struct bit_or {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a | b) { return a | b; }
};
struct bit_xor {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a ^ b) { return a ^ b; }
};
struct shift_left {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a << b) { return a << b; }
};
struct shift_right {
    constexpr auto operator()(auto const& a, auto const& b) const -> decltype(a >> b) { return a >> b; }
};

template <class Result, class Operation, class... Arguments>
concept gives =
    requires(Operation operation, Arguments... arguments) { requires same<Result, decltype(operation(arguments...))>; };

template <int Number, class Original, class Mutant, class L, class R>
constexpr auto operation(L left, R right) {
    if constexpr (gives<decltype(Original{}(left, right)), Mutant, L, R>) {
        if (is(Number)) {
            return Mutant{}(left, right);
        }
    } else if (is(Number)) {
        cannot(Number);
    }
    return Original{}(left, right);
}

template <int Number, class T>
constexpr T constant(T value, int change) {
    return is(Number) ? static_cast<T>(value + static_cast<T>(change)) : value;
}

template <int Number>
constexpr bool flipped(bool value) {
    return is(Number) ? !value : value;
}

/// Another value of the same type, where there is one.
template <int Number, class T>
constexpr T returned(T value) {
    if (is(Number)) {
        if constexpr (same<T, bool>) {
            return !value;
        } else if constexpr (__is_enum(T)) {
            return static_cast<T>(static_cast<__underlying_type(T)>(value) + 1);
        } else if constexpr (__is_integral(T)) {
            return static_cast<T>(value + 1);
        } else if constexpr (requires { T{}; }) {
            T const other{};
            if (__builtin_memcmp(&other, &value, sizeof(T)) == 0) {
                cannot(Number);
            } else {
                did(Number);
            }
            return other;
        } else {
            cannot(Number);
        }
    }
    return value;
}

/// `~value` or `value`, `-value` or `value`; as a number where the operator makes one.
template <int Number, class T>
constexpr auto without_complement(T value) {
    using result = decltype(~value);
    if (is(Number)) {
        return static_cast<result>(value);
    }
    return ~value;
}

template <int Number, class T>
constexpr auto without_minus(T value) {
    using result = decltype(-value);
    if (is(Number)) {
        return static_cast<result>(value);
    }
    return -value;
}

}  // namespace wddmcore_mutant
#endif
