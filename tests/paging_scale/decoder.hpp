// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <cstdint>
#include <string>

/// A decoder of the streams, written from the tables in the hardware's documentation; it shares nothing with encoders.
namespace paging_scale {

/// One command, as far as its kind has these.
struct command {
    std::uint32_t code = 0;
    std::uint32_t word = 0;  ///< pattern, or MMU, or segment with the coherency bit
    std::uint64_t a = 0;     ///< destination, address, or index
    std::uint64_t b = 0;     ///< source, bytes, pages, or page number
    std::uint64_t c = 0;     ///< bytes of a copy; first page; offset
};

inline std::uint64_t wide(std::uint32_t const* at) { return at[0] | static_cast<std::uint64_t>(at[1]) << 32; }

/// Records of hardware/cpu.hpp and scale_gpu.hpp: head with code and length, a word, then up to three wide numbers.
struct record_stream {
    template <class Each>
    [[nodiscard]] static std::string decode(std::uint32_t const* words, std::size_t count, Each&& each) {
        for (std::size_t at = 0; at < count;) {
            std::uint32_t const head = words[at];
            std::uint32_t const code = head & 0xFF;
            std::uint32_t const length = head >> 8;
            if (code == 0 && length == 1) {
                ++at;
                continue;
            }
            bool const known = (code == 1 || code == 2 || code == 5 || (code >= 0x80 && code <= 0x82)) && length == 8;
            if (!known || count - at < 8) {
                return "no record at dword " + std::to_string(at);
            }
            each(command{code, words[at + 1], wide(words + at + 2), wide(words + at + 4), wide(words + at + 6)});
            at += 8;
        }
        return {};
    }
};

/// SDMA packets: COPY_LINEAR (1), CONST_FILL (11) of dwords, NOP (0). They become records of the same meaning.
struct sdma_stream {
    template <class Each>
    [[nodiscard]] static std::string decode(std::uint32_t const* words, std::size_t count, Each&& each) {
        for (std::size_t at = 0; at < count;) {
            std::uint32_t const* const packet = words + at;
            if (*packet == 0) {
                ++at;
            } else if (*packet == 1 && count - at >= 7) {
                each(command{1, 0, wide(packet + 5), wide(packet + 3), packet[1] + std::uint64_t{1}});
                at += 7;
            } else if (*packet == 0x8000'000B && count - at >= 5) {
                each(command{2, packet[3], wide(packet + 1), packet[4] + std::uint64_t{1}, 0});
                at += 5;
            } else {
                return "no packet at dword " + std::to_string(at);
            }
        }
        return {};
    }
};

}  // namespace paging_scale
