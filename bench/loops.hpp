// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__x86_64__) || defined(_M_X64)
#    include <emmintrin.h>
#endif

/// The same packets by plain loops, for comparison: what one writes first, what a patient hand arrives at, and what the
/// machine can do at all. They know one engine, one direction and one unlimited buffer, and check nothing.
namespace bench {

inline constexpr std::uint32_t packet_dwords = 7;
inline constexpr std::size_t most_pages = 1024;

inline std::uint32_t* put_copy(std::uint32_t* at, std::uint64_t source, std::uint64_t destination, std::uint64_t size) {
    std::uint64_t const head = 1 | (size - 1) << 32;
    std::uint32_t const zero = 0;
    std::memcpy(at, &head, 8);
    std::memcpy(at + 2, &zero, 4);
    std::memcpy(at + 3, &source, 8);
    std::memcpy(at + 5, &destination, 8);
    return at + packet_dwords;
}

/// Follow a run while it lasts, then write it: dword by dword, as the manual lists them.
inline std::uint32_t* obvious_copy(std::uint32_t* at, std::size_t const* pages, std::size_t count, std::uint64_t source,
                                   std::uint64_t page_zero) {
    std::size_t i = 0;
    while (i < count) {
        std::size_t length = 1;
        while (i + length < count && pages[i + length] == pages[i] + length && length < most_pages) {
            ++length;
        }
        std::uint64_t const from = source + i * 4096;
        std::uint64_t const to = page_zero + pages[i] * 4096;
        *at++ = 1;
        *at++ = static_cast<std::uint32_t>(length * 4096 - 1);
        *at++ = 0;
        *at++ = static_cast<std::uint32_t>(from);
        *at++ = static_cast<std::uint32_t>(from >> 32);
        *at++ = static_cast<std::uint32_t>(to);
        *at++ = static_cast<std::uint32_t>(to >> 32);
        i += length;
    }
    return at;
}

/// Ends of runs first, without a branch, then straight emission: the best single algorithm known for all inputs.
inline std::uint32_t* hand_copy(std::uint32_t* at, std::size_t const* pages, std::size_t count, std::uint64_t source,
                                std::uint64_t page_zero) {
    constexpr std::size_t block = 256;
    std::uint16_t ends[block + 8];
    std::size_t run = 0;
    for (std::size_t start = 0; start < count; start += block) {
        std::size_t const n = count - start < block ? count - start : block;
        std::size_t const compared = start + n < count ? n : n - 1;
        std::size_t k = 0;
        std::size_t previous = pages[start];
        std::size_t t = 0;
        for (; t + 4 <= compared; t += 4) {
            std::size_t const a = pages[start + t + 1], b = pages[start + t + 2], c = pages[start + t + 3],
                              d = pages[start + t + 4];
            ends[k] = static_cast<std::uint16_t>(t + 1);
            k += a != previous + 1;
            ends[k] = static_cast<std::uint16_t>(t + 2);
            k += b != a + 1;
            ends[k] = static_cast<std::uint16_t>(t + 3);
            k += c != b + 1;
            ends[k] = static_cast<std::uint16_t>(t + 4);
            k += d != c + 1;
            previous = d;
        }
        for (; t < compared; ++t) {
            std::size_t const next = pages[start + t + 1];
            ends[k] = static_cast<std::uint16_t>(t + 1);
            k += next != previous + 1;
            previous = next;
        }
        if (start + n == count) {
            ends[k++] = static_cast<std::uint16_t>(n);
        }
        for (std::size_t i = 0; i < k; ++i) {
            std::size_t const end = start + ends[i];
            while (end - run > most_pages) {
                at = put_copy(at, source + run * 4096, page_zero + pages[run] * 4096, most_pages * 4096);
                run += most_pages;
            }
            at = put_copy(at, source + run * 4096, page_zero + pages[run] * 4096, (end - run) * 4096);
            run = end;
        }
    }
    return at;
}

/// What one writes first for two contiguous places: as much as a packet takes, until nothing is left.
inline std::uint32_t* obvious_move(std::uint32_t* at, std::uint64_t source, std::uint64_t destination,
                                   std::uint64_t size) {
    while (size != 0) {
        std::uint64_t const length = size < most_pages * 4096 ? size : most_pages * 4096;
        at = put_copy(at, source, destination, length);
        source += length;
        destination += length;
        size -= length;
    }
    return at;
}

/// The same for this engine alone: whole packets in a counted loop, then the rest.
inline std::uint32_t* hand_move(std::uint32_t* at, std::uint64_t source, std::uint64_t destination,
                                std::uint64_t size) {
    constexpr std::uint64_t most = most_pages * 4096;
    for (std::uint64_t left = size / most; left != 0; --left) {
        at = put_copy(at, source, destination, most);
        source += most;
        destination += most;
    }
    return size % most != 0 ? put_copy(at, source, destination, size % most) : at;
}

/// Sixteen bytes at a time, where the machine has them.
#if defined(__x86_64__) || defined(_M_X64)
class sixteen_bytes {
public:
    void add(std::size_t const* two) {
        value_ = _mm_add_epi64(value_, _mm_loadu_si128(reinterpret_cast<__m128i const*>(two)));
    }
    void add(sixteen_bytes const& other) { value_ = _mm_add_epi64(value_, other.value_); }
    void store(std::uint32_t* at) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(at), value_); }

