// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../vidmm/memory/differing_memory.hpp"
#include "escaped.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// Draws memory that differs from what it has to be, as SVG for a page: a strip of all that was compared, and below it
/// the bytes of the window, eight in a row. A row with a byte that differs is drawn twice, as expected and as found,
/// and such bytes are marked in both; another row is drawn once.
class memory_picture {
public:
    explicit memory_picture(differing_memory const& memory) : m_(memory) {}

    /// A figure with its caption; empty where no memory was compared.
    [[nodiscard]] std::string figure() {
        if (m_.empty()) {
            return {};
        }
        strip();
        for (std::size_t first = 0; first < m_.found.size(); first += row_bytes) {
            row(first);
        }
        std::string const words = "Of " + std::to_string(m_.compared) + " bytes compared, " +
                                  std::to_string(m_.differing) +
                                  " differ. Below the strip of all of them: " + std::to_string(m_.found.size()) +
                                  " bytes from " + m_.place + " on.";
        return "<figure><figcaption>" + as_xml(words) +
               "</figcaption><svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" + std::to_string(width) +
               "\" height=\"" + std::to_string(y_) + "\" viewBox=\"0 0 " + std::to_string(width) + ' ' +
               std::to_string(y_) + "\"><title>" + as_xml(words) + "</title>" + shapes_ + "</svg></figure>\n";
    }

private:
    static constexpr std::size_t row_bytes = 8;
    static constexpr std::size_t label = 108;  ///< all lengths in pixels
    static constexpr std::size_t cell = 28;
    static constexpr std::size_t line = 21;
    static constexpr std::size_t width = label + row_bytes * cell;

    static std::string box(std::size_t x, std::size_t y, std::size_t w, std::size_t h, std::string const& more) {
        return "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" + std::to_string(w) +
               "\" height=\"" + std::to_string(h) + "\" " + more + "/>";
    }
    static std::string words(std::size_t x, std::size_t y, std::string const& more, std::string const& text) {
        return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\"" + more + ">" + as_xml(text) +
               "</text>";
    }
    static std::string hex(std::size_t value) {
        std::string const digits = "0123456789abcdef";
        return {digits[value >> 4 & 15], digits[value & 15]};
    }

    void strip() {
        std::size_t const each = std::max<std::size_t>(1, width / std::max<std::size_t>(1, m_.pieces.size()));
        for (std::size_t i = 0; i != m_.pieces.size(); ++i) {
            bool const differs = m_.pieces[i] == 'x';
            shapes_ += box(i * each, differs ? 0 : 4, each > 2 ? each - 1 : each, differs ? 14 : 6,
                           differs ? "class=\"differs\"" : "class=\"piece\"");
        }
        y_ = 22;
    }

    void row(std::size_t first) {
        std::size_t const end = std::min(first + row_bytes, m_.found.size());
        bool same = true;
        for (std::size_t i = first; i != end; ++i) {
            same = same && m_.expected[i] == m_.found[i];
        }
        std::string const offset = '+' + hex(first);
        if (same) {
            bytes(first, end, m_.found, offset + " both", "");
            y_ += 3;
            return;
        }
        bytes(first, end, m_.expected, offset + " expected", "must");
        bytes(first, end, m_.found, offset + " found", "wrong");
        y_ += 3;
    }

    // Bytes that differ are marked with a class and their number, the others only written.
    void bytes(std::size_t first, std::size_t end, std::vector<std::uint8_t> const& from, std::string const& name,
               std::string const& mark) {
        shapes_ += words(0, y_ + 15, "", name);
        for (std::size_t i = first; i != end; ++i) {
            std::size_t const x = label + (i - first) * cell;
            bool const marked = m_.expected[i] != m_.found[i];
            if (marked) {
                shapes_ += box(x + 1, y_ + 1, cell - 2, line - 2,
                               "class=\"" + mark + "\" data-byte=\"" + std::to_string(i) + '"');
            }
            shapes_ +=
                words(x + cell / 2, y_ + 15,
                      std::string(" text-anchor=\"middle\"") + (marked ? " class=\"" + mark + '"' : ""), hex(from[i]));
        }
        shapes_ += '\n';
        y_ += line;
    }

    differing_memory const& m_;
    std::string shapes_{};
    std::size_t y_ = 0;  ///< where the next row begins
};

}  // namespace wddmcore::testing::certify_parts
