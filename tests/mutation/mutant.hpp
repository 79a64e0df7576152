// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// What stage mutation writes into copies of the core's headers: each place knows its mutants by number, and the program
/// says at run time which one is in force. The compiler's own evaluation always sees the original.
#if __cplusplus >= 202002L  // CMake tries the compiler without a standard
namespace wddmcore_mutant {

extern int in_force;               ///< the number of the mutant, which is never 0
extern unsigned char* reached;     ///< whose places were come to
void cannot(int number) noexcept;  ///< notes that the change has no meaning for the types or the value here
void did(int number) noexcept;     ///< notes that it had one elsewhere

[[nodiscard, gnu::always_inline]] constexpr bool is(int number) noexcept {
    if (__builtin_is_constant_evaluated() || number == 0) {
        return false;
    }
    reached[number] = 1;
    return in_force == number;
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

/// Another operator, and the number of that mutant.
template <int Number, class Mutant>
struct change {};

template <class Original, class L, class R>
constexpr auto changed(L const& left, R const& right) {
    return Original{}(left, right);
}

template <class Original, class L, class R, int Number, class Mutant, class... Others>
constexpr auto changed(L const& left, R const& right, change<Number, Mutant>, Others... others) {
    if constexpr (gives<decltype(Original{}(left, right)), Mutant, L, R>) {
        if (is(Number)) {
            return Mutant{}(left, right);
        }
    } else if (is(Number)) {
        cannot(Number);
    }
    return changed<Original>(left, right, others...);
}

template <class Original, class... Changes, class L, class R>
constexpr auto operation(L left, R right) {
    if (!__builtin_is_constant_evaluated()) {
        return changed<Original>(left, right, Changes{}...);
    }
    return Original{}(left, right);
}

/// Whether the right operand of && has to be asked; where it has not, the left one is the result.
template <int Left, int Right, int Other>
[[nodiscard]] constexpr bool asks_right_of_both(bool left) {
    // None of them is const, or the compiler would evaluate it.
    bool only_left = is(Left);
    bool only_right = is(Right);
    bool other = is(Other);
    return only_right || (!only_left && left != other);
}

/// The same of ||.
template <int Left, int Right, int Other>
[[nodiscard]] constexpr bool asks_right_of_either(bool left) {
    return asks_right_of_both<Left, Right, Other>(!left);
}

template <int Up, int Down, class T>
constexpr T constant(T value) {
    return is(Up) ? static_cast<T>(value + 1) : is(Down) ? static_cast<T>(value - 1) : value;
}

template <int Number>
constexpr bool without_not(bool value) {
    return is(Number) ? value : !value;
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
