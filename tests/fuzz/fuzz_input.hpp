// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/units.hpp>

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// The fuzzer's bytes as numbers; zero when they have run out.
struct input {
    u8 const* at;
    usize left;

    u8 byte() {
        if (left == 0) {
            return 0;
        }
        --left;
        return *at++;
    }
    bool flag() { return (byte() & 1) != 0; }
    bool one_in(u8 n) { return byte() % n == n - 1; }
    u64 word(u32 count) {
        u64 value = 0;
        for (u32 i = 0; i != count; ++i) {
            value = value << 8 | byte();
        }
        return value;
    }

    /// A number that is small, or near one where something ends: pages, powers of two, the width of the type.
    u64 number() {
        u8 const form = byte();
        u64 const nudge = form >> 4;  // 0 to 15, so -8 to 7 around an edge
        switch (form & 7) {
            case 0: return byte();
            case 1: return word(2);
            case 2: return u64{byte()} * page_bytes;
            case 3: return u64{byte()} * page_bytes + nudge - 8;
            case 4: return (u64{1} << (byte() & 63)) + nudge - 8;
            case 5: return word(2) * page_bytes;
            case 6: return nudge * 4;
            default: return word(8);
        }
    }
};

}  // namespace wddmcore::testing::fuzz
