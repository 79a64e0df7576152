// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "sdma_engine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

/// What the decoder's own tests need: a tiny memory with holes, and windows of hand-assembled words.
namespace sdma_test {

using wddmcore::testing::amd_sdma_engine;
using wddmcore::testing::execution;

/// One block of memory seen through any number of address ranges, in pieces of at most `largest_piece` bytes.
class small_bus : public wddmcore::testing::gpu_bus {
public:
    struct range {
        std::uint64_t address;
        std::size_t offset;
        std::size_t size;
    };

    small_bus(std::size_t size, std::vector<range> ranges) : memory(size), ranges_(std::move(ranges)) {
        for (std::size_t i = 0; i < size; ++i) {
            memory[i] = static_cast<std::byte>(i * 7 + i / 251);
        }
    }

    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        return each_piece(address, size, [&](std::byte* data, std::size_t done, std::size_t part) {
            std::memcpy(static_cast<std::byte*>(to) + done, data, part);
        });
    }

    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        return each_piece(address, size, [&](std::byte* data, std::size_t done, std::size_t part) {
            std::memcpy(data, static_cast<std::byte const*>(from) + done, part);
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
    bool each_piece(std::uint64_t address, std::size_t size, Use use) {
        for (std::size_t done = 0; done < size;) {
            piece const p = at(address + done, size - done);
            if (p.data == nullptr) {
                return false;
            }
            done += p.size;
        }
        for (std::size_t done = 0; done < size;) {
            piece const p = at(address + done, size - done);
            use(p.data, done, p.size);
            done += p.size;
        }
        return true;
    }

    std::vector<range> ranges_;
};

inline constexpr std::uint64_t low = 0x1'0000;           // fits the low address dword
inline constexpr std::uint64_t high = 0x1234'0002'0000;  // needs both
inline constexpr std::size_t half = 0x1'0000;            // bytes behind each of the two

/// 64 KiB at each of `low` and `high`, nothing around them.
struct two_ranges : small_bus {
    two_ranges() : small_bus(2 * half, {{low, 0, half}, {high, half, half}}) {}
};

/// Words of one or more packets, padded with plain NOPs to whole groups of 8.
[[nodiscard]] inline std::vector<std::uint32_t> window(std::vector<std::uint32_t> words) {
    words.resize((words.size() + 7) / 8 * 8, 0);
    return words;
}

[[nodiscard]] inline execution run(wddmcore::testing::gpu_bus& bus, std::vector<std::uint32_t> const& words) {
    amd_sdma_engine engine;
    return engine.execute(words.data(), words.size(), bus);
}

/// What the window [NOP, packet, padding] says; the bus must be left as it was.
struct refusal {
    bool refused_at_packet = false;
    bool memory_unchanged = false;
    std::string why;
};

[[nodiscard]] inline refusal refuse_of(std::vector<std::uint32_t> packet) {
    two_ranges bus;
    std::vector<std::byte> const before = bus.memory;
    packet.insert(packet.begin(), 0);
    execution const done = run(bus, window(packet));
    return {!done.ok && done.dword == 1 && done.commands == 0 && done.moved_bytes == 0 && done.interrupts == 0,
            bus.memory == before, done.why};
}

[[nodiscard]] inline bool contains(std::string const& text, char const* part) {
    return text.find(part) != std::string::npos;
}

[[nodiscard]] inline std::uint64_t seed_of_run() {
    char const* const text = std::getenv("WDDMCORE_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 0) : 20260725;
}

}  // namespace sdma_test
