// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/paging/cpu/access.hpp>
#include <wddmcore/testing/watched/buffer.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <vector>

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

TEST_CASE("OP00-10: how far a place lies past the start of a machine word") {
    some_bytes const bytes(0);
    for (usize i = 0; i != room; ++i) {
        CHECK(paging::detail::cpu::past_word(bytes.of.data() + i) == i % word);
    }
}

// Where a buffer can be watched; a sanitizer's own loads would be seen as the library's.
#if defined(__x86_64__) && defined(__linux__) && !defined(WDDMCORE_SANITIZED)

namespace {

/// An access: its first byte and its bytes.
struct touched {
    i64 at;
    u64 size;
    friend bool operator==(touched, touched) = default;
};

/// All accesses of one kind that a watched buffer saw, in order.
std::vector<touched> seen(testing::watched_buffer const& buffer, testing::watched_kind kind) {
    std::vector<touched> all;
    for (testing::watched_access const& one : buffer.accesses()) {
        if (one.kind == kind) {
            all.push_back({one.offset, one.size});
        }
    }
    return all;
}

/// Bytes up to a word's boundary, whole words, and the bytes that are left; or bytes alone.
std::vector<touched> walked(usize first, usize size, bool downward, bool in_words) {
    std::vector<touched> all;
    usize const end = first + size;
    for (usize done = 0; done != size;) {
        usize const at = downward ? end - done : first + done;
        usize const step = in_words && at % word == 0 && size - done >= word ? word : 1;
        all.push_back({static_cast<i64>(downward ? at - step : at), step});
        done += step;
    }
    return all;
}

}  // namespace

TEST_CASE("OP00-10: the CPU moves aligned words where both sides can have them, else bytes, each of them once") {
    using enum testing::watched_kind;
    testing::watched_buffer to(64);
    testing::watched_buffer from(64);
    REQUIRE(to.watching() == from.watching());
    for (usize past = 0; past != word && to.watching(); ++past) {
        for (usize const shift : {usize{0}, usize{1}}) {
            for (usize size = 0; size != 2 * word + 3; ++size) {
                CAPTURE(past);
                CAPTURE(shift);
                CAPTURE(size);
                for (bool const downward : {false, true}) {
                    u8* const destination = reinterpret_cast<u8*>(to.data()) + past;
                    u8 const* const source = reinterpret_cast<u8 const*>(from.data()) + past + shift;
                    REQUIRE(to.arm(0, 64));
                    REQUIRE(from.arm(0, 64));
                    if (downward) {
                        paging::detail::cpu::copy_bytes<true>(destination, source, size);
                    } else {
                        paging::detail::cpu::copy_bytes<false>(destination, source, size);
                    }
                    to.disarm();
                    from.disarm();
                    REQUIRE(seen(to, write) == walked(past, size, downward, shift == 0));
                    REQUIRE(seen(from, read) == walked(past + shift, size, downward, shift == 0));
                }
            }
        }
    }
}

TEST_CASE("AMB-09: a fill by the CPU writes aligned words, and bytes before and after them") {
    testing::watched_buffer buffer(64);
    for (usize past = 0; past != word && buffer.watching(); ++past) {
        for (usize size = 0; size != 2 * word + 3; ++size) {
            CAPTURE(past);
            CAPTURE(size);
            REQUIRE(buffer.arm(0, 64));
            paging::detail::cpu::fill_bytes(reinterpret_cast<u8*>(buffer.data()) + past, size, 0x0102'0304);
            buffer.disarm();
            REQUIRE(seen(buffer, testing::watched_kind::write) == walked(past, size, false, true));
        }
    }
}

TEST_CASE("OP03-02 OP04-01: a byte is really read, or written, and none beside it") {
    using enum testing::watched_kind;
    testing::watched_buffer buffer(64);
    if (buffer.watching()) {
        std::vector<touched> const once{{5, 1}};
        u8* const at = reinterpret_cast<u8*>(buffer.data()) + 5;
        REQUIRE(buffer.arm(0, 64));
        paging::detail::cpu::touch_byte(at);
        buffer.disarm();
        CHECK(seen(buffer, read) == once);
        CHECK(seen(buffer, write).empty());
        REQUIRE(buffer.arm(0, 64));
        paging::detail::cpu::write_byte(at);
        buffer.disarm();
        CHECK(seen(buffer, read).empty());
        CHECK(seen(buffer, write) == once);
    }
}

#endif

}  // namespace cpu_access_test
