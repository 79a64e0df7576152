// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/paging/cpu/access.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>

namespace cpu_access_test {

using namespace wddmcore;

namespace {

constexpr usize word = sizeof(usize);
constexpr usize room = 8 * word;

/// Bytes that no neighbour of theirs has, from a word's boundary on.
struct alignas(word) some_bytes {
    std::array<u8, room> of{};

    explicit some_bytes(u8 first) {
        for (usize i = 0; i != room; ++i) {
            of[i] = static_cast<u8>(first + i);
        }
    }
};

/// What must be there after a copy between two places, byte by byte.
some_bytes copied(some_bytes to, usize at, some_bytes const& from, usize first, usize size) {
    for (usize i = 0; i != size; ++i) {
        to.of[at + i] = from.of[first + i];
    }
    return to;
}

/// Calls `each(to, from, size)` for every place of both sides in a word, and every size up to four words.
template <class Each>
void for_all_places(Each each) {
    for (usize to = 0; to != word; ++to) {
        for (usize from = 0; from != word; ++from) {
            for (usize size = 0; size <= 4 * word; ++size) {
                CAPTURE(to);
                CAPTURE(from);
                CAPTURE(size);
                each(word + to, word + from, size);
            }
        }
    }
}

}  // namespace

TEST_CASE("OP08-07: a copy by the CPU moves its bytes and no neighbour, also one that ends before the word does") {
    for_all_places([](usize to, usize from, usize size) {
        some_bytes const source(0x80);
        some_bytes const fresh(1);
        some_bytes up = fresh;
        paging::detail::cpu::copy_bytes<false>(up.of.data() + to, source.of.data() + from, size);
        some_bytes down = fresh;
        paging::detail::cpu::copy_bytes<true>(down.of.data() + to, source.of.data() + from, size);
        some_bytes const expected = copied(fresh, to, source, from, size);
        REQUIRE((up.of == expected.of));
        REQUIRE((down.of == expected.of));
    });
}

TEST_CASE("OP08-07: inside one place the direction keeps what is still to be read") {
    for_all_places([](usize to, usize from, usize size) {
        some_bytes const fresh(0x40);
        some_bytes bytes = fresh;
        if (to <= from) {
            paging::detail::cpu::copy_bytes<false>(bytes.of.data() + to, bytes.of.data() + from, size);
        } else {
            paging::detail::cpu::copy_bytes<true>(bytes.of.data() + to, bytes.of.data() + from, size);
        }
        REQUIRE((bytes.of == copied(fresh, to, fresh, from, size).of));
    });
}

TEST_CASE("AMB-09: a fill by the CPU begins with its pattern's first byte, wherever that lies, and ends in time") {
    constexpr u32 pattern = 0xD4C3'B2A1;
    constexpr std::array<u8, 4> in_memory{0xA1, 0xB2, 0xC3, 0xD4};
    for_all_places([&](usize to, usize, usize size) {
        some_bytes expected(7);
        some_bytes bytes = expected;
        for (usize i = 0; i != size; ++i) {
            expected.of[to + i] = in_memory[i % 4];
        }
        paging::detail::cpu::fill_bytes(bytes.of.data() + to, size, pattern);
        REQUIRE((bytes.of == expected.of));
    });
}

}  // namespace cpu_access_test
