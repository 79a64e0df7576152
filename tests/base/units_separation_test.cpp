// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/base/units.hpp>

#include "expect_both.hpp"

#include <doctest/doctest.h>

#include <type_traits>

namespace units_separation_test {

// Law 6 over every pair of units and raw integers: what is not listed here as allowed must not compile.
namespace {

using namespace wddmcore;

template <class... Types>
struct list {};

using units = list<bytes, pages, dwords, page_number, gpu_virtual_address, segment_offset, segment_address, segment_id,
                   megabytes>;
using integers = list<u8, u16, u32, u64, usize, i32, i64, bool>;

template <class A, class B>
concept adds = requires(A a, B b) { a + b; };
template <class A, class B>
concept subtracts = requires(A a, B b) { a - b; };
template <class A, class B>
concept multiplies = requires(A a, B b) { a* b; };
template <class A, class B>
concept divides = requires(A a, B b) { a / b; } || requires(A a, B b) { a % b; } || requires(A a, B b) { a << b; };
template <class A, class B>
concept equates = requires(A a, B b) { a == b; } || requires(A a, B b) { a != b; };
template <class A, class B>
concept orders = requires(A a, B b) { a < b; } || requires(A a, B b) { a <= b; };
template <class A, class B>
concept assigns = requires(A a, B b) { a = b; } || requires(A a, B b) { a += b; } || requires(A a, B b) { a -= b; };
template <class A, class B>
concept casts = requires(A a) { static_cast<B>(a); };
template <class A, class B>
concept wraps = requires(A a) { B{a}; };

template <class A, class... Bs>
constexpr bool is_one_of = (std::is_same_v<A, Bs> || ...);

/// An amount that adds to its own kind, and an address that moves by its amount.
template <class A, class B>
constexpr bool may_add =
    (std::is_same_v<A, B> && is_one_of<A, bytes, pages, dwords>) ||
    (std::is_same_v<B, bytes> && is_one_of<A, gpu_virtual_address, segment_offset, segment_address>) ||
    (std::is_same_v<B, pages> && std::is_same_v<A, page_number>);

template <class A, class B>
constexpr bool may_subtract_and_order = std::is_same_v<A, B> && is_one_of<A, bytes, pages>;

template <class A, class B>
constexpr bool keeps_apart() {
    constexpr bool same = std::is_same_v<A, B>;
    return adds<A, B> == may_add<A, B> && subtracts<A, B> == may_subtract_and_order<A, B> &&
           orders<A, B> == may_subtract_and_order<A, B> && equates<A, B> == same && assigns<A, B> == same &&
           std::is_convertible_v<A, B> == same && casts<A, B> == same && wraps<A, B> == same && !divides<A, B> &&
           !multiplies<A, B>;
}

/// Only a count times bytes mixes the two; a unit is built from an integer by braces, never silently, and never turns
/// into one.
template <class Unit, class Integer>
constexpr bool keeps_apart_from_integer() {
    return !adds<Unit, Integer> && !adds<Integer, Unit> && !subtracts<Unit, Integer> && !subtracts<Integer, Unit> &&
           !orders<Unit, Integer> && !orders<Integer, Unit> && !equates<Unit, Integer> && !equates<Integer, Unit> &&
           !divides<Unit, Integer> && !divides<Integer, Unit> && !assigns<Unit, Integer> && !assigns<Integer, Unit> &&
           !std::is_convertible_v<Unit, Integer> && !std::is_convertible_v<Integer, Unit> && !casts<Unit, Integer> &&
           !multiplies<Unit, Integer> && multiplies<Integer, Unit> == std::is_same_v<Unit, bytes>;
}

template <class A, class... Bs, class... Integers>
constexpr bool row_keeps_apart(list<Bs...>, list<Integers...>) {
    return (keeps_apart<A, Bs>() && ...) && (keeps_apart_from_integer<A, Integers>() && ...);
}

TEST_CASE_TEMPLATE("law 6: no unit turns into another unit or into a number, silently or by a cast", T, bytes, pages,
                   dwords, page_number, gpu_virtual_address, segment_offset, segment_address, segment_id, megabytes) {
    expect_both(row_keeps_apart<T>(units{}, integers{}));
    expect_both(!std::is_convertible_v<T, void*> && !std::is_convertible_v<void*, T> &&
                !std::is_convertible_v<T, bool>);
}

TEST_CASE_TEMPLATE("law 6: a unit is an aggregate of one register", T, bytes, pages, dwords, page_number,
                   gpu_virtual_address, segment_offset, segment_address, segment_id, megabytes) {
    expect_both(std::is_aggregate_v<T> && std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>);
    expect_both(sizeof(T) == sizeof(T::n) && sizeof(T) <= 16 && alignof(T) == alignof(decltype(T::n)));
    expect_both(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);
    expect_both(std::is_unsigned_v<decltype(T::n)> && std::has_unique_object_representations_v<T>);
    expect_both(T{}.n == 0 && T{1}.n == 1 && T{static_cast<decltype(T::n)>(-1)}.n == static_cast<decltype(T::n)>(-1));
}

TEST_CASE("law 6: units are as wide as the DDI's members that they stand for") {
    expect_both(sizeof(bytes) == 8 && sizeof(pages) == 8 && sizeof(page_number) == 8);
    expect_both(sizeof(gpu_virtual_address) == 8 && sizeof(segment_offset) == 8 && sizeof(segment_address) == 8);
    expect_both(sizeof(dwords) == 4 && sizeof(segment_id) == 4 && sizeof(megabytes) == 4);
}

TEST_CASE("law 6: what is wider than a unit does not narrow into it") {
    expect_both(wraps<u64, bytes> && wraps<u32, bytes> && wraps<u8, bytes>);
    expect_both(wraps<u32, dwords> && !wraps<u64, dwords> && !wraps<u64, segment_id> && !wraps<u64, megabytes>);
    expect_both(!wraps<i64, bytes> && !wraps<double, bytes> && !wraps<i32, dwords>);
}

using map = void (*)(gpu_virtual_address, bytes);
using copy = void (*)(segment_address, segment_offset, pages);

TEST_CASE("law 6: swapped arguments are refused") {
    expect_both(std::is_invocable_v<map, gpu_virtual_address, bytes>);
    expect_both(!std::is_invocable_v<map, bytes, gpu_virtual_address>);
    expect_both(!std::is_invocable_v<map, u64, bytes> && !std::is_invocable_v<map, gpu_virtual_address, u64>);
    expect_both(std::is_invocable_v<copy, segment_address, segment_offset, pages>);
    expect_both(!std::is_invocable_v<copy, segment_offset, segment_address, pages>);
    expect_both(!std::is_invocable_v<copy, segment_address, segment_offset, bytes>);
}

template <class T>
concept counts_bytes = requires(T n) { to_bytes(n); };
template <class T>
concept counts_pages = requires(T n) { pages_spanned(n); } || requires(T n) { whole_pages(n); };
template <class T>
concept has_byte_address = requires(T n) { byte_address(n); };

template <class... Types>
constexpr u32 convertible_to_bytes(list<Types...>) {
    return (0u + ... + counts_bytes<Types>);
}
template <class... Types>
constexpr u32 convertible_to_pages(list<Types...>) {
    return (0u + ... + counts_pages<Types>);
}
template <class... Types>
constexpr u32 addressed(list<Types...>) {
    return (0u + ... + has_byte_address<Types>);
}

TEST_CASE("law 6: conversions are named and take their own unit only") {
    expect_both(counts_bytes<pages> && counts_bytes<megabytes> && counts_bytes<dwords>);
    expect_both(convertible_to_bytes(units{}) == 3 && convertible_to_bytes(integers{}) == 0);
    expect_both(counts_pages<bytes> && convertible_to_pages(units{}) == 1 && convertible_to_pages(integers{}) == 0);
    expect_both(has_byte_address<page_number> && addressed(units{}) == 1 && addressed(integers{}) == 0);
}

}  // namespace

}  // namespace units_separation_test
