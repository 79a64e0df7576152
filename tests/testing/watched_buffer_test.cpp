// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/watched/buffer.hpp>

#include "watched_code.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

using namespace wddmcore::testing;

namespace {

std::vector<watched_rule> rules_of(watched_buffer const& b) {
    std::vector<watched_rule> found;
    for (watched_violation const& v : b.violations()) {
        found.push_back(v.rule);
        CHECK_FALSE(v.sentence.empty());
    }
    return found;
}

using expected = std::vector<watched_rule>;

// Runs code on an armed buffer, and the same code on one that is not: there nothing may be logged.
template <class Code>
void watch(watched_buffer& b, std::size_t begin, std::size_t end, Code const& code) {
    REQUIRE(b.arm(begin, end));
    code(b.data());
    b.disarm();
    auto const logged = b.accesses().size();
    watched_buffer off(b.size());
    code(off.data());
    CHECK(off.accesses().empty());
    CHECK(off.violations().empty());
    code(b.data());
    CHECK(b.accesses().size() == logged);
}

// What a host must report: the rules where it watches, nothing where it does not.
void check(watched_buffer const& b, expected const& wanted) {
    CHECK(rules_of(b) == (b.watching() ? wanted : expected{}));
    CHECK((b.watching() || b.accesses().empty()));
}

}  // namespace

TEST_CASE("law 4: whole dwords, once and ascending, are right, gaps included") {
    watched_buffer b(8192);
    watch(b, 0, 8192, [](std::byte* p) {
        watched_code::store32(p, 1);
        watched_code::store64(p + 4, 2);
        watched_code::store128(p + 12, 3);
        watched_code::fill32(p + 28, 4, 5);
        watched_code::store32(p + 8188, 4);
    });
    check(b, {});
    if (b.watching()) {
        REQUIRE(b.accesses().size() == 5);
        CHECK(b.accesses()[2].offset == 12);
        CHECK(b.accesses()[2].size == 16);
        CHECK(b.accesses()[3].size == 20);
        CHECK(b.accesses()[3].kind == watched_kind::write);
        CHECK(b.wrote_all({0, 48}));
        CHECK_FALSE(b.wrote_all({0, 49}));
        CHECK(b.wrote_all({8188, 8192}));
    }
}

TEST_CASE("law 4: a word written twice is reported, the same value included") {
    watched_buffer b(64);
    watch(b, 0, 64, [](std::byte* p) {
        watched_code::store32(p, 7);
        watched_code::store32(p + 4, 7);
        watched_code::store32(p + 4, 7);
    });
    check(b, {watched_rule::written_twice});
    if (b.watching()) {
        CHECK(b.violations()[0].offset == 4);
        CHECK(b.violations()[0].sentence == "the store to bytes [4, 8) writes dword 1 a second time");
    }
}

TEST_CASE("law 4: one store breaks each rule at most once, at its first place") {
    watched_buffer b(64);
    watch(b, 8, 48, [](std::byte* p) {
        watched_code::store128(p + 24, 1);
        watched_code::store128(p + 8, 1);
        watched_code::store128(p + 16, 1);
        watched_code::store128(p + 40, 1);
    });
    std::vector<watched_rule> const found = rules_of(b);
    CHECK(std::count(found.begin(), found.end(), watched_rule::out_of_bounds) >= 1);
    if (b.watching()) {
        check(b, {watched_rule::out_of_order, watched_rule::written_twice, watched_rule::out_of_bounds});
        CHECK(b.violations()[0].offset == 8);
        CHECK(b.violations()[1].offset == 16);
        CHECK(b.violations()[2].offset == 48);
    }
    watch(b, 12, 16, [](std::byte* p) { watched_code::store64(p + 12, 1); });
    if (b.watching()) {
        check(b, {watched_rule::out_of_bounds});
        CHECK(b.violations()[0].offset == 16);
    }
}

TEST_CASE("law 4: what stood there before is not mistaken for a store") {
    watched_buffer b(64, {.seed = 99});
    std::uint32_t junk = 0;
    std::memcpy(&junk, b.data() + 8, 4);
    for (int round = 0; round < 2; ++round) {  // the second time the bytes are there already
        watch(b, 0, 64, [junk](std::byte* p) { watched_code::store32(p + 8, junk); });
        check(b, {});
        CHECK((!b.watching() || b.accesses().size() == 1));
    }
    for (std::size_t i = 0; i < 64; ++i) {
        CHECK(b.data()[i] == b.fresh(i));
    }
}

