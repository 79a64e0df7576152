// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What the compiler makes of stores to memory that the GPU reads: this file is compiled with optimisation everywhere.
#include <wddmcore/base/stores.hpp>
#include <wddmcore/testing/watched/buffer.hpp>

#include <doctest/doctest.h>

namespace {

using namespace wddmcore;

constexpr u32 nop = 0;

[[gnu::noinline, maybe_unused]] void pad(u32* at, u32 n) {
    for (u32 i = 0; i != n; ++i) {
        put32(at + i, nop);
    }
}
[[gnu::noinline, maybe_unused]] void pad_with_ones(u32* at, u32 n) {
    for (u32 i = 0; i != n; ++i) {
        put32(at + i, ~u32{0});
    }
}
[[gnu::noinline, maybe_unused]] void pad_ten(u32* at, u32) {
    for (u32 i = 0; i != 10; ++i) {
        put32(at + i, nop);
    }
}
[[gnu::noinline, maybe_unused]] void pad_forty(u32* at, u32) {
    for (u32 i = 0; i != 40; ++i) {
        put32(at + i, nop);
    }
}
[[gnu::noinline, maybe_unused]] void command_with_zeros(u32* at, u32 n) {
    put32(at, n);
    put64(at + 1, 0);
    put64(at + 3, 0);
    put64(at + 5, 0);
    put64(at + 7, 0);
    put32(at + 9, 0);
    put64(at + 10, n);
}
[[gnu::noinline, maybe_unused]] void command_with_zero_dwords(u32* at, u32 n) {
    put32(at, n);
    put32(at + 1, 0);
    put32(at + 2, 0);
    put32(at + 3, 0);
    put32(at + 4, 0);
    put32(at + 5, 0);
    put32(at + 6, 0);
    put32(at + 7, 0);
    put64(at + 8, n);
}
[[gnu::noinline, maybe_unused]] void command_of_constants(u32* at, u32 n) {
    put64(at, 0x1300'0000'0280'0000);
    put64(at + 2, n);
    put32(at + 4, 0x5080'0008);
    put32(at + 5, 0x0300'1000);
    put64(at + 6, u64{n} << 32);
    put32(at + 8, 0x1000);
}
[[gnu::noinline, maybe_unused]] void run_of_entries(u32* at, u32 n) {
    u64 entry = 0x77;
    for (u32 i = 0; i + 1 < n; i += 2) {
        put64(at + i, entry);
        entry += 4096;
    }
}

// The watcher steps through x86-64 code; a sanitizer's own loads of what a buffer holds would be seen as the library's.
#if defined(__x86_64__) && !defined(WDDMCORE_SANITIZED)
using writer = void (*)(u32*, u32);

void expect_in_order(char const* name, writer write) {
    for (u32 n : {1u, 3u, 5u, 7u, 9u, 10u, 13u, 15u, 31u, 63u, 100u}) {
        testing::watched_buffer buffer(1024);
        REQUIRE(buffer.arm(0, 1024));
        write(reinterpret_cast<u32*>(buffer.data()), n);
        buffer.disarm();
        auto const found = buffer.violations();
        CHECK_MESSAGE(found.empty(), name, ", n=", n, ": ", found.empty() ? "" : found.front().sentence);
    }
}
#endif

constexpr bool stores_in_constant_evaluation() {
    u32 words[5]{};
    put32(words, 0x0101'0101);
    put64(words + 1, 0);
    put64(words + 3, 0x0000'0002'0000'0001);
    return words[0] == 0x0101'0101 && words[1] == 0 && words[2] == 0 && words[3] == 1 && words[4] == 2;
}
static_assert(stores_in_constant_evaluation());

}  // namespace

#if defined(__x86_64__) && !defined(WDDMCORE_SANITIZED)
// Optimising compilers make memset of words whose bytes are alike (its ends overlap), and vectors that g++ reorders.
TEST_CASE("LAW-04: compiled stores are made once and ascending, whatever the optimiser knows of them") {
    expect_in_order("pad", pad);
    expect_in_order("pad_with_ones", pad_with_ones);
    expect_in_order("pad_ten", pad_ten);
    expect_in_order("pad_forty", pad_forty);
    expect_in_order("command_with_zeros", command_with_zeros);
    expect_in_order("command_with_zero_dwords", command_with_zero_dwords);
    expect_in_order("command_of_constants", command_of_constants);
    expect_in_order("run_of_entries", run_of_entries);
}
#endif

TEST_CASE("LAW-04: put32 and put64 store the value, low dword first") {
    u32 words[32];
    for (u32& word : words) {
        word = 0xCDCD'CDCD;
    }
    pad(words, 3);
    command_with_zeros(words + 4, 7);
    CHECK(words[0] == 0);
    CHECK(words[2] == 0);
    CHECK(words[3] == 0xCDCD'CDCD);
    CHECK(words[4] == 7);
    CHECK(words[5] == 0);
    CHECK(words[13] == 0);
    CHECK(words[14] == 7);
    CHECK(words[15] == 0);
    CHECK(words[16] == 0xCDCD'CDCD);
    pad_with_ones(words, 2);
    CHECK(words[1] == 0xFFFF'FFFF);
    CHECK(words[2] == 0);
}
