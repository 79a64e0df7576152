// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "boundary_values.hpp"

#include <array>
#include <utility>

/// Fields [last:first] of a word as tables, so that tests are loops: a body instantiated for each of hundreds of fields
/// compiles for a minute.
namespace base_test {

template <class T>
struct any_bit_field {
    u32 last;
    u32 first;
    u32 width;
    T largest;
    T mask;
    T (*place)(T);
    T (*of)(T);
    T (*set)(T, T);
};

template <class T, u32 Last, u32 First>
constexpr any_bit_field<T> as_any() {
    using field = bit_field<T, Last, First>;
    return {Last, First, field::width, field::largest, field::mask, field::place, field::of, field::set};
}

template <class T>
inline constexpr usize count_of_fields = usize{bits_of<T>} * (bits_of<T> + 1) / 2;

/// Appends the fields that begin at First.
template <class T, u32 First, u32... Above>
constexpr void add_fields(std::array<any_bit_field<T>, count_of_fields<T>>& table, usize& count,
                          std::integer_sequence<u32, Above...>) {
    for (auto const& field : {as_any<T, First + Above, First>()...}) {
        table[count++] = field;
    }
}

template <class T, u32... First>
constexpr auto make_fields(std::integer_sequence<u32, First...>) {
    std::array<any_bit_field<T>, count_of_fields<T>> table{};
    usize count = 0;
    (add_fields<T, First>(table, count, std::make_integer_sequence<u32, bits_of<T> - First>{}), ...);
    return table;
}

template <class T>
inline constexpr auto every_field = make_fields<T>(std::make_integer_sequence<u32, bits_of<T>>{});

template <class T, u32... Bit>
constexpr auto make_edge_fields(std::integer_sequence<u32, Bit...>) {
    return std::array{as_any<T, Bit, 0>()..., as_any<T, bits_of<T> - 1, Bit>()..., as_any<T, Bit, Bit>()...};
}

/// The fields that begin at the first bit, end at the last, or have one bit: of 64 bits there are too many others.
template <class T>
inline constexpr auto edge_fields = make_edge_fields<T>(std::make_integer_sequence<u32, bits_of<T>>{});

}  // namespace base_test