TEST_CASE("law 4: no value hides a vector store, whatever pattern it is looked for with") {
    watched_buffer b(4096);
    for (unsigned value = 0; value < 256; ++value) {
        CAPTURE(value);
        std::vector<std::byte> before(b.data(), b.data() + b.size());
        REQUIRE(b.arm(0, 4096));
        watched_code::store128(b.data() + 64, value * 0x0101'0101U);
        b.disarm();
        check(b, {});
        std::fill_n(before.begin() + 64, 16, static_cast<std::byte>(value));
        CHECK(std::equal(before.begin(), before.end(), b.data()));
        CHECK((!b.watching() || (b.accesses().size() == 1 && b.accesses()[0].size == 16)));
    }
}

TEST_CASE("law 4: a store behind a later one is reported") {
    watched_buffer b(64);
    watch(b, 0, 64, [](std::byte* p) {
        watched_code::store32(p + 8, 1);
        watched_code::store32(p + 4, 1);
        watched_code::store32(p + 12, 1);
    });
    check(b, {watched_rule::out_of_order});
    if (b.watching()) {
        CHECK(b.violations()[0].offset == 4);
        CHECK(b.violations()[0].sentence == "the store to bytes [4, 8) comes after a store that ended at byte 12");
    }
}

TEST_CASE("law 4: a load is reported") {
    watched_buffer b(64);
    watch(b, 0, 64, [](std::byte* p) {
        watched_code::store32(p, 1);
        CHECK(watched_code::load32(p) == 1);
    });
    check(b, {watched_rule::read});
    if (b.watching()) {
        CHECK(b.accesses()[1].kind == watched_kind::read);
        CHECK(b.accesses()[1].size == 4);
    }
}

TEST_CASE("law 4: a read-modify-write is a load and a store, even when it changes nothing") {
    for (std::uint32_t const addend : {0U, 5U}) {
        CAPTURE(addend);
        watched_buffer b(64);
        std::uint32_t const start = 100;
        std::memcpy(b.data() + 8, &start, 4);
        REQUIRE(b.arm(0, 64));
        watched_code::add32(b.data() + 8, addend);
        CHECK(watched_code::exchange_add32(b.data() + 8, 1) == start + addend);
        b.disarm();
        check(b, {watched_rule::read, watched_rule::read, watched_rule::written_twice});
        std::uint32_t now = 0;
        std::memcpy(&now, b.data() + 8, 4);
        CHECK(now == start + addend + 1);
        CHECK((!b.watching() || b.accesses().size() == 4));
    }
}

TEST_CASE("law 4: an access outside the window is reported, inside the buffer and outside") {
    watched_buffer b(8192);
    watch(b, 16, 64, [](std::byte* p) {
        watched_code::store32(p + 16, 1);
        watched_code::store32(p + 64, 1);
        watched_code::store32(p + 12, 1);
        watched_code::store32(p + 8188, 2);
    });
    auto const inside = rules_of(b);
    CHECK(inside.size() >= 3);  // where bytes are compared, a store can look like several
    CHECK((!b.watching() || inside.size() == 3));
    CHECK(std::count(inside.begin(), inside.end(), watched_rule::out_of_bounds) ==
          static_cast<std::ptrdiff_t>(inside.size()));
    if (!b.watching()) {
        return;  // the guards are real there, or a store to them is seen byte by byte
    }
    REQUIRE(b.arm(16, 64));
    watched_code::store32(b.data() - 4, 1);
    watched_code::store32(b.data() + 8192, 1);
    static_cast<void>(watched_code::load32(b.data() + 8196));
    watched_code::store64(b.data() + 60, 1);
    watched_code::store128(b.data() + 8184, 1);
    watched_code::store32(b.data() + 8192 + 0xF000, 1);  // a long way off, but still in the log
    watched_code::store32(b.data() - 0xF000, 1);
    b.disarm();
    std::vector<watched_violation> const found = b.violations();
    std::vector<std::int64_t> places;
    for (watched_violation const& v : found) {
        if (v.rule == watched_rule::out_of_bounds) {
            places.push_back(v.offset);
        }
    }
    CHECK(places == std::vector<std::int64_t>{-4, 8192, 8196, 64, 8184, 8192 + 0xF000, -0xF000});
    CHECK(found[0].sentence == "the store to bytes [-4, 0) leaves the window, bytes [16, 64)");
    CHECK(found.size() == 8);  // the load is one more
}

TEST_CASE("law 4: a store that is not whole dwords is reported") {
    watched_buffer b(64);
    watch(b, 0, 64, [](std::byte* p) {
        watched_code::store8(p, 1);
        watched_code::store16(p + 4, 1);
        watched_code::store32(p + 9, 1);
        watched_code::store32(p + 16, 1);
        watched_code::fill8(p + 20, 1, 8);
        watched_code::fill8(p + 28, 1, 7);
    });
    if (watched_code::native) {
        check(b, {watched_rule::partial_dword, watched_rule::partial_dword, watched_rule::partial_dword,
                  watched_rule::partial_dword});
    }
    CHECK((!b.watching() || b.violations()[3].offset == 28));
}

TEST_CASE("law 4: repeated string instructions are one access each, across pages too") {
    watched_buffer b(8192);
    std::vector<std::uint32_t> const source(64, 0xABCD'EF01U);
    watch(b, 4, 8192, [&source](std::byte* p) {
        watched_code::fill32(p + 4, 9, 10);
        watched_code::copy32(p + 4032, source.data(), 32);
    });
    check(b, {});
    if (b.watching()) {
        REQUIRE(b.accesses().size() == 2);
        CHECK(b.accesses()[0].size == 40);
        CHECK(b.accesses()[1].offset == 4032);
        CHECK(b.accesses()[1].size == 128);
    }
    CHECK(std::memcmp(b.data() + 4032, source.data(), 128) == 0);
    watch(b, 0, 8192, [](std::byte* p) { watched_code::copy32(p + 5000, p + 2, 3); });
    check(b, {watched_rule::read});
    CHECK(std::memcmp(b.data() + 5000, b.data() + 2, 12) == 0);
    CHECK((!b.watching() || (b.accesses().size() == 2 && b.accesses()[0].size == 12 && b.accesses()[1].size == 12)));
    watch(b, 0, 8192, [](std::byte* p) {
        for (std::size_t i = 0; i < 3; ++i) {  // the same instruction again, although it goes on where it had ended
            watched_code::fill32(p + 8 * i, 1, 2);
        }
    });
    check(b, {});
    CHECK((!b.watching() || b.accesses().size() == 3));
}

TEST_CASE("law 4: the C library's memcpy is seen completely") {
    watched_buffer b(16'384);
    std::vector<std::byte> source(16'384);
    for (std::size_t i = 0; i < source.size(); ++i) {
        source[i] = static_cast<std::byte>(i * 7 + i / 256);
    }
    for (std::size_t const size : {4U, 24U, 100U, 512U, 1000U, 4096U, 9000U}) {
        CAPTURE(size);
        std::vector<std::byte> before(b.data(), b.data() + b.size());
        REQUIRE(b.arm(0, b.size()));
        std::memcpy(b.data() + 3000, source.data(), size);
        b.disarm();
        std::copy_n(source.begin(), size, before.begin() + 3000);
        CHECK(std::equal(before.begin(), before.end(), b.data()));
        CHECK(b.wrote_all({3000, 3000 + size}));
        for (watched_access const& a : b.accesses()) {
            CHECK(a.kind == watched_kind::write);
            CHECK(a.offset >= 3000);
            CHECK(a.offset + static_cast<std::int64_t>(a.size) <= static_cast<std::int64_t>(3000 + size));
        }
        CHECK((!b.watching() || !b.accesses().empty()));
        // Which law it breaks is the library's choice of overlapping stores; it never reads back.
        auto const found = rules_of(b);
        CHECK(std::count(found.begin(), found.end(), watched_rule::read) == 0);
        CHECK(std::count(found.begin(), found.end(), watched_rule::out_of_bounds) == 0);
    }
}
