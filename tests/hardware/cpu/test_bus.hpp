// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

/// What the decoders' own tests need: a small memory with holes, seen in pieces of any size.
namespace decoder_tests {

using wddmcore::testing::execution;
using words = std::vector<std::uint32_t>;

/// One block of memory behind any number of address ranges.
class patchy_bus : public wddmcore::testing::gpu_bus {
public:
    struct range {
        std::uint64_t address;
        std::size_t offset;  ///< of the block
        std::size_t size;
    };

    patchy_bus(std::size_t size, std::vector<range> ranges) : memory(size), ranges_(std::move(ranges)) {
        for (std::size_t i = 0; i < size; ++i) {
            memory[i] = static_cast<std::byte>(i * 13 + i / 241);
        }
    }

    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        return each(address, size, [&](std::byte* data, std::size_t done, std::size_t n) {
            std::memcpy(static_cast<std::byte*>(to) + done, data, n);
        });
    }
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        return each(address, size, [&](std::byte* data, std::size_t done, std::size_t n) {
            std::memcpy(data, static_cast<std::byte const*>(from) + done, n);
        });
    }
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        for (range const& r : ranges_) {
            if (address >= r.address && address - r.address < r.size) {
                auto const inside = static_cast<std::size_t>(address - r.address);
                return {memory.data() + r.offset + inside, std::min({size, r.size - inside, largest_piece})};
            }
        }
        return {nullptr, 0};
    }

    std::vector<std::byte> memory;
    std::size_t largest_piece = SIZE_MAX;

private:
    template <class Use>
    bool each(std::uint64_t address, std::size_t size, Use use) {
        for (int looking = 1; looking >= 0; --looking) {
            for (std::size_t done = 0; done < size;) {
                piece const p = at(address + done, size - done);
                if (p.data == nullptr) {
                    return false;
                }
                if (looking == 0) {
                    use(p.data, done, p.size);
                }
                done += p.size;
            }
        }
        return true;
    }

    std::vector<range> ranges_;
};

[[nodiscard]] inline std::uint64_t seed_of_run() {
    char const* const text = std::getenv("WDDMCORE_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 0) : 20260726;
}

/// Numbers from a seed.
class numbers {
public:
    explicit numbers(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return state_ >> 33 ^ state_;
    }
    std::uint64_t below(std::uint64_t bound) { return (next() >> 5) % bound; }

private:
    std::uint64_t state_;
};

/// Whether a text has a part; the whole text when it has not, for a failing test to show.
[[nodiscard]] inline bool has(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

[[nodiscard]] inline std::uint32_t low(std::uint64_t n) { return static_cast<std::uint32_t>(n); }
[[nodiscard]] inline std::uint32_t high(std::uint64_t n) { return static_cast<std::uint32_t>(n >> 32); }

inline void append(words& to, words const& more) { to.insert(to.end(), more.begin(), more.end()); }

/// Copies inside a block as if the source had been read first; fills it.
inline void model_copy(std::vector<std::byte>& block, std::uint64_t to, std::uint64_t from, std::uint64_t size) {
    std::vector<std::byte> const source(block.begin() + static_cast<std::ptrdiff_t>(from),
                                        block.begin() + static_cast<std::ptrdiff_t>(from + size));
    std::copy(source.begin(), source.end(), block.begin() + static_cast<std::ptrdiff_t>(to));
}
inline void model_fill(std::vector<std::byte>& block, std::uint64_t to, std::uint64_t size, std::uint32_t pattern) {
    for (std::uint64_t i = 0; i < size; ++i) {
        block[static_cast<std::size_t>(to + i)] = static_cast<std::byte>((pattern >> (8 * (i % 4))) & 0xFF);
    }
}

}  // namespace decoder_tests
