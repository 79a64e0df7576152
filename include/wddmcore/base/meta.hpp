// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "types.hpp"

/// Type traits from language features and compiler builtins only; cl, clang and g++ all have them.
namespace wddmcore::inline WDDMCORE_ABI::meta {

/// A type as a value, which a function can return.
template <class T>
struct type_is {
    using type = T;
};

namespace detail {

template <class T>
struct remove_reference : type_is<T> {};
template <class T>
struct remove_reference<T&> : type_is<T> {};
template <class T>
struct remove_reference<T&&> : type_is<T> {};

template <class T>
struct remove_cv : type_is<T> {};
template <class T>
struct remove_cv<T const> : type_is<T> {};
template <class T>
struct remove_cv<T volatile> : type_is<T> {};
template <class T>
struct remove_cv<T const volatile> : type_is<T> {};

}  // namespace detail

/// The type of a value: without reference, const and volatile.
template <class T>
using bare = typename detail::remove_cv<typename detail::remove_reference<T>::type>::type;

namespace detail {

template <bool Condition, class Then, class Else>
struct conditional : type_is<Then> {};
template <class Then, class Else>
struct conditional<false, Then, Else> : type_is<Else> {};

}  // namespace detail

/// Then where the condition holds, otherwise Else.
template <bool Condition, class Then, class Else>
using conditional_t = typename detail::conditional<Condition, Then, Else>::type;

/// Whether two types are one and the same, const and reference included.
template <class T, class U>
inline constexpr bool is_same = false;
template <class T>
inline constexpr bool is_same<T, T> = true;

/// Whether a type is const itself; what it points at does not count.
template <class T>
inline constexpr bool is_const = false;
template <class T>
inline constexpr bool is_const<T const> = true;

/// Whether a type is a pointer, and not a const one.
template <class T>
inline constexpr bool is_pointer = false;
template <class T>
inline constexpr bool is_pointer<T*> = true;

/// What a pointer points at; no other type has one.
template <class T>
struct pointee;
template <class T>
struct pointee<T*> : type_is<T> {};

/// is_same as a concept.
template <class T, class U>
concept same_as = is_same<T, U> && is_same<U, T>;

/// The four unsigned widths, whatever the platform calls them.
template <class T>
concept unsigned_integer = is_same<T, unsigned char> || is_same<T, unsigned short> || is_same<T, unsigned int> ||
                           is_same<T, unsigned long> || is_same<T, unsigned long long>;

/// A value of any type for unevaluated expressions.
template <class T>
T&& declval() noexcept;

/// Turns a value into a type, which fails for a number that is not a static constant.
template <auto Value>
struct constant {
    static constexpr auto value = Value;
};

/// Whether `Value` names a static constant of type T.
template <class T, auto Value>
inline constexpr bool is_constant_of = same_as<bare<decltype(Value)>, T>;

/// A list of numbers as a type.
template <u32... Numbers>
struct numbers {};

namespace detail {

/// Doubling keeps the instantiation depth at log2 of the count.
template <class First, class Second>
struct joined;
template <u32... First, u32... Second>
struct joined<numbers<First...>, numbers<Second...>> : type_is<numbers<First..., (sizeof...(First) + Second)...>> {};
template <u32 Count>
struct counted : joined<typename counted<Count / 2>::type, typename counted<Count - Count / 2>::type> {};
template <>
struct counted<0> : type_is<numbers<>> {};
template <>
struct counted<1> : type_is<numbers<0>> {};

}  // namespace detail

/// 0, 1, ... Count - 1 as a type.
template <u32 Count>
using count_to = typename detail::counted<Count>::type;

static_assert(same_as<bare<u32 const&>, u32> && same_as<bare<u32 volatile>, u32>);
static_assert(is_const<u32 const> && !is_const<u32> && !is_const<u32 const*>);
static_assert(is_pointer<void*> && !is_pointer<u32>);
static_assert(same_as<count_to<3>, numbers<0, 1, 2>>);
static_assert(unsigned_integer<usize> && !unsigned_integer<i32> && !unsigned_integer<bool>);

}  // namespace wddmcore::meta
