// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "exhaustive.hpp"

#include <doctest/doctest.h>

#include <utility>

// Covered in an optimised build: place and of, every word of all 136 fields of 16 bits; set, every pair (word, value) of
// all 36 fields of 8 bits and of one field of 16 bits, [11:4], which has neighbours on both sides; for the other fields
// of 16 bits every word with eight values. The model divides and multiplies by powers of two where the library masks
// and shifts, in 32 bits: no number of a 16-bit word comes near their end.
namespace {

using namespace base_test;

template <class T, u32 Last, u32 First>
struct model {
    static constexpr u32 numbers = u32{1} << (Last - First + 1);
    static constexpr u32 unit = u32{1} << First;

    static constexpr u32 place(u32 value) { return value % numbers * unit; }
    static constexpr u32 of(u32 word) { return word / unit % numbers; }
    static constexpr u32 set(u32 word, u32 value) { return word - of(word) * unit + place(value); }
};

/// Passes each field [Last:First] of T to `judge` as a type, and counts them.
template <class T, u32 First, class Judge, u32... Above>
u32 for_each_last(Judge judge, std::integer_sequence<u32, Above...>) {
    (judge.template operator()<First + Above, First>(), ...);
    return sizeof...(Above);
}
template <class T, class Judge, u32... First>
u32 for_each_field(Judge judge, std::integer_sequence<u32, First...>) {
    return (0u + ... + for_each_last<T, First>(judge, std::make_integer_sequence<u32, bits_of<T> - First>{}));
}
template <class T, class Judge>
u32 for_each_field(Judge judge) {
    return for_each_field<T>(judge, std::make_integer_sequence<u32, bits_of<T>>{});
}

template <class T, u32 Last, u32 First>
u32 set_differs(T word, T value) {
    return differs(bit_field<T, Last, First>::set(word, value), model<T, Last, First>::set(word, value));
}

TEST_CASE("bit_field: place and of, every number of every field of 16 bits") {
    u32 const fields = for_each_field<u16>([]<u32 Last, u32 First>() {
        auto const difference = [](u16 n) {
            return differs(bit_field<u16, Last, First>::place(n), model<u16, Last, First>::place(n)) |
                   differs(bit_field<u16, Last, First>::of(n), model<u16, Last, First>::of(n));
        };
        CAPTURE(Last);
        CAPTURE(First);
        CHECK(first_difference<u16>(0, values_of<u16>, difference) == nowhere);
    });
    CHECK(fields == 136);
}

TEST_CASE("bit_field: set, every word and value of every field of 8 bits") {
    u32 const fields = for_each_field<u8>([]<u32 Last, u32 First>() {
        CAPTURE(Last);
        CAPTURE(First);
        CHECK(sweep_pairs<u8>([](u8 value) {
            return first_difference<u8>(0, values_of<u8>,
                                        [value](u8 word) { return set_differs<u8, Last, First>(word, value); });
        }) == no_failure);
    });
    CHECK(fields == 36);
}

TEST_CASE("bit_field: set, every word and value of one field of 16 bits") {
    CHECK(sweep_pairs<u16>([](u16 value) {
        return first_difference<u16>(0, values_of<u16>,
                                     [value](u16 word) { return set_differs<u16, 11, 4>(word, value); });
    }) == no_failure);
}

TEST_CASE("bit_field: set, every word of every field of 16 bits") {
    u32 const fields = for_each_field<u16>([]<u32 Last, u32 First>() {
        constexpr u16 largest = bit_field<u16, Last, First>::largest;
        constexpr u16 values[] = {0,      1,      largest, static_cast<u16>(largest >> 1), static_cast<u16>(~largest),
                                  0xFFFF, 0x5555, 0xAAAA};
        CAPTURE(Last);
        CAPTURE(First);
        for (u16 const value : values) {
            CHECK(first_difference<u16>(0, values_of<u16>, [value](u16 word) {
                      return set_differs<u16, Last, First>(word, value);
                  }) == nowhere);
        }
    });
    CHECK(fields == 136);
}

TEST_CASE("low_mask: every width of 16 bits") {
    for (u32 width = 0; width <= 16; ++width) {
        CHECK(low_mask<u16>(width) == (u32{1} << width) - 1);
    }
}

}  // namespace
