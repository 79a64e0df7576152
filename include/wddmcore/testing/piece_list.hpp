// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpu_memory/bus.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

/// What the simulated engines of this folder and of the mocks move bytes with, and how they name numbers.
namespace wddmcore::inline WDDMCORE_ABI::testing::pieces {

/// A number as text: "0x" and lower-case digits, without leading zeros.
/// @param value  any number
/// @return the text
[[nodiscard]] inline std::string hex(std::uint64_t value) {
    std::string text;
    do {
        text.insert(text.begin(), "0123456789abcdef"[value & 15]);
        value >>= 4;
    } while (value != 0);
    return "0x" + text;
}

/// Whether two ranges share an address.
/// @param a     first address of one
/// @param b     first address of the other
/// @param size  bytes of each
[[nodiscard]] constexpr bool ranges_share(std::uint64_t a, std::uint64_t b, std::uint64_t size) {
    return (a < b ? b - a : a - b) < size;
}

/// The memory behind one range, gathered before the first byte changes, so that a range with a hole changes nothing.
class piece_list {
public:
    /// Lists the memory behind a range.
    /// @param bus    whose addresses they are
    /// @param first  address of the first byte
    /// @param size   bytes, 1 or more
    /// @return false: a byte is not backed, or the range wraps
    [[nodiscard]] bool gather(gpu_bus& bus, std::uint64_t first, std::uint64_t size) {
        pieces_.clear();
        if (first > ~std::uint64_t{0} - (size - 1)) {
            return false;
        }
        for (std::uint64_t done = 0; done < size;) {
            auto const left = static_cast<std::size_t>(size - done);
            gpu_bus::piece piece = bus.at(first + done, left);
            if (piece.data == nullptr || piece.size == 0) {
                return false;
            }
            piece.size = std::min(piece.size, left);
            pieces_.push_back(piece);
            done += piece.size;
        }
        return true;
    }

    /// Whether a byte of memory stands behind both: two addresses may name one page.
    /// @param other  a list that was gathered
    [[nodiscard]] bool shares_memory_with(piece_list const& other) const {
        std::less<std::byte const*> const before;
        auto const sorted = [&](std::vector<gpu_bus::piece> list) {
            std::sort(list.begin(), list.end(), [&](auto const& l, auto const& r) { return before(l.data, r.data); });
            return list;
        };
        std::vector<gpu_bus::piece> const a = sorted(pieces_);
        std::vector<gpu_bus::piece> const b = sorted(other.pieces_);
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

    /// Copies all bytes of `source`, a list of the same size, as if they had been read before the first one is written.
    void assign(piece_list const& source) {
        if (pieces_.size() == 1 && source.pieces_.size() == 1) {
            std::memmove(pieces_[0].data, source.pieces_[0].data, pieces_[0].size);
            return;
        }
        scatter(source.bytes());
    }

    /// @return all bytes in order
    [[nodiscard]] std::vector<std::byte> bytes() const {
        std::size_t total = 0;
        for (gpu_bus::piece const& p : pieces_) {
            total += p.size;
        }
        std::vector<std::byte> all(total);
        std::size_t done = 0;
        for (gpu_bus::piece const& p : pieces_) {
            std::memcpy(all.data() + done, p.data, p.size);
            done += p.size;
        }
        return all;
    }

    /// Stores bytes.
    /// @param all  as many as the list has, in order
    void scatter(std::vector<std::byte> const& all) {
        std::size_t done = 0;
        for (gpu_bus::piece const& p : pieces_) {
            std::memcpy(p.data, all.data() + done, p.size);
            done += p.size;
        }
    }

    /// Repeats the four bytes of a pattern.
    /// @param pattern  its lowest byte goes to the list's first byte
    void fill(std::uint32_t pattern) {
        std::array<std::byte, 4> cycle{};
        for (std::size_t i = 0; i < 4; ++i) {
            cycle[i] = static_cast<std::byte>((pattern >> (8 * i)) & 0xFF);
        }
        std::size_t phase = 0;
        for (gpu_bus::piece const& p : pieces_) {
            std::size_t const head = std::min<std::size_t>(p.size, 4);
            for (std::size_t i = 0; i < head; ++i) {
                p.data[i] = cycle[(phase + i) % 4];
            }
            // What is written so far is a whole period, or the piece is shorter than one: it can be doubled.
            for (std::size_t done = head; done < p.size;) {
                std::size_t const more = std::min(done, p.size - done);
                std::memcpy(p.data + done, p.data, more);
                done += more;
            }
            phase = (phase + p.size) % 4;
        }
    }

private:
    std::vector<gpu_bus::piece> pieces_;
};

}  // namespace wddmcore::testing::pieces
