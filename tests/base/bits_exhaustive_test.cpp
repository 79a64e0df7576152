// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "every_bit_field.hpp"
#include "exhaustive.hpp"

#include <doctest/doctest.h>

namespace bits_exhaustive_test {

// Covered in every build: place and of, every word of all 136 fields of 16 bits; set, every pair (word, value) of all
// 36 fields of 8 bits, and of the 16-bit fields every word with eight values. In an optimised build besides: set, all
// 2^32 pairs of one field of 16 bits, [11:4], which has neighbours on both sides. The models divide and multiply by
// powers of two where the library masks and shifts, in 32 bits: no number of a 16-bit word comes near their end.
namespace {

using namespace base_test;

constexpr u32 power(u32 exponent) { return u32{1} << exponent; }

template <class T>
u32 model_place(any_bit_field<T> const& field, u32 value) {
    return value % power(field.last - field.first + 1) * power(field.first);
}

template <class T>
u32 model_of(any_bit_field<T> const& field, u32 word) {
    return word / power(field.first) % power(field.last - field.first + 1);
}

template <class T>
u32 model_set(any_bit_field<T> const& field, u32 word, u32 value) {
    return word - model_of(field, word) * power(field.first) + model_place(field, value);
}

/// The first word that a field's `set` does not treat as the model does.
template <class T>
u32 first_wrong_set(any_bit_field<T> const& field, T value) {
    return first_difference<T>(0, values_of<T>, [&field, value](T word) {
        return differs(field.set(word, value), model_set(field, word, value));
    });
}

TEST_CASE("bit_field: place and of, every number of every field of 16 bits") {
    for (auto const& field : every_field<u16>) {
        CAPTURE(field.last);
        CAPTURE(field.first);
        auto const difference = [&field](u16 n) {
            return differs(field.place(n), model_place(field, n)) | differs(field.of(n), model_of(field, n));
        };
        CHECK(first_difference<u16>(0, values_of<u16>, difference) == nowhere);
    }
}

TEST_CASE("bit_field: set, every word and value of every field of 8 bits") {
    for (auto const& field : every_field<u8>) {
        CAPTURE(field.last);
        CAPTURE(field.first);
        for (u32 value = 0; value < values_of<u8>; ++value) {
            CHECK(first_wrong_set(field, static_cast<u8>(value)) == nowhere);
        }
    }
}

TEST_CASE("bit_field: set, every word of every field of 16 bits") {
    for (auto const& field : every_field<u16>) {
        CAPTURE(field.last);
        CAPTURE(field.first);
        u32 const largest = field.largest;
        for (u32 const value : {0u, 1u, largest, largest >> 1, ~largest, 0xFFFFu, 0x5555u, 0xAAAAu}) {
            CHECK(first_wrong_set(field, static_cast<u16>(value)) == nowhere);
        }
    }
}

TEST_CASE("bit_field: set, every word and value of one field of 16 bits") {
    auto const row = [](u16 value) {
        u32 const placed = u32{value} % 256 * 16;
        return first_difference<u16>(0, values_of<u16>, [value, placed](u16 word) {
            u32 const kept = u32{word} / 4096 * 4096 + u32{word} % 16;
            return differs(bit_field<u16, 11, 4>::set(word, value), kept + placed);
        });
    };
    CHECK(sweep_pairs<u16>(row) == no_failure);
}

TEST_CASE("low_mask: every width of 16 bits") {
    for (u32 width = 0; width <= 16; ++width) {
        CHECK(low_mask<u16>(width) == power(width) - 1);
    }
}

}  // namespace

}  // namespace bits_exhaustive_test