private:
    __m128i value_ = _mm_setzero_si128();
};
#else
class sixteen_bytes {
public:
    void add(std::size_t const* two) {
        value_[0] += two[0];
        value_[1] += two[1];
    }
    void add(sixteen_bytes const& other) {
        value_[0] += other.value_[0];
        value_[1] += other.value_[1];
    }
    void store(std::uint32_t* at) const { std::memcpy(at, value_, sizeof value_); }

private:
    std::uint64_t value_[2] = {};
};
#endif

/// What cannot be avoided: every page number is read once, and `dwords` words are stored once, as reading goes on.
inline std::uint32_t* limit_copy(std::uint32_t* at, std::size_t const* pages, std::size_t count, std::size_t dwords) {
    constexpr std::size_t step = 64;
    std::size_t const share = count < step ? dwords : dwords / (count / step);  // words for each step
    std::uint32_t* const end = at + dwords;
    sixteen_bytes sums[4];
    for (std::size_t i = 0; i + step <= count; i += step) {
        for (std::size_t k = 0; k != step; k += 8) {
            sums[0].add(pages + i + k);
            sums[1].add(pages + i + k + 2);
            sums[2].add(pages + i + k + 4);
            sums[3].add(pages + i + k + 6);
        }
        for (std::size_t k = 0; k + 4 <= share; k += 4) {
            sums[0].store(at);
            at += 4;
        }
    }
    for (std::size_t i = count / step * step; i + 2 <= count; i += 2) {
        sums[0].add(pages + i);
    }
    sums[0].add(sums[1]);
    sums[2].add(sums[3]);
    sums[0].add(sums[2]);
    for (; end - at >= 16; at += 16) {
        sums[0].store(at);
        sums[0].store(at + 4);
        sums[0].store(at + 8);
        sums[0].store(at + 12);
    }
    for (; end - at >= 4; at += 4) {
        sums[0].store(at);
    }
    if (dwords >= 4) {
        sums[0].store(end - 4);  // the rest, over words that were stored
    }
    return end;
}

/// Fills with one packet per largest fill, dword by dword.
inline std::uint32_t* obvious_fill(std::uint32_t* at, std::uint64_t destination, std::uint64_t size,
                                   std::uint32_t pattern) {
    constexpr std::uint64_t most = most_pages * 4096;
    while (size != 0) {
        std::uint64_t const length = size < most ? size : most;
        *at++ = 0x8000'000B;
        *at++ = static_cast<std::uint32_t>(destination);
        *at++ = static_cast<std::uint32_t>(destination >> 32);
        *at++ = pattern;
        *at++ = static_cast<std::uint32_t>(length - 1);
        destination += length;
        size -= length;
    }
    return at;
}

/// The same as 8 + 8 + 4 bytes, the last packet apart.
inline std::uint32_t* hand_fill(std::uint32_t* at, std::uint64_t destination, std::uint64_t size,
                                std::uint32_t pattern) {
    constexpr std::uint64_t most = most_pages * 4096;
    auto const put = [&at, &destination, pattern](std::uint64_t length) {
        std::uint64_t const first = 0x8000'000Bu | destination << 32;
        std::uint64_t const second = destination >> 32 | static_cast<std::uint64_t>(pattern) << 32;
        std::uint32_t const third = static_cast<std::uint32_t>(length - 1);
        std::memcpy(at, &first, 8);
        std::memcpy(at + 2, &second, 8);
        std::memcpy(at + 4, &third, 4);
        at += 5;
        destination += length;
    };
    for (std::uint64_t i = size / most; i != 0; --i) {
        put(most);
    }
    if (size % most != 0) {
        put(size % most);
    }
    return at;
}

}  // namespace bench
