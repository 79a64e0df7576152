// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hw/plain_gpu.hpp>

#include <vector>

/// Hardware whose fill commands differ in length, by the place and by the pattern.
namespace wddmcore::inline WDDMCORE_ABI::testing {

inline constexpr u32 varied_fill_head = 0xF1'0000;

/// A command: a head with its length, the place (one dword below 4 GiB), the size, the pattern (none for zeros), and
/// three dwords more for a place that is no multiple of a page's half.
template <plain_numbers Numbers, capabilities Caps>
struct varied_fill_gpu : plain_gpu<Numbers, Caps> {
    using address = plain_address;

    static constexpr dwords fill_dwords_most{8};
    [[nodiscard]] static constexpr dwords fill_dwords_of(address to, bytes, u32 pattern) noexcept {
        return {3u + (to.n >> 32 != 0 ? 1u : 0u) + (pattern != 0 ? 1u : 0u) + (to.n % 2048 != 0 ? 3u : 0u)};
    }
    static constexpr void encode_fill(u32* at, address to, bytes size, u32 pattern) noexcept {
        u32 i = 0;
        at[i++] = varied_fill_head | fill_dwords_of(to, size, pattern).n;
        at[i++] = low_dword(to.n);
        if (to.n >> 32 != 0) {
            at[i++] = high_dword(to.n);
        }
        at[i++] = static_cast<u32>(size.n);
        if (pattern != 0) {
            at[i++] = pattern;
        }
        if (to.n % 2048 != 0) {
            for (u32 const end = i + 3; i != end; ++i) {
                at[i] = 0x0DD;
            }
        }
    }

private:
    using plain_gpu<Numbers, Caps>::fill_dwords;  // every fill of the base has one length
};

/// A fill as a window shows it, and the dwords of its command.
struct varied_fill {
    u64 place;
    u64 size;
    u32 pattern;
    u32 length;
};

/// The fills of a window, in order; padding is zeros.
/// @param high  whether places have two dwords
[[nodiscard]] inline std::vector<varied_fill> fills_in(u32 const* at, std::size_t dwords, bool high, bool zeros) {
    std::vector<varied_fill> found;
    for (std::size_t i = 0; i < dwords;) {
        if (at[i] == 0) {
            ++i;
            continue;
        }
        varied_fill one{0, 0, 0, at[i] & 0xFF};
        std::size_t next = i + 1;
        one.place = at[next++];
        if (high) {
            one.place |= u64{at[next++]} << 32;
        }
        one.size = at[next++];
        one.pattern = zeros ? 0 : at[next];
        found.push_back(one);
        i += one.length;
    }
    return found;
}

}  // namespace wddmcore::testing
