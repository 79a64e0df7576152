// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The decoder of the mock's commands, by commands put together here, number by number.
#include "mock_engine.hpp"

#include "../cpu/test_bus.hpp"

#include <doctest/doctest.h>

namespace mock_engine_test {

using namespace decoder_tests;
using wddmcore::testing::mock_aperture;
using wddmcore::testing::mock_engine;
using wddmcore::testing::mock_map;

namespace {

constexpr std::size_t part = 0x8000;
constexpr std::uint64_t segment_bus = 0x10'0000;
constexpr std::uint64_t pages_bus = 0x2'0000'0000;
constexpr std::uint64_t process_bus = 0x30'0000'0000;

/// Three times 32 KiB: in segment 4, in pages, in the paging process.
struct three_parts : patchy_bus {
    three_parts()
        : patchy_bus(3 * part, {{segment_bus, 0, part}, {pages_bus, part, part}, {process_bus, 2 * part, part}}) {}
};

mock_engine engine_over(std::vector<mock_aperture> apertures = {}) {
    return mock_engine(mock_map{{{4, segment_bus}}, pages_bus, process_bus}, std::move(apertures));
}

struct place {
    std::uint64_t value;
    std::uint32_t target;
    std::uint32_t number;
};
place local(std::uint64_t value) { return {value, 0x11, 4}; }
place paged(std::uint64_t value) { return {value, 0x22, 0}; }
place process(std::uint64_t value) { return {value, 0x33, 0}; }

words ended(words command) {
    std::uint32_t sum = 0;
    for (std::uint32_t const w : command) {
        sum ^= w;
    }
    command.push_back(sum);
    return command;
}
words copy(place to, place from, std::uint32_t size) {
    return ended({0xB701'000B, high(to.value), low(to.value), to.target, to.number, high(from.value), low(from.value),
                  from.target, from.number, size});
}
words fill(place to, std::uint32_t size, std::uint32_t byte) {
    return ended({0xB702'0007, high(to.value), low(to.value), to.number << 8 | to.target, size, byte});
}
words swizzled(std::uint32_t argument, place to, place from, std::uint32_t size, std::uint64_t offset, std::uint32_t id,
               std::uint32_t data) {
    return ended({0xB703'000D | argument << 8, high(to.value), low(to.value), to.number << 8 | to.target,
                  high(from.value), low(from.value), from.number << 8 | from.target, size, high(offset), low(offset),
                  id, data});
}
words entry(std::uint32_t segment, std::uint32_t index, std::uint64_t value) {
    return ended({0xB704'0005 | segment << 8, index, high(value), low(value)});
}
words discard(std::uint32_t argument, place at) {
    return ended({0xB705'0007 | argument << 8, high(at.value), low(at.value), at.target, at.number, 0});
}
words access(std::uint32_t code, place at) {
    return ended({0xB700'0005 | code << 16, high(at.value), low(at.value), at.number << 8 | at.target});
}

words padded(words window) {
    std::size_t const left = (3 - window.size() % 3) % 3;
    for (std::size_t i = left; i != 0; --i) {
        window.push_back(0xFADE'0000 | static_cast<std::uint32_t>(i));
    }
    return window;
}
execution run(wddmcore::testing::gpu_bus& bus, words const& window) {
    mock_engine engine = engine_over();
    return engine.execute(window.data(), window.size(), bus);
}
words without_sum(words command, std::size_t dword, std::uint32_t value) {
    command.pop_back();
    command[dword] = value;
    return ended(command);
}

/// Refused at its own dword, and nothing has changed.
void expect_refused(words const& command, std::string const& text) {
    CAPTURE(text);
    three_parts bus;
    std::vector<std::byte> const before = bus.memory;
    execution const done = run(bus, padded(command));
    CHECK(!done.ok);
    CHECK(done.dword == 0);
    CHECK(done.commands == 0);
    CHECK(done.moved_bytes == 0);
    CHECK_MESSAGE(has(done.why, text), done.why);
    CHECK(bus.memory == before);
}

std::size_t block_of(std::size_t i, std::size_t blocks, std::size_t key) {
    std::size_t const turned = (i + key) % blocks;
    return key % 2 != 0 ? blocks - 1 - turned : turned;
}

}  // namespace

TEST_CASE("mock engine: every command does what its table says") {
    three_parts bus;
    std::vector<std::byte> expected = bus.memory;
    words window = copy(paged(0x40), local(0x100), 10'000);
    append(window, fill(process(2), 5'998, 0xAB));
    append(window, access(6, local(1)));
    append(window, access(7, paged(part - 1)));
    append(window, discard(1, local(0x2000)));
    append(window, discard(0, paged(0x3000)));
    mock_engine engine = engine_over();
    window = padded(window);
    execution const done = engine.execute(window.data(), window.size(), bus);
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.commands == 6);
    CHECK(done.moved_bytes == 15'998);
    model_copy(expected, part + 0x40, 0x100, 10'000);
    model_fill(expected, 2 * part + 2, 5'998, 0xABAB'ABAB);
    expected[2 * part - 1] = bus.memory[2 * part - 1];
    CHECK(bus.memory == expected);
    CHECK(engine.discarded() == std::vector<std::uint64_t>{segment_bus + 0x2000, pages_bus + 0x3000});
}

TEST_CASE("mock engine: a layout is a permutation of 64-byte blocks, and its way back") {
    for (std::uint32_t const size : {4096u, 64u, 1024u, 2000u, 48u}) {
        for (std::uint64_t const offset : {std::uint64_t{0}, std::uint64_t{5 * 4096}, std::uint64_t{0x30'0000'1000}}) {
            CAPTURE(size);
            CAPTURE(offset);
            three_parts bus;
            std::vector<std::byte> const before = bus.memory;
            std::size_t const key = static_cast<std::size_t>(offset / 4096 * 7 + 3 * 9 + 2);
            words window = swizzled(1, local(0x1000), paged(0), size, offset, 9, 2);
            append(window, swizzled(2, process(0), local(0x1000), size, offset, 9, 2));
            execution const done = run(bus, padded(window));
            REQUIRE_MESSAGE(done.ok, done.why);
            CHECK(done.moved_bytes == 2 * size);
            std::size_t const blocks = size / 64;
            for (std::size_t i = 0; i < size; ++i) {
                std::size_t const at = i < blocks * 64 ? block_of(i / 64, blocks, key) * 64 + i % 64 : i;
                REQUIRE(bus.memory[0x1000 + at] == before[part + i]);
                REQUIRE(bus.memory[2 * part + i] == before[part + i]);
            }
        }
    }
}

TEST_CASE("mock engine: aperture entries arrive in the table (OP05-01, OP05-03)") {
    std::vector<std::byte> table(5 * 8);
    mock_engine engine = engine_over({mock_aperture{9, table}});
    three_parts bus;
    words const window = padded(entry(9, 3, 0xC000'0012'3456'789A));
    CHECK(engine.execute(window.data(), window.size(), bus).ok);
    CHECK(engine.page_of(9, 3) == 0x12'3456'789Au);
    CHECK(engine.coherent_of(9, 3) == true);
    CHECK(!engine.page_of(9, 2));  // never written
    CHECK(!engine.page_of(9, 5));
    CHECK(!engine.coherent_of(8, 3));
    for (words const& wrong : {entry(9, 5, 0x4000'0000'0000'0001), entry(8, 0, 0x4000'0000'0000'0001),
                               entry(9, 0, 0x0000'0000'0000'0001), entry(9, 0, 0x4010'0000'0000'0001)}) {
        words const refused = padded(wrong);
        execution const done = engine.execute(refused.data(), refused.size(), bus);
        CHECK(!done.ok);
        CHECK(!done.why.empty());
    }
    CHECK(!engine.page_of(9, 0));
}

TEST_CASE("mock engine: no single bit of a command can change without being noticed") {
    words const commands[] = {
        copy(paged(0), local(16), 32), fill(process(2), 6, 7), swizzled(1, local(0), paged(0), 128, 4096, 1, 2),
        discard(1, local(0)),          access(6, local(0)),    access(7, local(0))};
    for (words const& command : commands) {
        for (std::size_t bit = 0; bit < command.size() * 32; ++bit) {
            three_parts bus;
            std::vector<std::byte> const before = bus.memory;
            words window = command;
            window[bit / 32] ^= std::uint32_t{1} << bit % 32;
            execution const done = run(bus, padded(window));
            CHECK_MESSAGE(!done.ok, "bit " << bit << " of " << command[0]);
            CHECK(!done.why.empty());
            CHECK(bus.memory == before);
        }
    }
}

TEST_CASE("mock engine: what no encoder means to write is refused") {
    expect_refused({0, 0, 0}, "0x0 begins no command");
    expect_refused({0xB715'0005, 0, 0}, "begins no command");
    expect_refused(without_sum(copy(paged(0), local(0), 16), 0, 0xB701'000A), "copy has 11 dwords, but says 10");
    expect_refused(without_sum(copy(paged(0), local(0), 16), 0, 0xB701'010B), "copy has no argument 1");
    expect_refused({0xB701'000B, 0, 0}, "copy has 11 dwords, but the window ends after 3");
    expect_refused(copy(paged(0), local(0), 0), "copy takes 1 to 10000 bytes, not 0");
    expect_refused(copy(paged(0), local(0), 10'016), "copy takes 1 to 10000 bytes, not 10016");
    expect_refused(copy(paged(0), local(0), 24), "copy takes multiples of 16 only");
    expect_refused(copy(paged(8), local(0), 32), "copy takes multiples of 16 only");
    expect_refused(copy(paged(0), local(8), 32), "copy takes multiples of 16 only");
    expect_refused(copy(local(16), local(0), 32), "overlaps itself");
    expect_refused(copy(local(0), local(16), 32), "overlaps itself");
    expect_refused(copy(local(0), local(part - 16), 32), "copy reads 32 bytes at bus address 0x107ff0");
    expect_refused(copy(paged(part - 16), local(0), 32), "copy writes 32 bytes");
    expect_refused(copy({0, 0x11, 5}, local(0), 32), "copy: there is no segment 5");
    expect_refused(copy({0, 0x44, 0}, local(0), 32), "copy: there is no target 0x44");
    expect_refused(copy({0, 0x22, 1}, local(0), 32), "copy: number 1 belongs to no segment's target");
    expect_refused(copy(paged(~std::uint64_t{15}), local(0), 32), "copy writes 32 bytes");
    expect_refused(fill(local(0), 6'002, 1), "fill takes 1 to 6000 bytes, not 6002");
    expect_refused(fill(local(1), 4, 1), "fill takes multiples of 2 only");
    expect_refused(fill(local(0), 5, 1), "fill takes multiples of 2 only");
    expect_refused(fill(local(0), 4, 0x100), "fill repeats one byte, not 0x100");
    expect_refused(fill(local(part), 4, 1), "fill writes 4 bytes");
    expect_refused(swizzled(0, local(0), paged(0), 64, 0, 0, 0), "swizzled copy has no argument 0");
    expect_refused(swizzled(3, local(0), paged(0), 64, 0, 0, 0), "swizzled copy has no argument 3");
    expect_refused(swizzled(1, local(0), paged(0), 4112, 0, 0, 0), "swizzled copy takes 1 to 4096 bytes, not 4112");
    expect_refused(swizzled(1, local(0), local(32), 64, 0, 0, 0),
                   "swizzled copy of 64 bytes from 0x100020 to 0x100000 overlaps itself");
    expect_refused(discard(2, local(0)), "discard has no argument 2");
    expect_refused(without_sum(discard(1, local(0)), 5, 1), "discard sets its dword 5");
    expect_refused(access(6, local(part)), "read reads 1 bytes");
    expect_refused(access(7, process(part)), "write writes 1 bytes");
    expect_refused(entry(4, 0, 0x4000'0000'0000'0000), "there is no aperture entry 0 of segment 4");
}

TEST_CASE("mock engine: padding counts down to the end of a grain") {
    three_parts bus;
    words const command = access(6, local(0));  // five dwords: one is left
    words window = command;
    window.push_back(0xFADE'0001);
    CHECK(run(bus, window).ok);
    CHECK(run(bus, window).commands == 1);
    window.back() = 0xFADE'0002;
    CHECK(has(run(bus, window).why, "does not end a grain"));
    window.back() = 0xFADE'0000;
    CHECK(has(run(bus, window).why, "padding fills 1 or 2 dwords, not 0"));
    window.back() = 0;
    CHECK(run(bus, window).dword == 5);
    words two = fill(local(0), 2, 0);  // seven: two are left
    append(two, {0xFADE'0002, 0xFADE'0001});
    CHECK(run(bus, two).ok);
    two.back() = 0xFADE'0002;
    CHECK(has(run(bus, two).why, "padding of 2 goes on with 0xfade0002"));
    CHECK(has(run(bus, {0xFADE'0001, 0xFADE'0001, 0xFADE'0001}).why, "does not end a grain"));
    CHECK(has(run(bus, {0xFADE'0003, 0xFADE'0002, 0xFADE'0001}).why, "padding fills 1 or 2 dwords, not 3"));
    execution const odd = run(bus, command);
    CHECK(!odd.ok);
    CHECK(odd.dword == 5);
    CHECK(has(odd.why, "not whole grains of 3"));
}

TEST_CASE("mock engine: one memory behind two addresses is an overlap too (OP08-07)") {
    patchy_bus bus(part, {{segment_bus, 0, part}, {pages_bus, 0, part}});
    std::vector<std::byte> const before = bus.memory;
    CHECK(has(run(bus, padded(copy(paged(64), local(0), 128))).why, "overlaps itself"));
    CHECK(bus.memory == before);
    CHECK(run(bus, padded(copy(paged(128), local(0), 128))).ok);
}

TEST_CASE("mock engine: random streams leave the bytes that a byte-by-byte model leaves") {
    std::uint64_t const seed = seed_of_run();
    INFO("WDDMCORE_SEED=" << seed);
    for (std::uint64_t round = 0; round < 60; ++round) {
        CAPTURE(round);
        numbers random(seed + round);
        three_parts bus;
        bus.largest_piece = 1 + random.below(5000);
        std::vector<std::byte> expected = bus.memory;
        auto const at = [](std::uint64_t space, std::uint64_t offset) {
            return space == 0 ? local(offset) : space == 1 ? paged(offset) : process(offset);
        };
        words window;
        for (int i = 0; i < 20; ++i) {
            std::uint64_t const to = random.below(3);
            std::uint64_t const place_to = random.below((part - 10'000) / 16) * 16;
            if (random.below(2) != 0) {
                std::uint64_t const from = (to + 1 + random.below(2)) % 3;
                std::uint64_t const place_from = random.below((part - 10'000) / 16) * 16;
                auto const size = static_cast<std::uint32_t>(16 * (1 + random.below(625)));
                append(window, copy(at(to, place_to), at(from, place_from), size));
                model_copy(expected, to * part + place_to, from * part + place_from, size);
            } else {
                auto const size = static_cast<std::uint32_t>(2 * (1 + random.below(3'000)));
                auto const byte = static_cast<std::uint32_t>(random.below(256));
                append(window, fill(at(to, place_to + 2), size, byte));
                model_fill(expected, to * part + place_to + 2, size, byte * 0x0101'0101u);
            }
        }
        execution const done = run(bus, padded(window));
        REQUIRE_MESSAGE(done.ok, done.why);
        REQUIRE(bus.memory == expected);
    }
}

}  // namespace mock_engine_test
