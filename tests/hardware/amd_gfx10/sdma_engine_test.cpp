// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sdma_test_bus.hpp"

#include <doctest/doctest.h>

#include <utility>

namespace sdma_engine_test {

namespace {

using namespace sdma_test;

template <class Value>
Value value_at(small_bus& bus, std::uint64_t address) {
    Value value{};
    REQUIRE(bus.read(address, &value, sizeof value));
    return value;
}

}  // namespace

TEST_CASE("SDMA5 window: nothing and plain padding execute as nothing") {
    two_ranges bus;
    auto const before = bus.memory;
    amd_sdma_engine engine;
    execution const empty = engine.execute(nullptr, 0, bus);
    CHECK(empty.ok);
    CHECK(empty.commands == 0);
    execution const padding = run(bus, std::vector<std::uint32_t>(16, 0));
    CHECK(padding.ok);
    CHECK(padding.why.empty());
    CHECK(padding.commands == 0);
    CHECK(bus.memory == before);
}

TEST_CASE("SDMA5 NOP: a burst skips as many dwords as its count says, whatever they are") {
    two_ranges bus;
    // Seven junk dwords behind a count of 7, then a TRAP.
    std::vector<std::uint32_t> words{0x00070000, 0xffffffff, 0x1, 0xdead, 4, 5, 6, 7, 0x00000006, 0};
    execution const done = run(bus, window(words));
    CHECK(done.ok);
    CHECK(done.commands == 1);
    CHECK(done.interrupts == 1);
    // The largest skip that a window of 16 leaves room for, up to its very end.
    std::vector<std::uint32_t> all(16, 0xffffffff);
    all[0] = 0x000f0000;
    CHECK(run(bus, all).ok);
}

TEST_CASE("SDMA5 COPY LINEAR: moves count + 1 bytes between 64-bit addresses") {
    two_ranges bus;
    auto expected = bus.memory;
    std::memmove(&expected[half + 0x101], &expected[0x203], 0x1001);
    execution const done = run(bus, window({0x00000001, 0x00001000, 0, 0x00010203, 0, 0x00020101, 0x1234}));
    CHECK(done.ok);
    CHECK(done.commands == 1);
    CHECK(done.moved_bytes == 0x1001);
    CHECK(bus.memory == expected);
}

TEST_CASE("SDMA5 COPY LINEAR: one byte, and neighbours that only touch, both ways") {
    two_ranges bus;
    auto expected = bus.memory;
    expected[0x11] = expected[0x10];
    std::memmove(&expected[0x200], &expected[0x100], 0x100);
    std::memmove(&expected[0x300], &expected[0x400], 0x100);
    execution const done = run(bus, window({0x00000001, 0,    0, 0x10010, 0, 0x10011, 0,  //
                                            0x00000001, 0xff, 0, 0x10100, 0, 0x10200, 0,  //
                                            0x00000001, 0xff, 0, 0x10400, 0, 0x10300, 0}));
    CHECK(done.ok);
    CHECK(done.commands == 3);
    CHECK(done.moved_bytes == 1 + 0x100 + 0x100);
    CHECK(bus.memory == expected);
}

TEST_CASE("OP08-06: a copy of exactly 0x400000 bytes is one packet") {
    constexpr std::size_t most = 0x400000;
    small_bus bus(2 * most, {{0x1000000, 0, most}, {0x2000000, most, most}});
    auto expected = bus.memory;
    std::memcpy(&expected[most], &expected[0], most);
    execution const done = run(bus, window({0x00000001, 0x003fffff, 0, 0x1000000, 0, 0x2000000, 0}));
    CHECK(done.ok);
    CHECK(done.moved_bytes == most);
    CHECK(bus.memory == expected);
}

TEST_CASE("SDMA5 COPY LINEAR: pieces of any size give the same bytes") {
    for (std::size_t const largest : {std::size_t{1}, std::size_t{3}, std::size_t{100}, std::size_t{4096}}) {
        CAPTURE(largest);
        two_ranges bus;
        bus.largest_piece = largest;
        auto expected = bus.memory;
        std::memmove(&expected[half + 5], &expected[2], 0x3000);
        CHECK(run(bus, window({0x00000001, 0x2fff, 0, 0x10002, 0, 0x00020005, 0x1234})).ok);
        CHECK(bus.memory == expected);
    }
}

TEST_CASE("SDMA5 COPY LINEAR: a range may continue in memory that lies elsewhere") {
    small_bus bus(0x3000, {{0x4000, 0x2000, 0x1000}, {0x5000, 0x0000, 0x1000}, {0x9000, 0x1000, 0x1000}});
    auto expected = bus.memory;
    std::memcpy(&expected[0x1000], &expected[0x2800], 0x800);
    std::memcpy(&expected[0x1800], &expected[0x0000], 0x800);
    CHECK(run(bus, window({0x00000001, 0xfff, 0, 0x4800, 0, 0x9000, 0})).ok);
    CHECK(bus.memory == expected);
}

TEST_CASE("SDMA5 WRITE LINEAR: writes count + 1 dwords") {
    two_ranges bus;
    auto expected = bus.memory;
    std::uint32_t const data[3] = {0x11223344, 0x55667788, 0x99aabbcc};
    std::memcpy(&expected[half + 4], data, sizeof data);
    execution const done = run(bus, window({0x00000002, 0x00020004, 0x1234, 2, 0x11223344, 0x55667788, 0x99aabbcc}));
    CHECK(done.ok);
    CHECK(done.commands == 1);
    CHECK(done.moved_bytes == 0);
    CHECK(bus.memory == expected);
}

TEST_CASE("SDMA5 CONST_FILL: fill size 0 writes count + 1 copies of the low byte") {
    two_ranges bus;
    auto expected = bus.memory;
    std::fill_n(expected.begin() + 3, 6, std::byte{0x5a});
    execution const done = run(bus, window({0x0000000b, 0x10003, 0, 0x1234565a, 5}));
    CHECK(done.ok);
    CHECK(done.commands == 1);
    CHECK(done.moved_bytes == 6);
    CHECK(bus.memory == expected);
}

TEST_CASE("SDMA5 CONST_FILL: fill size 2 writes whole dwords and ignores the low two bits of its count") {
    for (std::uint32_t const count : {0x1004u, 0x1005u, 0x1006u, 0x1007u}) {
        for (std::size_t const largest : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, SIZE_MAX}) {
            CAPTURE(count);
            CAPTURE(largest);
            two_ranges bus;
            bus.largest_piece = largest;
            auto expected = bus.memory;
            std::uint32_t const pattern = 0xa1b2c3d4;
            for (std::size_t i = 0; i < 0x1008; i += 4) {
                std::memcpy(&expected[half + 0x20 + i], &pattern, sizeof pattern);
            }
            execution const done = run(bus, window({0x8000000b, 0x00020020, 0x1234, 0xa1b2c3d4, count}));
            CHECK(done.ok);
            CHECK(done.moved_bytes == 0x1008);
            CHECK(bus.memory == expected);
        }
    }
}

