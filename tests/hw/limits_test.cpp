// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/hw/limits.hpp>

#include <doctest/doctest.h>

namespace limits_test {

using namespace wddmcore;

TEST_CASE("law 7: a limit in bytes is rounded down to whole pages") {
    struct row {
        u64 limit;
        u64 pages;
    };
    constexpr row rows[] = {
        {0, 0},
        {1, 0},
        {4095, 0},
        {4096, 1},
        {4097, 1},
        {8191, 1},
        {8192, 2},
        {10'000, 2},
        {65'535, 15},
        {65'536, 16},
        {0x3F'FFFF, 1023},
        {0x40'0000, 1024},
        {~u64{0}, 0xF'FFFF'FFFF'FFFF},
    };
    for (row const& one : rows) {
        CAPTURE(one.limit);
        CHECK(hw::chunk_pages(bytes{one.limit}) == pages{one.pages});
    }
}

TEST_CASE("OP08-06: a piece of a page is the largest multiple of the alignment that the engine takes") {
    CHECK(hw::piece_of_page(bytes{1000}, bytes{64}) == bytes{960});
    CHECK(hw::piece_of_page(bytes{4095}, bytes{1}) == bytes{4095});
    CHECK(hw::piece_of_page(bytes{4095}, bytes{2048}) == bytes{2048});
    CHECK(hw::piece_of_page(bytes{4096}, bytes{4}) == bytes{4096});
    CHECK(hw::piece_of_page(4 * mib, bytes{4}) == bytes{4096});
    CHECK(hw::piece_of_page(bytes{~u64{0}}, bytes{4096}) == bytes{4096});
}

TEST_CASE("SEG-41: the pieces of a page cover it, and one fewer would not") {
    u32 looked_at = 0;
    for (u64 alignment = 1; alignment <= page_bytes; alignment *= 2) {
        for (u64 limit = alignment; limit <= 2 * page_bytes; ++limit) {
            bytes const piece = hw::piece_of_page(bytes{limit}, bytes{alignment});
            u32 const commands = hw::commands_per_page(bytes{limit}, bytes{alignment});
            bool const fits_engine = piece.n % alignment == 0 && piece.n <= limit && piece.n <= page_bytes;
            bool const largest = piece.n == page_bytes || piece.n + alignment > limit;
            bool const covers = commands * piece.n >= page_bytes && (commands - 1) * piece.n < page_bytes;
            if (!(fits_engine && largest && covers)) {
                FAIL_CHECK("limit ", limit, ", alignment ", alignment, ": ", commands, " pieces of ", piece.n);
            }
            ++looked_at;
        }
    }
    CHECK(looked_at == 13 * 8193 - 8191);
}

TEST_CASE("SEG-41: the largest number of commands that a page can need") {
    CHECK(hw::commands_per_page(bytes{1}, bytes{1}) == 4096);
    CHECK(hw::commands_per_page(bytes{3}, bytes{2}) == 2048);
    CHECK(hw::commands_per_page(bytes{4095}, bytes{1}) == 2);
    CHECK(hw::commands_per_page(bytes{4096}, bytes{4096}) == 1);
}

TEST_CASE("AMB-23: the limit of visible addresses is inclusive, and the very last number is no page") {
    CHECK(hw::last_visible_page(0) == 0);
    CHECK(hw::last_visible_page(0xFFF) == 0);
    CHECK(hw::last_visible_page(0x1000) == 1);
    CHECK(hw::last_visible_page(0xFFFF'FFFF) == 0xF'FFFF);
    CHECK(hw::last_visible_page(0x1'0000'0000) == 0x10'0000);
    // Of 64-bit addresses 52 bits are a page's number; only a list of 32-bit numbers could hold less.
    CHECK(hw::last_visible_page(~u64{0}) == lesser<u64>((u64{1} << 52) - 1, ~usize{0} - 1));
}

}  // namespace limits_test
