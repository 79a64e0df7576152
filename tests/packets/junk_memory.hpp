// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>

namespace wddmcore::tests {

/// Memory behind every address. Each byte begins as junk that depends on its address, so that what comes from a wrong
/// place is wrong.
class junk_memory final : public testing::gpu_bus {
public:
    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        for (std::size_t done = 0; done != size;) {
            piece const p = at(address + done, size - done);
            std::memcpy(static_cast<std::byte*>(to) + done, p.data, p.size);
            done += p.size;
        }
        return true;
    }
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        for (std::size_t done = 0; done != size;) {
            piece const p = at(address + done, size - done);
            std::memcpy(p.data, static_cast<std::byte const*>(from) + done, p.size);
            done += p.size;
        }
        return true;
    }
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        std::size_t const left = page_bytes - static_cast<std::size_t>(address % page_bytes);
        return {byte_at(address), size < left ? size : left};
    }

    /// The first address whose byte differs; none: equal everywhere.
    [[nodiscard]] bool equals(junk_memory& other, std::uint64_t& where) {
        return covers(other, where) && other.covers(*this, where);
    }

private:
    static constexpr std::size_t page_bytes = 4096;
    using page = std::array<std::byte, page_bytes>;

    [[nodiscard]] std::byte* byte_at(std::uint64_t address) {
        auto const [found, fresh] = pages_.try_emplace(address / page_bytes);
        if (fresh) {
            std::uint64_t state = (found->first + 1) * 0x9E37'79B9'7F4A'7C15;
            for (std::byte& b : found->second) {
                state = state * 6364136223846793005 + 1442695040888963407;
                b = static_cast<std::byte>(state >> 56);
            }
        }
        return &found->second[static_cast<std::size_t>(address % page_bytes)];
    }
    [[nodiscard]] bool covers(junk_memory& other, std::uint64_t& where) {
        for (auto const& [number, mine] : pages_) {
            where = number * page_bytes;
            std::byte const* const theirs = other.byte_at(where);
            for (std::size_t i = 0; i != page_bytes; ++i, ++where) {
                if (mine[i] != theirs[i]) {
                    return false;
                }
            }
        }
        return true;
    }

    std::map<std::uint64_t, page> pages_;
};

}  // namespace wddmcore::tests
