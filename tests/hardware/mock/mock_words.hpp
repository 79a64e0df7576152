// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mock_map.hpp"
#include <wddmcore/testing/piece_list.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

/// Fields and sentences of the mocks' commands, for the decoders only: the encoders have their own.
namespace wddmcore::inline WDDMCORE_ABI::testing::mock_decoding {

using pieces::hex;

/// The rest of a window, a command's first dword first.
using words = std::span<std::uint32_t const>;

/// Bits [last:first] of a word.
[[nodiscard]] constexpr std::uint32_t field(std::uint32_t word, unsigned last, unsigned first) {
    return static_cast<std::uint32_t>((std::uint64_t{word} >> first) & ((std::uint64_t{2} << (last - first)) - 1));
}
static_assert(field(0xB702'0007, 31, 24) == 0xB7 && field(0xFFFF'FFFF, 31, 0) == 0xFFFF'FFFF);

[[nodiscard]] constexpr std::uint64_t join(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32 | low;
}

/// A place on the bus, or the sentence that says why there is none.
struct located {
    std::uint64_t bus_address = 0;
    std::string why;
};

// Sums are modulo 2^64: what value 0 stands for may lie below the bus. Whether something is there, the bus knows.

[[nodiscard]] inline located in_segment(mock_map const& map, std::uint32_t id, std::uint64_t value) {
    auto const found = map.segments.find(id);
    return found == map.segments.end() ? located{0, "there is no segment " + std::to_string(id)}
                                       : located{found->second + value, {}};
}

[[nodiscard]] inline located in_pages(mock_map const& map, std::uint64_t value) {
    return map.system_pages ? located{*map.system_pages + value, {}}
                            : located{0, "this engine reaches no system pages"};
}

[[nodiscard]] inline located in_process(mock_map const& map, std::uint64_t value) {
    return map.virtual_addresses ? located{*map.virtual_addresses + value, {}}
                                 : located{0, "this engine reaches no virtual addresses"};
}

/// Whether `size` is 1 to `most` and all three numbers are multiples of `unit`; the sentence if not.
[[nodiscard]] inline std::string bad_extent(std::string const& name, std::uint64_t size, std::uint64_t most,
                                            std::uint64_t unit, std::uint64_t first, std::uint64_t second) {
    if (size == 0 || size > most) {
        return name + " takes 1 to " + std::to_string(most) + " bytes, not " + std::to_string(size);
    }
    if ((size | first | second) % unit != 0) {
        return name + " takes multiples of " + std::to_string(unit) + " only, not " + std::to_string(size) +
               " bytes at " + hex(first) + (second != 0 ? " and " + hex(second) : std::string{});
    }
    return {};
}

[[nodiscard]] inline std::string unbacked(std::string const& name, char const* verb, std::uint64_t size,
                                          std::uint64_t first) {
    return name + " " + verb + " " + std::to_string(size) + " bytes at bus address " + hex(first) +
           ", which are not all backed";
}

[[nodiscard]] inline std::string truncated(std::string const& name, std::size_t length, std::size_t left) {
    return name + " has " + std::to_string(length) + " dwords, but the window ends after " + std::to_string(left) +
           " of them";
}

inline execution& stop(execution& done, std::size_t at, std::string why) {
    done.ok = false;
    done.dword = at;
    done.why = std::move(why);
    return done;
}

}  // namespace wddmcore::testing::mock_decoding
