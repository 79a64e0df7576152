// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/watched/buffer.hpp>

#include "watched_code.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

using namespace wddmcore::testing;

TEST_CASE("law 4: any mix of instructions leaves the right bytes and the right log") {
    char const* const given = std::getenv("WDDMCORE_SEED");
    std::uint64_t const seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 20'240'607;
    MESSAGE("WDDMCORE_SEED=" << seed);
    std::mt19937_64 random(seed);
    auto const below = [&random](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
    std::size_t const size = 12'288;
    watched_buffer b(size, {.seed = seed});
    std::vector<std::byte> model(b.data(), b.data() + size);
    std::vector<std::byte> source(512);
    for (std::byte& byte : source) {
        byte = static_cast<std::byte>(random());
    }
    for (int round = 0; round < 40; ++round) {
        CAPTURE(round);
        struct entry {
            std::size_t offset;
            std::size_t size;
            watched_kind kind;
        };
        std::vector<entry> wanted;
        REQUIRE(b.arm(0, size));
        for (int i = 0; i < 40; ++i) {
            // Half of all stores are near a page's end; half of all values are what the bytes hold already.
            std::size_t const offset = below(2) == 0 ? below(size - 512) : 4096 * (1 + below(2)) - below(40);
            std::byte* const at = b.data() + offset;
            std::array<std::byte, 16> old{};
            std::copy_n(model.begin() + static_cast<std::ptrdiff_t>(offset), 16, old.begin());
            std::uint64_t value = random();
            if (below(2) == 0) {
                std::memcpy(&value, old.data(), 8);
            }
            auto const v32 = static_cast<std::uint32_t>(value);
            auto const put = [&](void const* bytes, std::size_t n) {
                std::memcpy(model.data() + offset, bytes, n);
                wanted.push_back({offset, n, watched_kind::write});
            };
            auto const get = [&](std::size_t n) { wanted.push_back({offset, n, watched_kind::read}); };
            std::uint32_t const four[4] = {v32, v32, v32, v32};
            std::uint32_t sum = 0;
            std::memcpy(&sum, old.data(), 4);
            sum += v32;
            double number = 0;
            switch (below(13)) {
                case 0:
                    watched_code::store8(at, static_cast<std::uint8_t>(value));
                    put(&value, 1);
                    break;
                case 1:
                    watched_code::store16(at, static_cast<std::uint16_t>(value));
                    put(&value, 2);
                    break;
                case 2:
                    watched_code::store32(at, v32);
                    put(&value, 4);
                    break;
                case 3:
                    watched_code::store64(at, value);
                    put(&value, 8);
                    break;
                case 4:
                    watched_code::stream32(at, v32);
                    put(&value, 4);
                    break;
                case 5:
                case 6:
                    watched_code::store128(at, v32);
                    put(four, 16);
                    break;
                case 7:
                    watched_code::store_low64(at, value);
                    put(&value, 8);
                    break;
                case 8:
                    number = static_cast<double>(v32);
                    watched_code::store_double(at, number);
                    put(&number, 8);
                    break;
                case 9:
                    watched_code::add32(at, v32);
                    get(4);
                    put(&sum, 4);
                    break;
                case 10:
                    watched_code::exchange_add32(at, v32);
                    get(4);
                    put(&sum, 4);
                    break;
                case 11:
                    watched_code::fill32(at, v32, 4);
                    put(four, 16);
                    break;
                default:
                    watched_code::copy32(at, source.data(), 16);
                    put(source.data(), 64);
                    break;
            }
        }
        b.disarm();
        REQUIRE(std::equal(model.begin(), model.end(), b.data()));
        if (!b.watching()) {
            CHECK(b.accesses().empty());
            continue;
        }
        REQUIRE(b.accesses().size() == wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            CAPTURE(i);
            REQUIRE(b.accesses()[i].offset == static_cast<std::int64_t>(wanted[i].offset));
            REQUIRE(b.accesses()[i].size == wanted[i].size);
            REQUIRE(b.accesses()[i].kind == wanted[i].kind);
        }
    }
}
