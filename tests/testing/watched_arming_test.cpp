// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/watched/buffer.hpp>

#include "watched_code.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

using namespace wddmcore::testing;

TEST_CASE("law 4: this host watches where it is expected to") {
    CHECK((watched_buffer::available() || !watched_code::native || watched_code::emulated()));
    watched_buffer const plain(64, {.plain = true});
    CHECK_FALSE(plain.watching());
}

TEST_CASE("law 4: a log that is too small says so") {
    watched_buffer b(4096, {}, 10);
    REQUIRE(b.arm(0, 4096));
    for (std::size_t i = 0; i < 1024; ++i) {
        watched_code::store32(b.data() + 4 * i, static_cast<std::uint32_t>(i));
    }
    b.disarm();
    CHECK(b.overflowed() == b.watching());
    CHECK(b.accesses().size() == (b.watching() ? 10 : 0));
    std::vector<watched_violation> const found = b.violations();
    REQUIRE(found.size() == (b.watching() ? 1 : 0));
    if (b.watching()) {
        CHECK(found[0].rule == watched_rule::log_full);
        CHECK(found[0].sentence == "the log holds 10 accesses and was too small: later ones were not seen");
    }
    for (std::size_t i = 0; i < 1024; ++i) {
        CHECK(watched_code::load32(b.data() + 4 * i) == i);
    }
    REQUIRE(b.arm(0, 4096));  // and the next call starts anew
    b.disarm();
    CHECK_FALSE(b.overflowed());
    CHECK(b.violations().empty());
}

TEST_CASE("law 4: only a window inside a living, idle buffer can be armed") {
    watched_buffer b(64);
    CHECK_FALSE(b.arm(8, 4));
    CHECK_FALSE(b.arm(0, 65));
    CHECK_FALSE(b.armed());
    CHECK(b.arm(64, 64));
    CHECK(b.armed());
    CHECK_FALSE(b.arm(0, 64));
    b.disarm();
    b.disarm();
    CHECK_FALSE(b.armed());
    b.retire();
    CHECK_FALSE(b.arm(0, 64));
}

TEST_CASE("law 4: eight buffers can be watched at the same time, each for itself") {
    std::vector<std::unique_ptr<watched_buffer>> all;
    for (std::size_t i = 0; i < 9; ++i) {
        all.push_back(std::make_unique<watched_buffer>(4096));
    }
    bool const watching = all[0]->watching();
    for (std::size_t i = 0; i < 8; ++i) {
        REQUIRE(all[i]->arm(0, 4096));
    }
    CHECK(all[8]->arm(0, 4096) == !watching);
    watched_code::copy32(all[2]->data(), all[5]->data() + 100, 3);
    all[2]->disarm();
    watched_code::store32(all[0]->data(), 1);
    for (auto const& b : all) {
        b->disarm();
    }
    if (watching) {
        CHECK(all[2]->accesses().size() == 1);
        CHECK(all[2]->accesses()[0].size == 12);
        REQUIRE(all[5]->violations().size() == 1);
        CHECK(all[5]->violations()[0].rule == watched_rule::read);
        CHECK(all[5]->violations()[0].sentence ==
              "the load of bytes [100, 112), but this memory must never be read back");
        CHECK(all[5]->accesses()[0].size == 12);
        CHECK(all[0]->accesses().size() == 1);
        CHECK(all[1]->accesses().empty());
    }
    CHECK(std::memcmp(all[2]->data(), all[5]->data() + 100, 12) == 0);
}

TEST_CASE("law 4: without watching, bytes outside the window are compared afterwards") {
    for (guarded_side const side : {guarded_side::end, guarded_side::start}) {
        watched_buffer b(4000, {.side = side, .plain = true});
        REQUIRE(b.arm(100, 200));
        watched_code::store32(b.data() + 100, 1);
        b.disarm();
        CHECK(b.violations().empty());
        CHECK(b.wrote_all({0, 4000}));
        for (std::ptrdiff_t const outside : {-5, 0, 99, 200, 3999, 4000, 4100}) {
            CAPTURE(outside);
            REQUIRE(b.arm(100, 200));
            b.data()[outside] = ~b.data()[outside];
            b.disarm();
            REQUIRE(b.violations().size() == 1);
            CHECK(b.violations()[0].rule == watched_rule::out_of_bounds);
            CHECK(b.violations()[0].offset == outside);
        }
        CHECK(b.accesses().empty());
    }
}
