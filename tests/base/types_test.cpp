// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/base/types.hpp>

#include "expect_both.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace types_test {

namespace {

using namespace wddmcore;

template <class T, int Bits, bool Signed>
constexpr bool is_integer_of() {
    return std::is_integral_v<T> && std::is_signed_v<T> == Signed &&
           std::numeric_limits<T>::digits == Bits - (Signed ? 1 : 0) && sizeof(T) * 8 == Bits;
}

TEST_CASE("law 1: the integers have the widths and signs that their names say") {
    expect_both(is_integer_of<u8, 8, false>() && is_integer_of<i8, 8, true>());
    expect_both(is_integer_of<u16, 16, false>() && is_integer_of<i16, 16, true>());
    expect_both(is_integer_of<u32, 32, false>() && is_integer_of<i32, 32, true>());
    expect_both(is_integer_of<u64, 64, false>() && is_integer_of<i64, 64, true>());
}

TEST_CASE("law 1: the integers stand for those of <cstdint>") {
    expect_both(std::is_same_v<u8, std::uint8_t> && std::is_same_v<i8, std::int8_t>);
    expect_both(std::is_same_v<u16, std::uint16_t> && std::is_same_v<i16, std::int16_t>);
    expect_both(std::is_same_v<u32, std::uint32_t> && std::is_same_v<i32, std::int32_t>);
    expect_both(sizeof(u64) == sizeof(std::uint64_t) && alignof(u64) == alignof(std::uint64_t));
    expect_both(sizeof(i64) == sizeof(std::int64_t) && alignof(i64) == alignof(std::int64_t));
}

TEST_CASE("law 1: usize is std::size_t and as wide as a pointer") {
    expect_both(std::is_same_v<usize, std::size_t>);
    expect_both(sizeof(usize) == sizeof(void*) && alignof(usize) == alignof(void*));
    expect_both(std::is_unsigned_v<usize>);
}

TEST_CASE("law 1: unsigned integers wrap at their width") {
    expect_both(static_cast<u8>(u8{0} - 1) == 0xFF && static_cast<u16>(u16{0} - 1) == 0xFFFF);
    expect_both(u32{0} - 1u == 0xFFFF'FFFFu && u64{0} - 1u == 0xFFFF'FFFF'FFFF'FFFFu);
    expect_both(static_cast<usize>(usize{0} - 1) == std::numeric_limits<usize>::max());
}

}  // namespace

}  // namespace types_test
