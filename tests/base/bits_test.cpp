// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "every_bit_field.hpp"
#include "expect_both.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <type_traits>

namespace bits_test {

namespace {

using namespace base_test;

TEST_CASE_TEMPLATE("low_mask: every width, and widths beyond the word", T, u8, u16, u32, u64, usize) {
    constexpr T top = largest_of<T>;
    expect_both(low_mask<T>(0) == 0 && low_mask<T>(1) == 1 && low_mask<T>(2) == 3);
    expect_both(low_mask<T>(bits_of<T> - 1) == top / 2 && low_mask<T>(bits_of<T>) == top);
    expect_both(low_mask<T>(bits_of<T> + 1) == top && low_mask<T>(64) == top && low_mask<T>(0xFFFF'FFFF) == top);
    T expected = 0;
    for (u32 width = 0; width <= 2 * bits_of<T>; ++width) {
        CAPTURE(width);
        CHECK(low_mask<T>(width) == expected);
        expected = static_cast<T>(expected | (width < bits_of<T> ? u64{1} << width : 0));
    }
}

/// Moves a bit at a time: the slow and obvious form of what a field does.
template <class T>
constexpr T copy_bits(T from, u32 from_bit, T to, u32 to_bit, u32 count) {
    u64 result = to;
    for (u32 i = 0; i < count; ++i) {
        bool const one = (u64{from} >> (from_bit + i) & 1) != 0;
        u64 const at = u64{1} << (to_bit + i);
        result = one ? result | at : result & ~at;
    }
    return static_cast<T>(result);
}

/// Whether a field does with one word and one value what moving single bits does.
template <class T>
constexpr bool agrees(any_bit_field<T> const& field, T word, T value) {
    return field.place(value) == copy_bits<T>(value, 0, 0, field.first, field.width) &&
           field.of(word) == copy_bits<T>(word, field.first, 0, 0, field.width) &&
           field.set(word, value) == copy_bits<T>(value, 0, word, field.first, field.width);
}

/// Whether a field's constants are right, and its functions with words and values of all bits, alternating bits and the
/// field's own ends.
template <class T>
constexpr bool is_right(any_bit_field<T> const& field) {
    constexpr T top = largest_of<T>;
    u32 const width = field.last - field.first + 1;
    T const largest = copy_bits<T>(top, 0, 0, 0, width);
    T const values[] = {0,
                        1,
                        largest,
                        static_cast<T>(largest >> 1),
                        static_cast<T>(~largest),
                        top,
                        static_cast<T>(0x5A5A'C3C3'9669'A55A)};
    bool right = field.width == width && field.largest == largest &&
                 field.mask == copy_bits<T>(top, 0, 0, field.first, width) && field.place(largest) == field.mask &&
                 field.of(field.mask) == largest && field.of(static_cast<T>(~field.mask)) == 0;
    for (T const word : values) {
        for (T const value : values) {
            right = right && agrees(field, word, value);
        }
    }
    return right;
}

TEST_CASE_TEMPLATE("bit_field: every field of a word", T, u8, u16, u32) {
    for (auto const& field : every_field<T>) {
        CAPTURE(field.last);
        CAPTURE(field.first);
        CHECK(is_right(field));
    }
    CHECK(every_field<T>.size() == bits_of<T> * (bits_of<T> + 1) / 2);
    CHECK(every_field<T>.back().last == bits_of<T> - 1);
    CHECK(every_field<T>.back().first == bits_of<T> - 1);
}

TEST_CASE_TEMPLATE("bit_field: every field of a word that begins or ends with it, and every single bit", T, u64,
                   usize) {
    for (auto const& field : edge_fields<T>) {
        CAPTURE(field.last);
        CAPTURE(field.first);
        CHECK(is_right(field));
    }
    CHECK(edge_fields<T>.size() == 3 * bits_of<T>);
}

template <class T, u32 Last, u32 First>
constexpr bool is_right_field() {
    return is_right(as_any<T, Last, First>());
}

TEST_CASE("bit_field: in constant evaluation, every field of 8 bits and the ends of the other words") {
    expect_both(std::all_of(every_field<u8>.begin(), every_field<u8>.end(), is_right<u8>));
    expect_both(is_right_field<u16, 0, 0>() && is_right_field<u16, 15, 15>() && is_right_field<u16, 15, 0>());
    expect_both(is_right_field<u32, 0, 0>() && is_right_field<u32, 31, 31>() && is_right_field<u32, 31, 0>());
    expect_both(is_right_field<u64, 0, 0>() && is_right_field<u64, 63, 63>() && is_right_field<u64, 63, 0>());
    expect_both(is_right_field<u64, 62, 0>() && is_right_field<u64, 63, 1>() && is_right_field<u64, 32, 31>());
    expect_both(is_right_field<u64, 31, 0>() && is_right_field<u64, 63, 32>() && is_right_field<u64, 51, 12>());
    expect_both(is_right_field<usize, 0, 0>() && is_right_field<usize, bits_of<usize> - 1, 0>());
}

TEST_CASE("bit_field: one number names a field of one bit") {
    expect_both(std::is_same_v<bit_field<u32, 7>, bit_field<u32, 7, 7>>);
    expect_both(bit_field<u32, 7>::mask == 0x80 && bit_field<u32, 7>::largest == 1 && bit_field<u32, 7>::width == 1);
    expect_both(bit_field<u8, 7>::mask == 0x80 && bit_field<u64, 63>::mask == u64{1} << 63);
    expect_both(std::is_same_v<decltype(bit_field<u16, 7>::place(1)), u16> && std::is_empty_v<bit_field<u16, 7>>);
}

TEST_CASE("bit_field: what does not fit is cut off, and neighbours are kept") {
    expect_both(bit_field<u32, 15, 8>::place(0x1FF) == 0xFF00 && bit_field<u32, 15, 8>::place(0x100) == 0);
    expect_both(bit_field<u32, 15, 8>::set(0xFFFF'FFFF, 0) == 0xFFFF'00FF);
    expect_both(bit_field<u32, 15, 8>::set(0, 0x1FF) == 0xFF00);
    expect_both(bit_field<u8, 3, 1>::set(0xFF, 0) == 0xF1 && bit_field<u8, 3, 1>::set(0, 0xFF) == 0x0E);
}

TEST_CASE("dwords of a 64-bit value: low, high and back") {
    expect_both(low_dword(0) == 0 && high_dword(0) == 0 && dword_pair(0, 0) == 0);
    expect_both(low_dword(~u64{0}) == ~u32{0} && high_dword(~u64{0}) == ~u32{0});
    expect_both(low_dword(0xFFFF'FFFF) == 0xFFFF'FFFF && high_dword(0xFFFF'FFFF) == 0);
    expect_both(low_dword(0x1'0000'0000) == 0 && high_dword(0x1'0000'0000) == 1);
    expect_both(low_dword(0x8000'0000'7FFF'FFFF) == 0x7FFF'FFFF && high_dword(0x8000'0000'7FFF'FFFF) == 0x8000'0000);
    expect_both(dword_pair(0xFFFF'FFFF, 0) == 0xFFFF'FFFF && dword_pair(0, 0xFFFF'FFFF) == 0xFFFF'FFFF'0000'0000);
    for (u64 const value : boundary_values<u64>()) {
        CHECK(dword_pair(low_dword(value), high_dword(value)) == value);
        CHECK(low_dword(value) == value % 0x1'0000'0000);
        CHECK(high_dword(value) == value / 0x1'0000'0000);
    }
}

TEST_CASE("dword_pair: in memory the first dword comes first on a little-endian machine") {
    if constexpr (std::endian::native == std::endian::little) {
        u32 const dwords_in_order[] = {0x0123'4567, 0x89AB'CDEF};
        u64 const pair = dword_pair(dwords_in_order[0], dwords_in_order[1]);
        CHECK(std::memcmp(&pair, dwords_in_order, sizeof pair) == 0);
    }
    CHECK(dword_pair(0x0123'4567, 0x89AB'CDEF) == 0x89AB'CDEF'0123'4567);
}

template <class T>
concept masks = requires { wddmcore::low_mask<T>(1); };
template <class T>
concept has_fields = requires { typename wddmcore::bit_field<T, 3, 0>; };

TEST_CASE("bits: words are unsigned integers") {
    expect_both(masks<u8> && masks<u64> && !masks<i32> && !masks<bool> && !masks<bytes>);
    expect_both(has_fields<u8> && has_fields<usize> && !has_fields<i32> && !has_fields<bool> && !has_fields<bytes>);
}

}  // namespace

}  // namespace bits_test
