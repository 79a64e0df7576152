// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The decoder of the small mock's commands, by commands put together here, number by number.
#include "mock_small_engine.hpp"

#include "../cpu/test_bus.hpp"

#include <doctest/doctest.h>

namespace mock_small_engine_test {

using namespace decoder_tests;
using wddmcore::testing::mock_aperture;
using wddmcore::testing::mock_map;
using wddmcore::testing::mock_small_engine;

namespace {

constexpr std::size_t part = 0x4000;
constexpr std::uint64_t base = 0x12'0000'0000;  // of segment 2: its values begin here
constexpr std::uint64_t segment_bus = 0x77'0000;
constexpr std::uint64_t pages_bus = 0x5'0000'0000;
constexpr std::uint64_t process_bus = 0x60'0000'0000;
constexpr std::uint32_t in_pages = 0x8000'0001;
constexpr std::uint32_t in_process = 0x8000'0002;

struct three_parts : patchy_bus {
    three_parts()
        : patchy_bus(3 * part, {{segment_bus, 0, part}, {pages_bus, part, part}, {process_bus, 2 * part, part}}) {}
};

mock_small_engine engine_over(std::vector<mock_aperture> apertures = {}) {
    return mock_small_engine(mock_map{{{1, segment_bus}}, pages_bus, process_bus}, std::move(apertures));
}

struct place {
    std::uint64_t value;
    std::uint32_t target;
};
place local(std::uint64_t value) { return {value, 1}; }
place paged(std::uint64_t value) { return {value, in_pages}; }
place process(std::uint64_t value) { return {value, in_process}; }

words copy(place to, place from, std::uint32_t size) {
    std::uint32_t const head = 9u << 26 | 0x21u << 20 | size;
    return {head,      low(from.value), high(from.value), from.target, low(to.value), high(to.value),
            to.target, ~head,           0xE4D0'E4D0};
}
words fill(place to, std::uint32_t size, std::uint32_t pattern) {
    std::uint32_t const head = 8u << 26 | 0x22u << 20 | size;
    return {head, low(to.value), high(to.value), to.target, pattern, ~pattern, ~head, 0xE4D0'E4D0};
}
words access(std::uint32_t code, place at) {
    std::uint32_t const head = 6u << 26 | code << 20;
    return {head, low(at.value), high(at.value), at.target, ~head, 0xE4D0'E4D0};
}
words padded(words window) {
    auto const left = static_cast<std::uint32_t>((5 - window.size() % 5) % 5);
    for (std::uint32_t i = 0; i != left; ++i) {
        std::uint32_t const head = left << 26 | 0x3F0'0000;
        window.push_back(i == 0 ? head : ~head);
    }
    return window;
}
execution run(wddmcore::testing::gpu_bus& bus, words const& window) {
    mock_small_engine engine = engine_over();
    return engine.execute(window.data(), window.size(), bus);
}
words changed(words command, std::size_t dword, std::uint32_t value) {
    command[dword] = value;
    return command;
}

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

}  // namespace

TEST_CASE("small mock engine: every command does what its table says") {
    three_parts bus;
    std::vector<std::byte> expected = bus.memory;
    words window = copy(paged(0x48), local(0x100), 1'000);
    append(window, fill(process(4), 1'496, 0xDDCC'BBAA));
    append(window, access(0x23, local(1)));
    append(window, access(0x24, paged(part - 1)));
    execution const done = run(bus, padded(window));
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.commands == 4);
    CHECK(done.moved_bytes == 2'496);
    model_copy(expected, part + 0x48, 0x100, 1'000);
    model_fill(expected, 2 * part + 4, 1'496, 0xDDCC'BBAA);
    expected[2 * part - 1] = bus.memory[2 * part - 1];
    CHECK(bus.memory == expected);
}

TEST_CASE("small mock engine: values in a segment have its base in them") {
    three_parts bus;
    std::vector<std::byte> expected = bus.memory;
    // What value 0 would stand for lies below the bus.
    mock_small_engine engine(mock_map{{{2, 0 - (base - segment_bus)}}, pages_bus, process_bus});
    words const window = padded(fill({base + 8, 2}, 4, 1));
    execution const done = engine.execute(window.data(), window.size(), bus);
    CHECK_MESSAGE(done.ok, done.why);
    model_fill(expected, 8, 4, 1);
    CHECK(bus.memory == expected);
}

TEST_CASE("small mock engine: overlapping copies end as if the source had been read first") {
    for (std::size_t const piece : {SIZE_MAX, std::size_t{96}, std::size_t{1}}) {
        for (std::uint64_t const to : {std::uint64_t{8}, std::uint64_t{192}, std::uint64_t{1'000}}) {
            three_parts bus;
            bus.largest_piece = piece;
            std::vector<std::byte> expected = bus.memory;
            CHECK(run(bus, padded(copy(local(to), local(96), 1'000))).ok);
            model_copy(expected, to, 96, 1'000);
            CHECK(bus.memory == expected);
        }
    }
}

TEST_CASE("small mock engine: the table's entries are complements") {
    std::vector<std::byte> table(2 * 8, std::byte{0xFF});
    mock_small_engine engine = engine_over({mock_aperture{3, table}});
    CHECK(engine.page_of(3, 0) == 0u);
    CHECK(engine.coherent_of(3, 0) == true);
    table.assign(2 * 8, std::byte{0});
    CHECK(engine.page_of(3, 1) == 0xF'FFFF'FFFF'FFFFu);
    CHECK(engine.coherent_of(3, 1) == false);
    CHECK(!engine.page_of(3, 2));
    CHECK(!engine.coherent_of(2, 0));
}

TEST_CASE("small mock engine: what no encoder means to write is refused") {
    expect_refused({0, 0, 0, 0, 0}, "0x0 begins no command");
    expect_refused(changed(copy(paged(0), local(0), 8), 0, 8u << 26 | 0x21u << 20 | 8),
                   "copy has 9 dwords, but says 8");
    expect_refused({copy(paged(0), local(0), 8)[0], 0, 0, 0, 0}, "copy has 9 dwords, but the window ends after 5");
    expect_refused(changed(copy(paged(0), local(0), 8), 7, 0), "copy ends with 0x0, 0xe4d0e4d0");
    expect_refused(changed(copy(paged(0), local(0), 8), 8, 0), "copy ends with");
    expect_refused(changed(copy(paged(0), local(0), 8), 0, copy(paged(0), local(0), 16)[0]), "copy ends with");
    expect_refused(copy(paged(0), local(0), 0), "copy takes 1 to 1000 bytes, not 0");
    expect_refused(copy(paged(0), local(0), 1'008), "copy takes 1 to 1000 bytes, not 1008");
    expect_refused(copy(paged(0), local(0), 12), "copy takes multiples of 8 only");
    expect_refused(copy(paged(4), local(0), 16), "copy takes multiples of 8 only");
    expect_refused(copy(paged(0), local(4), 16), "copy takes multiples of 8 only");
    expect_refused(copy(paged(0), local(part - 8), 16), "copy reads 16 bytes");
    expect_refused(copy(paged(part - 8), local(0), 16), "copy writes 16 bytes");
    expect_refused(copy({0, 2}, local(0), 16), "copy: there is no segment 2");
    expect_refused(copy({0, 0x8000'0003}, local(0), 16), "there is no segment 2147483651");
    expect_refused(fill(local(0), 1'504, 1), "fill takes 1 to 1500 bytes, not 1504");
    expect_refused(fill(local(2), 4, 1), "fill takes multiples of 4 only");
    expect_refused(fill(local(0), 6, 1), "fill takes multiples of 4 only");
    expect_refused(changed(fill(local(0), 4, 1), 5, 1), "fill has the pattern 0x1 and beside it 0x1");
    expect_refused(fill(local(part), 4, 1), "fill writes 4 bytes");
    expect_refused(access(0x23, local(part)), "read reads 1 bytes");
    expect_refused(access(0x24, process(part)), "write writes 1 bytes");
    words sized = access(0x24, local(0));
    sized[0] |= 4;
    sized[4] = ~sized[0];
    expect_refused(sized, "write has no size, but says 4");
}

TEST_CASE("small mock engine: padding tells its length and ends a grain") {
    three_parts bus;
    for (std::uint32_t length = 1; length <= 4; ++length) {
        words window;
        for (std::uint32_t i = 0; (window.size() + length) % 5 != 0; ++i) {
            append(window, access(0x23, local(i)));
        }
        std::size_t const at = window.size();
        window = padded(window);
        REQUIRE(window.size() - at == length);
        CHECK(run(bus, window).ok);
        CHECK(run(bus, window).commands == at / 6);
        words const shorter = changed(window, at, (length - 1) << 26 | 0x3F0'0000);
        CHECK(!run(bus, shorter).ok);
        CHECK(run(bus, shorter).dword == at);
        CHECK(!run(bus, changed(window, at, length << 26 | 0x3F0'0001)).ok);
        if (length > 1) {
            CHECK(has(run(bus, changed(window, window.size() - 1, 0)).why, "padding goes on with 0x0"));
        }
    }
    CHECK(has(run(bus, {5u << 26 | 0x3F0'0000, 0, 0, 0, 0}).why, "padding fills 1 to 4 dwords, not 5"));
    execution const odd = run(bus, access(0x23, local(0)));
    CHECK(odd.dword == 6);
    CHECK(has(odd.why, "not whole grains of 5"));
}

TEST_CASE("small mock engine: random streams leave the bytes that a byte-by-byte model leaves") {
    std::uint64_t const seed = seed_of_run();
    INFO("WDDMCORE_SEED=" << seed);
    for (std::uint64_t round = 0; round < 60; ++round) {
        CAPTURE(round);
        numbers random(seed + round);
        three_parts bus;
        bus.largest_piece = 1 + random.below(3000);
        std::vector<std::byte> expected = bus.memory;
        auto const at = [](std::uint64_t space, std::uint64_t offset) {
            return space == 0 ? local(offset) : space == 1 ? paged(offset) : process(offset);
        };
        words window;
        for (int i = 0; i < 30; ++i) {
            std::uint64_t const to = random.below(3);
            std::uint64_t const place_to = random.below((part - 2'000) / 8) * 8;
            if (random.below(2) != 0) {
                std::uint64_t const from = random.below(3);
                std::uint64_t const place_from = random.below((part - 2'000) / 8) * 8;
                auto const size = static_cast<std::uint32_t>(8 * (1 + random.below(125)));
                append(window, copy(at(to, place_to), at(from, place_from), size));
                model_copy(expected, to * part + place_to, from * part + place_from, size);
            } else {
                auto const size = static_cast<std::uint32_t>(4 * (1 + random.below(375)));
                auto const pattern = low(random.next());
                append(window, fill(at(to, place_to + 4), size, pattern));
                model_fill(expected, to * part + place_to + 4, size, pattern);
            }
        }
        execution const done = run(bus, padded(window));
        REQUIRE_MESSAGE(done.ok, done.why);
        REQUIRE(bus.memory == expected);
    }
}

}  // namespace mock_small_engine_test
