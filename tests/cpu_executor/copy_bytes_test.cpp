// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The CPU's copies, byte by byte: every distance from a machine word's start, every short size, both directions.
#include <wddmcore/paging/cpu/access.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

// A sanitizer's own accesses to what it knows of memory are not aligned.
#if defined(__x86_64__) && defined(__linux__) && !defined(WDDMCORE_SANITIZED)
#    include <sys/wait.h>
#    include <unistd.h>
#endif

namespace copy_bytes_test {

using namespace wddmcore;

namespace {

using copier = void (*)(u8*, u8 const*, usize);

/// Copies between two arrays, and judges every byte of both.
void check_apart(copier copy, usize to, usize from, usize size) {
    alignas(16) u8 source[64];
    alignas(16) u8 destination[64];
    for (u32 i = 0; i != 64; ++i) {
        source[i] = static_cast<u8>(i + 1);
        destination[i] = static_cast<u8>(0xC0 + i);
    }
    copy(destination + to, source + from, size);
    bool good = true;
    for (usize i = 0; i != 64; ++i) {
        bool const inside = i >= to && i - to < size;
        good = good && destination[i] == static_cast<u8>(inside ? from + (i - to) + 1 : 0xC0 + i) &&
               source[i] == static_cast<u8>(i + 1);
    }
    CAPTURE(to);
    CAPTURE(from);
    CAPTURE(size);
    CHECK(good);
}

/// Copies inside one array.
void check_overlap(copier copy, usize to, usize from, usize size) {
    alignas(16) u8 bytes[64];
    std::vector<u8> expected(64);
    for (u32 i = 0; i != 64; ++i) {
        bytes[i] = expected[i] = static_cast<u8>(i + 1);
    }
    std::vector<u8> const moved(expected.begin() + static_cast<std::ptrdiff_t>(from),
                                expected.begin() + static_cast<std::ptrdiff_t>(from + size));
    std::copy(moved.begin(), moved.end(), expected.begin() + static_cast<std::ptrdiff_t>(to));
    copy(bytes + to, bytes + from, size);
    CAPTURE(to);
    CAPTURE(from);
    CAPTURE(size);
    CHECK(std::equal(expected.begin(), expected.end(), bytes));
}

}  // namespace

TEST_CASE("OP00-10: a copy by the CPU touches its bytes and no other, wherever it begins and ends in a word") {
    for (usize to = 0; to != 9; ++to) {
        for (usize from = 0; from != 9; ++from) {
            for (usize size = 0; size != 34; ++size) {  // less than a word to four words
                check_apart(paging::detail::cpu::copy_bytes<false>, to, from, size);
                check_apart(paging::detail::cpu::copy_bytes<true>, to, from, size);
            }
        }
    }
}

TEST_CASE("OP08-07: copies of the CPU inside one array, each direction where it is right") {
    for (usize distance = 1; distance != 20; ++distance) {
        for (usize start = 0; start != 9; ++start) {
            for (usize size = 0; size != 30; ++size) {
                check_overlap(paging::detail::cpu::copy_bytes<false>, start, start + distance, size);
                check_overlap(paging::detail::cpu::copy_bytes<true>, start + distance, start, size);
            }
        }
    }
}

#if defined(__x86_64__) && defined(__linux__) && !defined(WDDMCORE_SANITIZED)

TEST_CASE("OP00-10: where both sides can be aligned the CPU moves aligned words, as memory of a device needs them") {
    alignas(16) u8 bytes[2][64] = {};
    pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        // From here on the processor itself faults on each access that is not aligned.
        constexpr unsigned long long alignment_check = 1u << 18;
        __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | alignment_check);
        for (usize past = 0; past != 8; ++past) {
            for (usize size = 0; size != 34; ++size) {
                paging::detail::cpu::copy_bytes<false>(bytes[0] + past, bytes[1] + past, size);
                paging::detail::cpu::copy_bytes<true>(bytes[0] + past, bytes[1] + past, size);
                paging::detail::cpu::fill_bytes(bytes[0] + past, size, 0x0102'0304);
            }
        }
        __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~alignment_check);
        ::_exit(0);
    }
    int ended = 0;
    REQUIRE(::waitpid(child, &ended, 0) == child);
    CHECK(ended == 0);
}

#endif

}  // namespace copy_bytes_test
