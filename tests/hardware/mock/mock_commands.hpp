// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mock_capabilities.hpp"

#include <wddmcore/base/stores.hpp>

/// What all commands of the mock are written with: its addresses, and a line that keeps its sum.
namespace wddmcore::inline WDDMCORE_ABI::testing::mock {

/// Where something lies: 16 bytes, because the library shall not take an address for a number.
struct address {
    u64 value;
    u32 target;
    u32 number;
    friend constexpr address operator+(address a, bytes b) noexcept { return {a.value + b.n, a.target, a.number}; }
};
static_assert(sizeof(address) == 16);

inline constexpr u32 target_segment = 0x11;
inline constexpr u32 target_pages = 0x22;
inline constexpr u32 target_virtual = 0x33;

/// Writes one command in order and keeps its exclusive or in a register: nothing is read back.
struct line {
    u32* at;
    u32 sum;

    constexpr void put(u32 word) noexcept {
        put32(at, word);
        ++at;
        sum ^= word;
    }
    constexpr void head(u32 code, u32 argument, dwords length) noexcept {
        put(0xB7u << 24 | code << 16 | argument << 8 | length.n);
    }
    constexpr void wide(u64 value) noexcept {
        put(high_dword(value));
        put(low_dword(value));
    }
    constexpr void place(address a) noexcept {
        wide(a.value);
        put(a.target);
        put(a.number);
    }
    constexpr void short_place(address a) noexcept {
        wide(a.value);
        put(a.number << 8 | a.target);
    }
    constexpr void end() noexcept { put32(at, sum); }
};

}  // namespace wddmcore::testing::mock
