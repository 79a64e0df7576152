// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wddmcore::examples::report {

/// A number in hexadecimal, with at least `digits` digits.
[[nodiscard]] inline std::string hex(std::uint64_t value, std::size_t digits = 1) {
    std::string text;
    for (; value != 0 || text.size() < digits; value >>= 4) {
        text.insert(text.begin(), "0123456789ABCDEF"[value & 15]);
    }
    return "0x" + text;
}

/// Writes JSON piece by piece; commas come by themselves. A `<` is written as a number, so that the text can stand in a
/// page's script.
class json {
public:
    json& key(std::string_view name) {
        separate();
        quote(name);
        out_ += ':';
        fresh_ = true;
        return *this;
    }
    json& open(char bracket) {
        separate();
        out_ += bracket;
        fresh_ = true;
        return *this;
    }
    json& close(char bracket) {
        out_ += bracket;
        fresh_ = false;
        return *this;
    }
    json& text(std::string_view value) {
        separate();
        quote(value);
        return *this;
    }
    json& number(std::uint64_t value) {
        separate();
        out_ += std::to_string(value);
        return *this;
    }
    json& truth(bool value) {
        separate();
        out_ += value ? "true" : "false";
        return *this;
    }

    json& text(std::string_view name, std::string_view value) { return key(name).text(value); }
    json& number(std::string_view name, std::uint64_t value) { return key(name).number(value); }
    json& truth(std::string_view name, bool value) { return key(name).truth(value); }

    [[nodiscard]] std::string const& all() const { return out_; }

private:
    void separate() {
        if (!fresh_) {
            out_ += ',';
        }
        fresh_ = false;
    }
    void quote(std::string_view value) {
        out_ += '"';
        for (char const c : value) {
            if (c == '"' || c == '\\') {
                out_ += '\\';
                out_ += c;
            } else if (c == '<' || static_cast<unsigned char>(c) < 0x20) {
                out_ += "\\u00";
                out_ += "0123456789abcdef"[c >> 4 & 15];
                out_ += "0123456789abcdef"[c & 15];
            } else {
                out_ += c;
            }
        }
        out_ += '"';
    }

    std::string out_;
    bool fresh_ = true;
};

}  // namespace wddmcore::examples::report
