// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mock_map.hpp"
#include "mock_words.hpp"

#include <wddmcore/testing/walking_bus.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Page-table walker of the mock: pages of 16 KiB, five levels, entries of 16 bytes, written from the table in its
/// documentation alone. An entry that is not valid must be the bytes 0x5A all over, and a bit without use 0.
class mock_page_walker {
public:
    /// @param map   where segments and system pages lie on the bus
    /// @param root  bus address of the root table
    mock_page_walker(gpu_bus& memory, mock_map const& map, std::uint64_t root)
        : memory_(memory), map_(map), root_(root) {}

    [[nodiscard]] translation walk(std::uint64_t va) const {
        if (va >> 43 != 0) {
            return no_translation(pieces::hex(va) + " has more than 43 bits");
        }
        // By level: the first bit of the index, its width, and the bits of an address that an entry covers.
        struct step {
            unsigned first;
            unsigned width;
            unsigned covers;
        };
        static constexpr std::array<step, 5> steps{{{14, 7, 14}, {21, 7, 21}, {28, 5, 28}, {33, 6, 33}, {39, 4, 39}}};
        std::uint64_t table = root_;
        for (unsigned level = 4;; --level) {
            step const& s = steps[level];
            std::uint64_t const index = va >> s.first & ((std::uint64_t{1} << s.width) - 1);
            std::string const name = "the entry of level " + std::to_string(level);
            std::array<std::uint64_t, 2> entry{};
            if (!memory_.read(table + index * 16, entry.data(), sizeof entry)) {
                return no_translation(name + " is not in memory");
            }
            auto const [low, high] = entry;
            if (high >> 63 == 0) {
                return no_translation(
                    name + (low == none && high == none ? " is not valid" : " is not valid but not 0x5A all over"));
            }
            if ((low >> 56 & 15) != level || (low & std::uint64_t{0xFFF} << 44) != 0) {
                return no_translation(name +
                                      " stands in a table of another level, or has stray bits: " + pieces::hex(low));
            }
            if (low >> 60 == 0xC) {
                return page(va, level, s.covers, low, high, name);
            }
            if (low >> 60 != 0xD || level == 0 || (high & ~(std::uint64_t{1} << 63 | 0x3F'001F)) != 0) {
                return no_translation(name + " is neither a page nor a table: " + pieces::hex(low) + " " +
                                      pieces::hex(high));
            }
            mock_decoding::located const next = place(low, high);
            if (!next.why.empty()) {
                return no_translation(name + ": " + next.why);
            }
            table = next.bus_address;
        }
    }

private:
    static constexpr std::uint64_t none = 0x5A5A'5A5A'5A5A'5A5A;

    /// The bus address of the page that an entry names.
    [[nodiscard]] mock_decoding::located place(std::uint64_t low, std::uint64_t high) const {
        std::uint64_t const address = (low & ((std::uint64_t{1} << 44) - 1)) * 4096;
        if ((high >> 16 & 0x3F) != 0) {
            return {0, "it is another adapter's"};
        }
        auto const segment = static_cast<std::uint32_t>(high & 31);
        return segment == 0 ? mock_decoding::in_pages(map_, address)
                            : mock_decoding::in_segment(map_, segment, address);
    }

    [[nodiscard]] translation page(std::uint64_t va, unsigned level, unsigned covers, std::uint64_t low,
                                   std::uint64_t high, std::string const& name) const {
        std::uint64_t const known = std::uint64_t{1} << 63 | std::uint64_t{0xFFFF} << 32 | 0x3F'0000 | 0x1F1F;
        bool const large = (high >> 11 & 1) != 0;
        if (level > 2 || large != (level != 0) || (high & ~known) != 0) {
            return no_translation(name + " cannot be a page: " + pieces::hex(high));
        }
        if ((high >> 12 & 1) != 0) {
            bool const clean = (low & ((std::uint64_t{1} << 44) - 1)) == 0 && (high & 31) == 0;
            return no_translation(name + (clean ? " reads as zero" : " is zero and has a page"));
        }
        mock_decoding::located const first = place(low, high);
        if (!first.why.empty()) {
            return no_translation(name + ": " + first.why);
        }
        std::uint64_t const size = std::uint64_t{1} << covers;
        translation found;
        found.bus = first.bus_address + va % size;
        found.bytes = size - va % size;
        found.writable = (high >> 8 & 1) == 0;
        found.coherent = (high >> 10 & 1) != 0;
        found.executable = (high >> 9 & 1) == 0;
        return found;
    }

    gpu_bus& memory_;
    mock_map const& map_;
    std::uint64_t root_;
};

}  // namespace wddmcore::testing
