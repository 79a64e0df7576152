// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../config.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A value of the registry, as a driver finds it: what an INF file would have written.
struct registry_value {
    static constexpr std::uint32_t text = 1, number = 4;  // REG_SZ, REG_DWORD

    std::u16string name;
    std::uint32_t type = number;
    std::vector<std::byte> data;

    /// A REG_DWORD.
    [[nodiscard]] static registry_value of(std::u16string name, std::uint32_t value) {
        auto const* const bytes = reinterpret_cast<std::byte const*>(&value);
        return {std::move(name), number, {bytes, bytes + sizeof value}};
    }
    /// A REG_SZ, with its end.
    [[nodiscard]] static registry_value of(std::u16string name, std::u16string const& value) {
        auto const* const bytes = reinterpret_cast<std::byte const*>(value.c_str());
        return {std::move(name), text, {bytes, bytes + 2 * value.size() + 2}};
    }
    /// NAME=VALUE: a number, decimal or after 0x hexadecimal, is a REG_DWORD, anything else a REG_SZ, and so is what
    /// follows `sz:`, which may look like a number.
    /// @return nothing: there is no name, or the text is not ASCII
    [[nodiscard]] static std::optional<registry_value> parse(std::string_view line) {
        std::size_t const at = line.find('=');
        bool const is_ascii = line.find_first_of(std::string_view("\0", 1)) == std::string_view::npos &&
                              std::all_of(line.begin(), line.end(), [](char c) { return c > 0; });
        if (at == std::string_view::npos || at == 0 || !is_ascii) {
            return std::nullopt;
        }
        std::u16string name(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(at));
        std::string_view value = line.substr(at + 1);
        if (value.starts_with("sz:")) {
            value.remove_prefix(3);
            return of(std::move(name), std::u16string(value.begin(), value.end()));
        }
        bool const hexadecimal = value.starts_with("0x") || value.starts_with("0X");
        std::string_view const digits = value.substr(hexadecimal ? 2 : 0);
        std::uint32_t number_ = 0;
        auto const [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number_, hexadecimal ? 16 : 10);
        if (error == std::errc() && end == digits.data() + digits.size()) {
            return of(std::move(name), number_);
        }
        return of(std::move(name), std::u16string(value.begin(), value.end()));
    }
};

}  // namespace wddmcore::testing
