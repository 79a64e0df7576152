// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The decoder of the cpu example's records, by records put together here, number by number.
#include <hardware/cpu/test_bus.hpp>
#include <wddmcore/testing/processor/engine.hpp>

#include <doctest/doctest.h>

namespace cpu_engine_test {

using namespace decoder_tests;
using wddmcore::testing::cpu_aperture;
using wddmcore::testing::cpu_engine;

namespace {

constexpr std::uint64_t near = 0x1'0000;         // fits 32 bits
constexpr std::uint64_t far = 0x7F12'3456'8000;  // does not
constexpr std::size_t half = 0x8000;

/// 32 KiB at each of the two addresses.
struct two_halves : patchy_bus {
    two_halves() : patchy_bus(2 * half, {{near, 0, half}, {far, half, half}}) {}
};

words copy(std::uint64_t to, std::uint64_t from, std::uint64_t size) {
    return {0x0801, 0, low(to), high(to), low(from), high(from), low(size), high(size)};
}
words fill(std::uint64_t to, std::uint64_t size, std::uint32_t pattern) {
    return {0x0802, pattern, low(to), high(to), low(size), high(size), 0, 0};
}
words access(std::uint32_t head, std::uint64_t place) { return {head, 0, low(place), high(place)}; }
words entry(std::uint32_t where, std::uint64_t index, std::uint64_t page) {
    return {0x0805, where, low(index), high(index), low(page), high(page), 0, 0};
}

execution run(wddmcore::testing::gpu_bus& bus, words const& window) {
    cpu_engine engine;
    return engine.execute(window.data(), window.size(), bus);
}

/// The record behind a "nothing" is refused at its own dword, and nothing has changed.
void check_refused(words const& record, std::string const& part) {
    CAPTURE(part);
    two_halves bus;
    std::vector<std::byte> const before = bus.memory;
    words window{0x0100, 0x0100};
    append(window, record);
    execution const done = run(bus, window);
    CHECK(!done.ok);
    CHECK(done.dword == 2);
    CHECK(done.commands == 0);
    CHECK(done.moved_bytes == 0);
    CHECK_MESSAGE(has(done.why, part), done.why);
    CHECK(bus.memory == before);
}

words changed(words record, std::size_t dword, std::uint32_t value) {
    record[dword] = value;
    return record;
}

}  // namespace

TEST_CASE("cpu engine: a copy, a fill, a read and a write do what their records say") {
    two_halves bus;
    std::vector<std::byte> expected = bus.memory;
    words window = copy(far + 3, near + 17, 1001);
    append(window, fill(near + 0x4000, 12, 0x4433'2211));
    append(window, access(0x0403, near));
    append(window, access(0x0404, far + 9));
    append(window, {0x0100, 0x0100});
    execution const done = run(bus, window);
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.commands == 4);
    CHECK(done.moved_bytes == 1013);
    model_copy(expected, half + 3, 17, 1001);
    model_fill(expected, 0x4000, 12, 0x4433'2211);
    expected[half + 9] = bus.memory[half + 9];  // arbitrary (OP03-01), and one byte only
    CHECK(bus.memory == expected);
}

TEST_CASE("cpu engine: overlapping copies end as if the source had been read first") {
    for (std::size_t const piece : {SIZE_MAX, std::size_t{100}, std::size_t{1}}) {
        for (std::uint64_t const to : {near + 64, near + 200, near + 1}) {
            two_halves bus;
            bus.largest_piece = piece;
            std::vector<std::byte> expected = bus.memory;
            CHECK(run(bus, copy(to, near + 100, 777)).ok);
            model_copy(expected, to - near, 100, 777);
            CHECK(bus.memory == expected);
        }
    }
}

TEST_CASE("cpu engine: aperture entries arrive in the table (OP05-01, OP05-03)") {
    std::vector<std::byte> table(4 * 16);
    std::vector<std::byte> other(2 * 16);
    cpu_engine engine({cpu_aperture{3, table}, cpu_aperture{7, other}});
    two_halves bus;
    words window = entry(0x103, 2, 0xF'1234'5678'9ABC);
    append(window, entry(0x007, 1, 5));
    execution const done = engine.execute(window.data(), window.size(), bus);
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.commands == 2);
    CHECK(engine.page_of(3, 2) == 0xF'1234'5678'9ABCu);
    CHECK(engine.coherent_of(3, 2) == true);
    CHECK(engine.page_of(7, 1) == 5u);
    CHECK(engine.coherent_of(7, 1) == false);
    CHECK(!engine.page_of(3, 4));
    CHECK(!engine.page_of(1, 0));
    for (std::size_t i = 0; i < table.size(); ++i) {
        CHECK_MESSAGE(((i >= 32 && i < 48) || table[i] == std::byte{0}), "byte " << i << " of the table changed");
    }
    words const outside[] = {entry(0x003, 4, 1), entry(0x004, 0, 1), entry(0x203, 0, 1),
                             entry(0x003, 0, 0x10'0000'0000'0000), changed(entry(0x003, 0, 1), 6, 1)};
    for (words const& wrong : outside) {
        execution const refused = engine.execute(wrong.data(), wrong.size(), bus);
        CHECK(!refused.ok);
        CHECK(!refused.why.empty());
    }
    CHECK(engine.page_of(3, 0) == 0u);
}

TEST_CASE("cpu engine: what no encoder means to write is refused") {
    check_refused({0, 0}, "nothing has head 0x0, not 0x100");
    check_refused({0x020E, 0}, "code 14 is no record");
    check_refused(changed(copy(far, near, 8), 0, 0x0701), "copy has head 0x701, not 0x801");
    check_refused(changed(copy(far, near, 8), 0, 0x1'0801), "copy has head 0x10801");
    check_refused({0x0801, 0, 0, 0, 0, 0}, "copy has 8 dwords, but the window ends after 6");
    check_refused(changed(copy(far, near, 8), 1, 1), "copy sets its dword 1, which is zero, to 0x1");
    check_refused(copy(far, near, 0), "copy takes 1 to 268435456 bytes, not 0");
    check_refused(copy(far, near, 0x1000'0001), "copy takes 1 to 268435456 bytes, not 268435457");
    check_refused(copy(far, near + half - 7, 8), "copy reads 8 bytes at 0x17ff9, which are not all backed");
    check_refused(copy(far + half - 7, near, 8), "copy writes 8 bytes at");
    check_refused(copy(near, ~std::uint64_t{0} - 3, 8), "copy reads 8 bytes at 0xfffffffffffffffc");
    check_refused(fill(near, 0, 0), "fill takes 1 to");
    check_refused(fill(near + 2, 4, 0), "not in whole dwords");
    check_refused(fill(near, 6, 0), "not in whole dwords");
    check_refused(changed(fill(near, 4, 0), 7, 1), "fill sets its dword 7");
    check_refused(fill(near + half - 4, 8, 0), "fill writes 8 bytes at");
    check_refused(access(0x0403, near - 1), "read reads 1 bytes at");
    check_refused(access(0x0404, near + half), "write writes 1 bytes at");
    check_refused(changed(access(0x0404, near), 1, 5), "write sets its dword 1");
    check_refused(entry(0x001, 0, 0), "there is no aperture entry 0 of segment 1");
    two_halves bus;
    execution const odd = run(bus, {0x0100, 0x0100, 0x0100});
    CHECK(!odd.ok);
    CHECK(odd.dword == 3);
    CHECK(has(odd.why, "not whole 64-bit units"));
}

TEST_CASE("cpu engine: random streams leave the bytes that a byte-by-byte model leaves") {
    std::uint64_t const seed = decoder_tests::seed_of_run();
    INFO("WDDMCORE_SEED=" << seed);
    for (std::uint64_t round = 0; round < 60; ++round) {
        CAPTURE(round);
        numbers random(seed + round);
        two_halves bus;
        bus.largest_piece = 1 + random.below(5000);
        std::vector<std::byte> expected = bus.memory;
        auto const address = [](std::uint64_t offset) { return offset < half ? near + offset : far + (offset - half); };
        words window;
        std::uint64_t moved = 0;
        for (int i = 0; i < 20; ++i) {
            std::uint64_t const to = half * random.below(2) + random.below(half / 8) * 4;
            if (random.below(2) != 0) {
                std::uint64_t const from = half * random.below(2) + random.below(half / 2);
                std::uint64_t const size = 1 + random.below(half / 2);
                append(window, copy(address(to + 1), address(from), size));
                model_copy(expected, to + 1, from, size);
                moved += size;
            } else {
                std::uint64_t const size = 4 * (1 + random.below(half / 8));
                auto const pattern = low(random.next());
                append(window, fill(address(to), size, pattern));
                model_fill(expected, to, size, pattern);
                moved += size;
            }
        }
        execution const done = run(bus, window);
        REQUIRE_MESSAGE(done.ok, done.why);
        CHECK(done.moved_bytes == moved);
        REQUIRE(bus.memory == expected);
    }
}

}  // namespace cpu_engine_test
