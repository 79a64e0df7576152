// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

/// Bulk moves of the simulated engine: ranges are gathered first, so that a range with a hole changes nothing.
namespace wddmcore::inline WDDMCORE_ABI::testing::sdma {

using memory_pieces = std::vector<gpu_bus::piece>;

/// True when `size` bytes (1 or more) from `first` do not fit below 2^64.
[[nodiscard]] constexpr bool wraps(std::uint64_t first, std::uint64_t size) {
    return first > ~std::uint64_t{0} - (size - 1);
}

/// True when two ranges of `size` bytes share an address.
[[nodiscard]] constexpr bool ranges_overlap(std::uint64_t a, std::uint64_t b, std::uint64_t size) {
    return (a < b ? b - a : a - b) < size;
}

/// Lists the memory behind `size` bytes from `first`; false when a byte of the range is not backed.
[[nodiscard]] inline bool gather(gpu_bus& bus, std::uint64_t first, std::uint64_t size, memory_pieces& pieces) {
    pieces.clear();
    if (wraps(first, size)) {
        return false;
    }
    for (std::uint64_t done = 0; done < size;) {
        auto const left = static_cast<std::size_t>(size - done);
        gpu_bus::piece piece = bus.at(first + done, left);
        if (piece.data == nullptr || piece.size == 0) {
            return false;
        }
        piece.size = std::min(piece.size, left);
        pieces.push_back(piece);
        done += piece.size;
    }
    return true;
}

/// True when a byte of memory stands behind both lists.
///
/// Two GPU addresses may name one page; an overlap hidden that way is as undefined as a visible one (OP08-07).
/// Both lists come back sorted by place in memory.
[[nodiscard]] inline bool share_memory(memory_pieces& a, memory_pieces& b) {
    std::less<std::byte const*> const before;
    auto const by_start = [&](gpu_bus::piece const& l, gpu_bus::piece const& r) { return before(l.data, r.data); };
    std::sort(a.begin(), a.end(), by_start);
    std::sort(b.begin(), b.end(), by_start);
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        if (!before(b[k].data, a[i].data + a[i].size)) {
            ++i;
        } else if (!before(a[i].data, b[k].data + b[k].size)) {
            ++k;
        } else {
            return true;
        }
    }
    return false;
}

/// Moves the bytes of one list to another of the same total size; the lists share no memory.
inline void move_bytes(memory_pieces const& from, memory_pieces const& to) {
    std::size_t i = 0;
    std::size_t read = 0;
    for (gpu_bus::piece const& target : to) {
        for (std::size_t written = 0; written < target.size;) {
            std::size_t const size = std::min(target.size - written, from[i].size - read);
            std::memcpy(target.data + written, from[i].data + read, size);
            written += size;
            read += size;
            if (read == from[i].size) {
                ++i;
                read = 0;
            }
        }
    }
}

/// Repeats the four bytes of `pattern` over a list, the first byte of the pattern at the first byte of the list.
inline void fill_bytes(memory_pieces const& to, std::uint32_t pattern) {
    constexpr std::size_t step = 4096;
    // The spare dword lets a copy of one whole step start at any byte of the pattern.
    std::array<std::byte, step + sizeof pattern> block;
    for (std::size_t i = 0; i < block.size(); i += sizeof pattern) {
        std::memcpy(block.data() + i, &pattern, sizeof pattern);
    }
    std::size_t phase = 0;
    for (gpu_bus::piece const& target : to) {
        for (std::size_t written = 0; written < target.size;) {
            std::size_t const size = std::min(target.size - written, step);
            std::memcpy(target.data + written, block.data() + phase, size);
            written += size;
            phase = (phase + size) % sizeof pattern;
        }
    }
}

}  // namespace wddmcore::testing::sdma
