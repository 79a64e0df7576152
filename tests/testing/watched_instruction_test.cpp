// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/watched/instruction.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>

using namespace wddmcore::testing;
using enum watched_action;

namespace {

// Nothing behind the ModRM byte may be read: the array ends there, which a constant evaluation checks.
template <class... Byte>
constexpr watched_instruction decode(Byte... bytes) {
    std::uint8_t const code[] = {static_cast<std::uint8_t>(bytes)...};
    return watched_decode(code);
}

constexpr bool is(watched_instruction found, watched_action action, unsigned size) {
    return found.action == action && found.size == size;
}

}  // namespace

// General-purpose stores; the ModRM byte 03 is [rbx] with register 0.
static_assert(is(decode(0x88, 0x03), store, 1));
static_assert(is(decode(0x89, 0x03), store, 4));
static_assert(is(decode(0x66, 0x89, 0x03), store, 2));
static_assert(is(decode(0x48, 0x89, 0x03), store, 8));
static_assert(is(decode(0x41, 0x89, 0x03), store, 4));
static_assert(is(decode(0xC7, 0x03), store, 4));
static_assert(is(decode(0x65, 0xC6, 0x03), store, 1));
static_assert(is(decode(0x0F, 0xC3, 0x03), store, 4));
static_assert(is(decode(0x48, 0x0F, 0xC3, 0x03), store, 8));
static_assert(is(decode(0x0F, 0x38, 0xF1, 0x03), store, 4));

// Read-modify-write.
static_assert(is(decode(0x01, 0x03), update, 4));
static_assert(is(decode(0x30, 0x03), update, 1));
static_assert(is(decode(0x83, 0x03), update, 4));
static_assert(is(decode(0x48, 0x81, 0x23), update, 8));
static_assert(is(decode(0x87, 0x03), update, 4));
static_assert(is(decode(0xFF, 0x03), update, 4));
static_assert(is(decode(0xFE, 0x0B), update, 1));
static_assert(is(decode(0xF7, 0x1B), update, 4));
static_assert(is(decode(0xD1, 0x23), update, 4));
static_assert(is(decode(0xF0, 0x48, 0x0F, 0xC1, 0x03), update, 8));
static_assert(is(decode(0xF0, 0x0F, 0xB1, 0x03), update, 4));
static_assert(is(decode(0x48, 0x0F, 0xC7, 0x0B), update, 16));
static_assert(is(decode(0x0F, 0xAB, 0x03), update, 4));
static_assert(is(decode(0x0F, 0xBA, 0x2B), update, 4));

// Loads, comparisons among them.
static_assert(is(decode(0x8B, 0x03), load, 4));
static_assert(is(decode(0x48, 0x8B, 0x03), load, 8));
static_assert(is(decode(0x38, 0x03), load, 1));
static_assert(is(decode(0x39, 0x03), load, 4));
static_assert(is(decode(0x83, 0x3B), load, 4));
static_assert(is(decode(0x80, 0x3B), load, 1));
static_assert(is(decode(0xF6, 0x03), load, 1));
static_assert(is(decode(0x85, 0x03), load, 4));
static_assert(is(decode(0x0F, 0xB6, 0x03), load, 1));
static_assert(is(decode(0x0F, 0xBF, 0x03), load, 2));
static_assert(is(decode(0x63, 0x03), load, 4));
static_assert(is(decode(0x0F, 0xBA, 0x23), load, 4));
static_assert(is(decode(0x0F, 0x10, 0x03), load, 16));
static_assert(is(decode(0xF3, 0x0F, 0x10, 0x03), load, 4));
static_assert(is(decode(0xF2, 0x0F, 0x10, 0x03), load, 8));
static_assert(is(decode(0x66, 0x0F, 0x6F, 0x03), load, 16));
static_assert(is(decode(0x0F, 0x6F, 0x03), load, 8));
static_assert(is(decode(0xF3, 0x0F, 0x7E, 0x03), load, 8));
static_assert(is(decode(0xC5, 0xFC, 0x10, 0x03), load, 32));
static_assert(is(decode(0xC4, 0xC1, 0x7E, 0x6F, 0x03), load, 32));
static_assert(is(decode(0xC5, 0xF9, 0x6F, 0x03), load, 16));
static_assert(is(decode(0xC4, 0xE1, 0xF9, 0x6E, 0x03), load, 8));
static_assert(is(decode(0xC4, 0xE1, 0x79, 0x6E, 0x03), load, 4));
static_assert(is(decode(0xC5, 0xFA, 0x10, 0x03), load, 4));
static_assert(is(decode(0xC5, 0xFB, 0x10, 0x03), load, 8));
static_assert(is(decode(0x0F, 0x40, 0x03), load, 4));
static_assert(is(decode(0x0F, 0x38, 0xF0, 0x03), load, 4));
static_assert(is(decode(0x62, 0xF1, 0xFE, 0x48, 0x6F, 0x03), load, 64));
static_assert(is(decode(0x66, 0x0F, 0x38, 0x2A, 0x03), load, 16));

// String elements, cache hints, and what has to be found out by looking.
static_assert(is(decode(0xF3, 0xA4), string, 1));
static_assert(is(decode(0xF3, 0xA5), string, 4));
static_assert(is(decode(0xF3, 0x48, 0xAB), string, 8));
static_assert(is(decode(0xAA), string, 1));
static_assert(is(decode(0x0F, 0xAE, 0x3B), hint, 0));
static_assert(is(decode(0x66, 0x0F, 0xAE, 0x33), hint, 0));
static_assert(is(decode(0x0F, 0xAE, 0x33), other, 0));
static_assert(is(decode(0x0F, 0x11, 0x03), other, 0));
static_assert(is(decode(0xC5, 0xFE, 0x7F, 0x03), other, 0));
static_assert(is(decode(0xDD, 0x1B), other, 0));
static_assert(is(decode(0x8F, 0x03), other, 0));
static_assert(is(decode(0x04, 0x03), other, 0));
static_assert(is(decode(0xF2, 0x0F, 0x38, 0xF1, 0x03), other, 0));
static_assert(is(decode(0xC5, 0xF9, 0xAB, 0x03), other, 0));
static_assert(is(decode(0xC4, 0xE2, 0x78, 0xF1, 0x03), other, 0));

TEST_CASE("law 4: every ALU form with a memory destination is a read-modify-write, except comparisons") {
    for (unsigned row = 0; row < 8; ++row) {
        for (unsigned column = 0; column < 4; ++column) {
            std::uint8_t const code[] = {static_cast<std::uint8_t>(row * 8 + column), 0x03};
            CAPTURE(code[0]);
            CHECK(watched_decode(code) == watched_instruction{row != 7 && column < 2 ? update : load,
                                                              column % 2 == 0 ? std::uint8_t{1} : std::uint8_t{4}});
        }
    }
}

TEST_CASE("law 4: prefixes in any order change the size and nothing else") {
    for (int const given : {0x2E, 0x36, 0x3E, 0x26, 0x64, 0x65, 0x67}) {
        auto const segment = static_cast<std::uint8_t>(given);
        std::uint8_t const first[] = {segment, 0x66, 0x89, 0x03};
        std::uint8_t const second[] = {0x66, segment, 0x89, 0x03};
        std::uint8_t const wide[] = {segment, 0x66, 0x48, 0x89, 0x03};
        CHECK(watched_decode(first) == watched_instruction{store, 2});
        CHECK(watched_decode(second) == watched_instruction{store, 2});
        CHECK(watched_decode(wide) == watched_instruction{store, 8});
    }
}
