// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/base/meta.hpp>

#include "expect_both.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace meta_test {

namespace {

using namespace wddmcore;

enum class scoped : u8 { zero };
enum unscoped { zero_too };
struct aggregate {
    int member;
};
union either {
    int number;
    float fraction;
};

/// The types on which our traits must answer what the standard library's answer.
template <class T>
constexpr bool agrees_with_standard() {
    return meta::is_same<meta::bare<T>, std::remove_cvref_t<T>> &&
           meta::is_same<typename meta::detail::remove_reference<T>::type, std::remove_reference_t<T>> &&
           meta::is_same<typename meta::detail::remove_cv<T>::type, std::remove_cv_t<T>> &&
           meta::is_pointer<meta::bare<T>> == std::is_pointer_v<std::remove_cvref_t<T>> && meta::same_as<T, T> &&
           std::is_same_v<decltype(meta::declval<T>()), decltype(std::declval<T>())>;
}

TEST_CASE_TEMPLATE("meta: answers as <type_traits> does", T, int, aggregate, either, scoped, unscoped, int*, void*,
                   std::nullptr_t, int[3]) {
    expect_both(agrees_with_standard<T>() && agrees_with_standard<T const>());
    expect_both(agrees_with_standard<T volatile>() && agrees_with_standard<T const volatile>());
    expect_both(agrees_with_standard<T&>() && agrees_with_standard<T const&>());
    expect_both(agrees_with_standard<T&&>() && agrees_with_standard<T const volatile&&>());
}

TEST_CASE("meta: bare keeps what is behind a pointer") {
    expect_both(meta::is_same<meta::bare<int const* const&>, int const*>);
    expect_both(meta::is_same<typename meta::pointee<int const*>::type, int const>);
    expect_both(meta::is_same<typename meta::pointee<void*>::type, void>);
    expect_both(meta::is_same<typename meta::pointee<int**>::type, int*>);
}

template <class T>
concept has_pointee = requires { typename meta::pointee<T>::type; };

TEST_CASE("meta: only pointers have a pointee") {
    expect_both(has_pointee<int*> && !has_pointee<int> && !has_pointee<int&> && !has_pointee<int[3]>);
    expect_both(meta::is_pointer<int*> && meta::is_pointer<void const*> && meta::is_pointer<int (*)(int)>);
    expect_both(!meta::is_pointer<int> && !meta::is_pointer<int[3]> && !meta::is_pointer<std::nullptr_t>);
}

TEST_CASE("meta: is_same and same_as tell every difference") {
    expect_both(meta::is_same<int, int> && !meta::is_same<int, unsigned> && !meta::is_same<int, int const>);
    expect_both(!meta::is_same<int, int&> && !meta::is_same<unsigned long, unsigned long long>);
    expect_both(meta::same_as<int, int> && !meta::same_as<int, long> && !meta::same_as<long, int>);
}

TEST_CASE("meta: conditional takes one of two types, which may be incomplete") {
    struct then;
    struct otherwise;
    expect_both(meta::is_same<meta::conditional_t<true, then, otherwise>, then>);
    expect_both(meta::is_same<meta::conditional_t<false, then, otherwise>, otherwise>);
    expect_both(meta::is_same<meta::type_is<then>::type, then>);
}

TEST_CASE("meta: unsigned_integer has each unsigned width under every name of it, and nothing else") {
    expect_both(meta::unsigned_integer<u8> && meta::unsigned_integer<u16> && meta::unsigned_integer<u32>);
    expect_both(meta::unsigned_integer<u64> && meta::unsigned_integer<usize> && meta::unsigned_integer<unsigned long>);
    expect_both(!meta::unsigned_integer<i8> && !meta::unsigned_integer<i16> && !meta::unsigned_integer<i32>);
    expect_both(!meta::unsigned_integer<i64> && !meta::unsigned_integer<long> && !meta::unsigned_integer<char>);
    expect_both(!meta::unsigned_integer<bool> && !meta::unsigned_integer<wchar_t> && !meta::unsigned_integer<char8_t>);
    expect_both(!meta::unsigned_integer<char16_t> && !meta::unsigned_integer<float> && !meta::unsigned_integer<scoped>);
    expect_both(!meta::unsigned_integer<unsigned*> && !meta::unsigned_integer<unsigned const>);
}

// g++ 12 stops at a non-static member as a template argument, even in a concept: its address is asked for first.
template <class T>
concept has_static_size = requires { *&T::size; };
template <class T>
concept has_constant_size = has_static_size<T> && requires { typename meta::constant<T::size>; };
struct static_size {
    static constexpr u32 size = 7;
};
struct member_size {
    u32 size = 7;
};
struct late_size {
    static inline u32 size = 7;
};

TEST_CASE("meta: constant exists for static constants only") {
    expect_both(has_constant_size<static_size>);
    expect_both(has_static_size<late_size> && !has_constant_size<late_size>);
    expect_both(!has_constant_size<member_size> && !has_constant_size<aggregate>);
    expect_both(meta::constant<7u>::value == 7u && meta::is_same<decltype(meta::constant<7u>::value), u32 const>);
}

template <u32... Numbers>
constexpr bool counts_up(meta::numbers<Numbers...>, u32 count) {
    // An array instead of a fold expression: clang nests one level a number and stops at 256.
    u32 const listed[] = {Numbers..., count};
    for (u32 i = 0; i < count; ++i) {
        if (listed[i] != i) {
            return false;
        }
    }
    return sizeof...(Numbers) == count;
}

TEST_CASE("meta: count_to lists 0 to count - 1") {
    expect_both(meta::is_same<meta::count_to<0>, meta::numbers<>> &&
                meta::is_same<meta::count_to<1>, meta::numbers<0>>);
    expect_both(counts_up(meta::count_to<2>{}, 2) && counts_up(meta::count_to<3>{}, 3));
    expect_both(counts_up(meta::count_to<7>{}, 7) && counts_up(meta::count_to<8>{}, 8));
    expect_both(counts_up(meta::count_to<9>{}, 9) && counts_up(meta::count_to<512>{}, 512));
}

}  // namespace

}  // namespace meta_test