TEST_CASE("SDMA5 CONST_FILL: a count of 0 fills one byte or one dword") {
    two_ranges bus;
    auto expected = bus.memory;
    expected[9] = std::byte{0xee};
    std::fill_n(expected.begin() + 0x40, 4, std::byte{0x77});
    execution const done = run(bus, window({0x0000000b, 0x10009, 0, 0xee, 0, 0x8000000b, 0x10040, 0, 0x77777777, 0}));
    CHECK(done.ok);
    CHECK(done.moved_bytes == 5);
    CHECK(bus.memory == expected);
}

TEST_CASE("OP08-06: a fill of exactly 0x400000 bytes is one packet") {
    constexpr std::size_t most = 0x400000;
    small_bus bus(most, {{0x1000000, 0, most}});
    CHECK(run(bus, window({0x8000000b, 0x1000000, 0, 0x01020304, 0x003fffff})).moved_bytes == most);
    CHECK(value_at<std::uint32_t>(bus, 0x1000000) == 0x01020304);
    CHECK(value_at<std::uint32_t>(bus, 0x1000000 + most - 4) == 0x01020304);
}

TEST_CASE("SDMA5 PTEPDE GEN: entry i is flags with address + i * increment") {
    two_ranges bus;
    // The known entry: system, snooped, executable, readable, writeable, valid at page 0x123456.
    execution const done = run(bus, window({0x0000000c, 0x00020008, 0x1234, 0x77, 0, 0x23456000, 0x1, 0x1000, 0, 2}));
    CHECK(done.ok);
    CHECK(done.commands == 1);
    CHECK(done.moved_bytes == 0);
    CHECK(value_at<std::uint64_t>(bus, high + 8) == 0x0000000123456077);
    CHECK(value_at<std::uint64_t>(bus, high + 16) == 0x0000000123457077);
    CHECK(value_at<std::uint64_t>(bus, high + 24) == 0x0000000123458077);
    two_ranges const fresh;
    CHECK(std::equal(bus.memory.begin(), bus.memory.begin() + half + 8, fresh.memory.begin()));
    CHECK(std::equal(bus.memory.begin() + half + 32, bus.memory.end(), fresh.memory.begin() + half + 32));
}

