// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../memory/differing_memory.hpp"
#include "../memory/model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Writes down where memory differs from what it has to be, for people who look at a finding.
class comparison {
public:
    /// @param bytes  how many will be compared in all, not 0
    comparison(memory_model const& memory, std::uint64_t bytes) : memory_(memory) {
        out_.compared = bytes;
        out_.pieces.assign(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, differing_memory::most_pieces)),
                           '.');
    }

    /// The next bytes, which are at one address one after the other; both ranges have one size.
    void add(std::uint64_t address, std::span<std::byte const> expected, std::span<std::byte const> found) {
        for (std::size_t i = 0; i != found.size(); ++i, ++done_) {
            if (expected[i] == found[i]) {
                continue;
            }
            ++out_.differing;
            std::uint64_t const bytes_of_piece = (out_.compared + out_.pieces.size() - 1) / out_.pieces.size();
            out_.pieces[static_cast<std::size_t>(done_ / bytes_of_piece)] = 'x';
            if (out_.empty()) {
                show(address, i, expected, found);
            }
        }
    }

    /// What was found; empty where nothing differed.
    [[nodiscard]] differing_memory const& result() const { return out_; }

private:
    void show(std::uint64_t address, std::size_t first, std::span<std::byte const> expected,
              std::span<std::byte const> found) {
        constexpr std::uint64_t row = 8;
        std::uint64_t const before = std::min<std::uint64_t>(first, row + (address + first) % row);
        std::size_t const begin = first - static_cast<std::size_t>(before);
        std::size_t const end = std::min(found.size(), begin + differing_memory::most_bytes);
        out_.place = memory_.name_of(address + begin);
        for (std::size_t i = begin; i != end; ++i) {
            out_.expected.push_back(std::to_integer<std::uint8_t>(expected[i]));
            out_.found.push_back(std::to_integer<std::uint8_t>(found[i]));
        }
    }

    memory_model const& memory_;
    differing_memory out_;
    std::uint64_t done_ = 0;
};

/// The two images of a part of memory, compared.
[[nodiscard]] inline differing_memory compared(memory_model& memory, std::uint64_t address, std::uint64_t size) {
    comparison out(memory, size);
    while (size != 0) {
        std::span<std::byte const> const found = memory.is(address, size);
        std::span<std::byte const> const expected = memory.must_be(address, found.size());
        if (expected.empty()) {
            break;
        }
        out.add(address, expected, found.first(expected.size()));
        address += expected.size();
        size -= expected.size();
    }
    return out.result();
}

/// The same of the page around an address.
[[nodiscard]] inline differing_memory compared_page(memory_model& memory, std::uint64_t address) {
    return compared(memory, address / page_size * page_size, page_size);
}

}  // namespace wddmcore::testing::vidmm_parts
