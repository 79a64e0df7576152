// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// How many bytes at the beginning of a text are one character of UTF-8 above 0x7f that XML may hold; 0: they are none.
[[nodiscard]] inline std::size_t character_at(std::string_view text) {
    auto const byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    unsigned const lead = byte(0);
    std::size_t const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < size) {
        return 0;
    }
    unsigned long code = lead & (0x7fU >> size);
    for (std::size_t i = 1; i != size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) {
            return 0;
        }
        code = code << 6 | (byte(i) & 0x3fU);
    }
    unsigned long const least = size == 4 ? 0x1'0000 : size == 3 ? 0x800 : 0x80;
    bool const surrogate = code >= 0xd800 && code < 0xe000;
    return code < least || code > 0x10'ffff || surrogate || code == 0xfffe || code == 0xffff ? 0 : size;
}

/// A text as it stands in an attribute or between tags of XML or HTML. What neither may hold becomes a blank or U+FFFD:
/// names and sentences can come from a driver.
[[nodiscard]] inline std::string as_xml(std::string const& text) {
    std::string out;
    for (std::size_t at = 0; at != text.size();) {
        char const c = text[at];
        if (static_cast<unsigned char>(c) > 0x7f) {
            std::size_t const size = character_at(std::string_view(text).substr(at));
            out += size == 0 ? "\xef\xbf\xbd" : text.substr(at, size);
            at += size == 0 ? 1 : size;
            continue;
        }
        ++at;
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\n': out += "&#10;"; break;
            default: out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    }
    return out;
}

}  // namespace wddmcore::testing::certify_parts