TEST_CASE("SDMA5 PTEPDE GEN: high flags, high addresses, equal entries and large steps") {
    two_ranges bus;
    CHECK(run(bus, window({0x0000000c, 0x10000, 0, 0x1, 0x00430000, 0xfffff000, 0x0000ffff, 0, 0, 1})).ok);
    CHECK(value_at<std::uint64_t>(bus, low) == 0x0043fffffffff001);
    CHECK(value_at<std::uint64_t>(bus, low + 8) == 0x0043fffffffff001);
    CHECK(run(bus, window({0x0000000c, 0x10000, 0, 0x1, 0, 0x80000000, 0, 0x80000000, 0, 2})).ok);
    CHECK(value_at<std::uint64_t>(bus, low + 16) == 0x0000000180000001);
    // A single entry never uses its increment.
    CHECK(run(bus, window({0x0000000c, 0x10000, 0, 0, 0, 0, 0, 0x7, 0, 0})).ok);
    CHECK(value_at<std::uint64_t>(bus, low) == 0);
}

TEST_CASE("SDMA5 FENCE: writes one dword; two make a 64-bit value") {
    two_ranges bus;
    execution const done =
        run(bus, window({0x00030005, 0x00020ffc, 0x1234, 0x89abcdef, 0x00030005, 0x00021000, 0x1234, 0x01234567}));
    CHECK(done.ok);
    CHECK(done.commands == 2);
    CHECK(value_at<std::uint64_t>(bus, high + 0xffc) == 0x0123456789abcdef);
}

TEST_CASE("SDMA5 TRAP: counts an interrupt whatever its 28-bit context is") {
    two_ranges bus;
    execution const done = run(bus, window({0x00000006, 0, 0x00000006, 0x0fffffff}));
    CHECK(done.ok);
    CHECK(done.commands == 2);
    CHECK(done.interrupts == 2);
}

TEST_CASE("SDMA5 POLL_REGMEM: passes when the masked memory equals the reference") {
    two_ranges bus;
    execution const done = run(bus, window({0x00030005, 0x10010, 0, 0x12345678,                          //
                                            0xb0000008, 0x10010, 0, 0x12345678, 0xffffffff, 0x0fff000a,  //
                                            0xb0000008, 0x10010, 0, 0x00340000, 0x00ff0000, 0x00000000,  //
                                            0xb0000008, 0x10010, 0, 0,          0,          0x0fffffff}));
    CHECK(done.ok);
    CHECK(done.commands == 4);
}

TEST_CASE("SDMA5 SRBM_WRITE: goes to the registers that the engine was given") {
    two_ranges bus;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> written;
    amd_sdma_engine engine([&](std::uint32_t index, std::uint32_t value) {
        written.emplace_back(index, value);
        return index == 0x1234;
    });
    auto const words = window({0xf000000e, 0x1234, 0xcafe, 0xf000000e, 0x1235, 0});
    execution const done = engine.execute(words.data(), words.size(), bus);
    CHECK_FALSE(done.ok);
    CHECK(done.dword == 3);
    CHECK(done.commands == 1);
    REQUIRE(written.size() == 2);
    CHECK(written[0] == std::pair<std::uint32_t, std::uint32_t>{0x1234, 0xcafe});
}

TEST_CASE("SDMA5 window: packets execute in order, and a refusal keeps what came before it") {
    two_ranges bus;
    execution const done = run(bus, window({0x8000000b, 0x10000, 0, 0x11111111, 0xf,              // 0
                                            0x00000001, 0xf,     0, 0x10000,    0,   0x10100, 0,  // 5
                                            0x8000000b, 0x10000, 0, 0x22222222, 0xf,              // 12
                                            0x00000006, 1,                                        // 17
                                            0x00000001, 0xf,     0, 0x90000,    0,   0x10100, 0,  // 19
                                            0x00000006, 2}));
    CHECK_FALSE(done.ok);
    CHECK(done.dword == 19);
    CHECK(done.why == "COPY LINEAR reads 16 bytes at 0x90000, which are not all backed");
    CHECK(done.commands == 4);
    CHECK(done.moved_bytes == 48);
    CHECK(done.interrupts == 1);
    CHECK(value_at<std::uint32_t>(bus, low) == 0x22222222);
    CHECK(value_at<std::uint32_t>(bus, low + 0x10c) == 0x11111111);
}

}  // namespace sdma_engine_test
