// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../config.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Memory in which bytes are not what they have to be: a window that begins shortly before the first of them, and where
/// in all that was compared the others are.
///
/// Of bounded size, so that it can be written down where a crash of the driver does not reach it.
struct differing_memory {
    static constexpr std::size_t most_bytes = 64;
    static constexpr std::size_t most_pieces = 64;

    std::string place{};                   ///< the window's first byte, in words; empty: no memory was compared
    std::vector<std::uint8_t> expected{};  ///< the window as it has to be, at most `most_bytes`
    std::vector<std::uint8_t> found{};     ///< the window as it is, of the same size
    std::uint64_t compared = 0;            ///< bytes that were compared
    std::uint64_t differing = 0;           ///< bytes of them that differ, not of the window alone
    /// All that was compared, cut into at most `most_pieces` equal pieces: `x` for one with a byte that differs, else a
    /// full stop.
    std::string pieces{};

    [[nodiscard]] bool empty() const { return place.empty(); }
    [[nodiscard]] bool operator==(differing_memory const&) const = default;

    /// In one line; empty where no memory was compared. `read` is the opposite.
    [[nodiscard]] std::string text() const {
        return empty() ? std::string()
                       : std::to_string(compared) + ' ' + std::to_string(differing) + ' ' + pieces + ' ' +
                             digits(expected) + ' ' + digits(found) + ' ' + place;
    }
    /// A line of `text`; what is no such line reads as no memory, for a driver may have written over it.
    [[nodiscard]] static differing_memory read(std::string const& line) {
        differing_memory out;
        std::istringstream words(line);
        std::string must_be;
        std::string is;
        words >> out.compared >> out.differing >> out.pieces >> must_be >> is;
        out.expected = bytes(must_be);
        out.found = bytes(is);
        std::getline(words >> std::ws, out.place);
        bool const good = !words.fail() && out.pieces.size() <= most_pieces && !out.found.empty() &&
                          out.found.size() <= most_bytes && out.found.size() == out.expected.size();
        return good ? out : differing_memory{};
    }

private:
    [[nodiscard]] static std::string digits(std::vector<std::uint8_t> const& from) {
        std::string out;
        for (std::uint8_t const byte : from) {
            out += "0123456789abcdef"[byte >> 4];
            out += "0123456789abcdef"[byte & 15];
        }
        return out;
    }
    [[nodiscard]] static std::vector<std::uint8_t> bytes(std::string_view text) {
        std::vector<std::uint8_t> out;
        for (; text.size() >= 2; text.remove_prefix(2)) {
            std::uint8_t byte = 0;
            char const* const end = text.data() + 2;
            if (std::from_chars(text.data(), end, byte, 16).ptr != end) {
                return {};
            }
            out.push_back(byte);
        }
        return out;
    }
};

}  // namespace wddmcore::testing
