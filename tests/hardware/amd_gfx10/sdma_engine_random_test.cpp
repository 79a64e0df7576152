// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sdma_test_bus.hpp"

#include <doctest/doctest.h>

#include <random>

namespace sdma_engine_random_test {

namespace {

using namespace sdma_test;
using words_type = std::vector<std::uint32_t>;

/// One stream over `two_ranges`, and the bytes that it must leave, made one byte at a time.
class random_stream {
public:
    explicit random_stream(std::uint64_t seed) : random_(seed), expected(two_ranges().memory) {}

    void add_packet() {
        switch (below(6)) {
            case 0: return copy();
            case 1: return fill();
            case 2: return write();
            case 3: return entries();
            case 4: return fence();
            default: return skip();
        }
    }

    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

private:
    std::mt19937_64 random_;

public:
    words_type words;
    std::vector<std::byte> expected;
    std::uint64_t commands = 0;
    std::uint64_t moved = 0;

private:
    void put(std::uint64_t value) { words.push_back(static_cast<std::uint32_t>(value)); }

    /// Appends the address of byte `offset` of the memory.
    void put_address(std::uint64_t offset) {
        std::uint64_t const address = offset < half ? low + offset : high + (offset - half);
        put(address & 0xffffffff);
        put(address >> 32);
    }

    void set32(std::uint64_t offset, std::uint64_t value) {
        for (unsigned i = 0; i < 4; ++i) {
            expected[offset + i] = static_cast<std::byte>(value >> (8 * i));
        }
    }

    void copy() {
        std::uint64_t const size = 1 + below(half / 2);
        std::uint64_t from = below(half - size + 1);
        std::uint64_t to = half + below(half - size + 1);
        if (below(2) != 0) {
            std::swap(from, to);
        }
        put(1);
        put(size - 1);
        put(0);
        put_address(from);
        put_address(to);
        for (std::uint64_t i = 0; i < size; ++i) {
            expected[to + i] = expected[from + i];
        }
        ++commands;
        moved += size;
    }

    void fill() {
        bool const dwords = below(2) != 0;
        std::uint64_t const pattern = below(0x100000000);
        std::uint64_t const size = dwords ? 4 * (1 + below(500)) : 1 + below(2000);
        std::uint64_t const to = half * below(2) + (dwords ? 4 * below((half - size) / 4 + 1) : below(half - size + 1));
        put(dwords ? 0x8000000b : 0x0000000b);
        put_address(to);
        put(pattern);
        put(dwords ? size - 1 - below(4) : size - 1);
        for (std::uint64_t i = 0; i < size; ++i) {
            expected[to + i] = static_cast<std::byte>(dwords ? pattern >> (8 * (i % 4)) : pattern);
        }
        ++commands;
        moved += size;
    }

    void write() {
        std::uint64_t const count = 1 + below(20);
        std::uint64_t const to = half * below(2) + 4 * below(half / 4 - count + 1);
        put(2);
        put_address(to);
        put(count - 1);
        for (std::uint64_t i = 0; i < count; ++i) {
            std::uint64_t const value = below(0x100000000);
            put(value);
            set32(to + 4 * i, value);
        }
        ++commands;
    }

    void entries() {
        std::uint64_t const count = 1 + below(600);
        std::uint64_t const to = half * below(2) + 8 * below(half / 8 - count + 1);
        std::uint64_t const flags = below(0x1000) | below(0x10000) << 48;
        std::uint64_t const address = below(0x100000000) << 12;
        std::uint64_t const step = below(0x1000) << 12;
        put(12);
        put_address(to);
        put(flags & 0xffffffff);
        put(flags >> 32);
        put(address & 0xffffffff);
        put(address >> 32);
        put(step);
        put(0);
        put(count - 1);
        for (std::uint64_t i = 0; i < count; ++i) {
            std::uint64_t const entry = flags + address + i * step;
            set32(to + 8 * i, entry & 0xffffffff);
            set32(to + 8 * i + 4, entry >> 32);
        }
        ++commands;
    }

    void fence() {
        std::uint64_t const to = half * below(2) + 4 * below(half / 4);
        std::uint64_t const value = below(0x100000000);
        put(0x00030005);
        put_address(to);
        put(value);
        set32(to, value);
        ++commands;
    }

    void skip() {
        std::uint64_t const count = below(20);
        put(count << 16);
        for (std::uint64_t i = 0; i < count; ++i) {
            put(below(0x100000000));
        }
    }
};

}  // namespace

TEST_CASE("SDMA5 random streams leave the bytes that a byte-by-byte model leaves") {
    std::uint64_t const seed = seed_of_run();
    INFO("WDDMCORE_SEED=" << seed);
    for (std::uint64_t round = 0; round < 40; ++round) {
        CAPTURE(round);
        random_stream stream(seed + round);
        for (int i = 0; i < 30; ++i) {
            stream.add_packet();
        }
        two_ranges bus;
        bus.largest_piece = 1 + stream.below(5000);
        execution const done = run(bus, window(stream.words));
        REQUIRE_MESSAGE(done.ok, done.why);
        CHECK(done.commands == stream.commands);
        CHECK(done.moved_bytes == stream.moved);
        REQUIRE(bus.memory == stream.expected);
    }
}

TEST_CASE("SDMA5 damaged streams: what is refused has changed nothing") {
    std::uint64_t const seed = seed_of_run();
    INFO("WDDMCORE_SEED=" << seed);
    int refused = 0;
    for (std::uint64_t round = 0; round < 200; ++round) {
        CAPTURE(round);
        random_stream stream(~seed + round);
        for (int i = 0; i < 6; ++i) {
            stream.add_packet();
        }
        words_type damaged = window(stream.words);
        for (std::uint64_t flips = 1 + stream.below(3); flips != 0; --flips) {
            damaged[stream.below(damaged.size())] ^= std::uint32_t{1} << stream.below(32);
        }
        two_ranges bus;
        execution const done = run(bus, damaged);
        CHECK(done.ok == done.why.empty());
        if (done.ok) {
            continue;
        }
        ++refused;
        REQUIRE(done.dword < damaged.size());
        // The packets before the refused one, alone, are right and leave the same memory and the same counts.
        damaged.resize(done.dword);
        two_ranges prefix_bus;
        execution const prefix = run(prefix_bus, window(damaged));
        REQUIRE_MESSAGE(prefix.ok, prefix.why);
        CHECK(prefix.commands == done.commands);
        CHECK(prefix.moved_bytes == done.moved_bytes);
        CHECK(prefix_bus.memory == bus.memory);
    }
    CHECK(refused > 20);
}

}  // namespace sdma_engine_random_test
