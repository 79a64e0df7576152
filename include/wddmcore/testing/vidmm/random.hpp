// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// 2^64 divided by the golden ratio, odd: its multiples are far apart from each other in every part of a word.
inline constexpr std::uint64_t golden_ratio = 0x9E37'79B9'7F4A'7C15U;

/// Spreads the bits of a number over all 64: equal numbers give equal results on every host.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t n) {
    n += golden_ratio;
    n = (n ^ (n >> 30)) * 0xBF58'476D'1CE4'E5B9U;
    n = (n ^ (n >> 27)) * 0x94D0'49BB'1331'11EBU;
    return n ^ (n >> 31);
}

/// Numbers from a seed. The standard library's distributions differ between hosts, so a run could not be repeated.
class dice {
public:
    explicit constexpr dice(std::uint64_t seed) : state_(mixed(seed)) {}

    [[nodiscard]] constexpr std::uint64_t next() {
        state_ += golden_ratio;
        return mixed(state_);
    }

    /// 0 .. bound - 1; bound at least 1.
    [[nodiscard]] constexpr std::uint64_t below(std::uint64_t bound) { return next() % bound; }

    /// first .. last, both included.
    [[nodiscard]] constexpr std::uint64_t between(std::uint64_t first, std::uint64_t last) {
        return first + below(last - first + 1);
    }

    /// True in `percent` of 100 throws.
    [[nodiscard]] constexpr bool chance(std::uint32_t percent) { return below(100) < percent; }

private:
    std::uint64_t state_;
};

/// Words of generated content that begin with one mixed number: numbers in a row from there on are enough to tell all
/// words apart, and simulated memory is filled too often for more.
inline constexpr std::uint64_t content_row = 8;

/// Eight bytes of generated content: different for every (key, word), as far as 64 bits can tell.
[[nodiscard]] constexpr std::uint64_t content_word(std::uint64_t key, std::uint64_t word) {
    return mixed(key ^ (word / content_row * 0xD6E8'FEB8'6659'FD93U)) + word % content_row * golden_ratio;
}

/// Writes generated content, byte 0 of the span being byte `first` of the content.
inline void write_content(std::span<std::byte> to, std::uint64_t key, std::uint64_t first) {
    constexpr std::size_t row_bytes = content_row * 8;
    for (std::size_t i = 0; i < to.size();) {
        std::uint64_t const at = first + i;
        if (std::endian::native == std::endian::little && at % row_bytes == 0 && to.size() - i >= row_bytes) {
            std::uint64_t row[content_row];
            row[0] = content_word(key, at / 8);
            for (std::size_t k = 1; k < content_row; ++k) {
                row[k] = row[k - 1] + golden_ratio;
            }
            std::memcpy(&to[i], row, row_bytes);
            i += row_bytes;
            continue;
        }
        std::uint64_t word = content_word(key, at / 8) >> (8 * (at % 8));
        for (std::uint64_t k = at % 8; k < 8 && i < to.size(); ++k, ++i, word >>= 8) {
            to[i] = static_cast<std::byte>(word & 0xFF);
        }
    }
}

}  // namespace wddmcore::testing::vidmm_parts
