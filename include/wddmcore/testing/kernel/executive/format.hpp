// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../system.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// The kernel's printf, narrow and wide. Its arguments lie in slots of eight bytes, as drivers have them.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::text_formats {

/// The next arguments of a call.
class argument_list {
public:
    explicit argument_list(void const* slots) : at_(static_cast<std::byte const*>(slots)) {}
    template <class Type>
    [[nodiscard]] Type next() {
        static_assert(sizeof(Type) <= 8);
        Type value{};
        std::memcpy(&value, at_, sizeof value);
        at_ += 8;
        return value;
    }

private:
    std::byte const* at_;
};

/// One conversion of a format, as far as it is read.
struct conversion {
    std::string flags;
    int width = 0;
    int precision = -1;
    std::string size;
    char kind = '\0';
};

template <class Character>
[[nodiscard]] int number(Character const*& form, argument_list& arguments) {
    if (*form == '*') {
        ++form;
        return arguments.next<int>();
    }
    int value = 0;
    while (*form >= '0' && *form <= '9') {
        value = value * 10 + static_cast<int>(*form++ - '0');
    }
    return value;
}

template <class Character>
[[nodiscard]] conversion read(Character const*& form, argument_list& arguments) {
    conversion c;
    auto const is_one_of = [&form](char const* all) {
        return *form != 0 && *form < 128 && std::strchr(all, static_cast<char>(*form)) != nullptr;
    };
    while (is_one_of("-+ #0")) {
        c.flags.push_back(static_cast<char>(*form++));
    }
    c.width = number(form, arguments);
    if (c.width < 0) {
        c.flags.push_back('-');
        c.width = -c.width;
    }
    if (*form == '.') {
        ++form;
        c.precision = number(form, arguments);
    }
    while (is_one_of("hlwIzjtL")) {
        c.size.push_back(static_cast<char>(*form++));
        if (c.size.back() == 'I' && ((form[0] == '6' && form[1] == '4') || (form[0] == '3' && form[1] == '2'))) {
            c.size.push_back(static_cast<char>(form[0]));
            form += 2;
        }
    }
    c.kind = *form < 128 ? static_cast<char>(*form) : '?';
    if (*form != 0) {
        ++form;
    }
    return c;
}

[[nodiscard]] inline bool is_wide_integer(conversion const& c) {
    return c.size == "ll" || c.size == "I6" || c.size == "I" || c.size == "z" || c.size == "j" || c.size == "t";
}

/// Digits, sign, prefix and zeros of an integer.
[[nodiscard]] inline std::string integer(conversion const& c, std::uint64_t bits) {
    bool const is_signed = c.kind == 'd' || c.kind == 'i';
    bool const hexadecimal = c.kind == 'x' || c.kind == 'X' || c.kind == 'p';
    std::uint64_t const radix = hexadecimal ? 16 : c.kind == 'o' ? 8 : 10;
    int const used = is_wide_integer(c) || c.kind == 'p' ? 64 : c.size == "h" ? 16 : c.size == "hh" ? 8 : 32;
    auto value = static_cast<std::int64_t>(bits << (64 - used));
    bits =
        is_signed ? static_cast<std::uint64_t>(value >> (64 - used)) : static_cast<std::uint64_t>(value) >> (64 - used);
    bool const negative = is_signed && static_cast<std::int64_t>(bits) < 0;
    bits = negative ? 0 - bits : bits;
    std::string prefix = negative                                                               ? "-"
                         : is_signed && c.flags.find('+') != std::string::npos                  ? "+"
                         : is_signed && c.flags.find(' ') != std::string::npos                  ? " "
                         : c.kind == 'o' && c.flags.find('#') != std::string::npos              ? "0"
                         : c.kind == 'x' && bits != 0 && c.flags.find('#') != std::string::npos ? "0x"
                         : c.kind == 'X' && bits != 0 && c.flags.find('#') != std::string::npos ? "0X"
                                                                                                : "";
    std::string digits;
    char const* const letters = c.kind == 'x' ? "0123456789abcdef" : "0123456789ABCDEF";
    for (; bits != 0; bits /= radix) {
        digits.insert(digits.begin(), letters[bits % radix]);
    }
    std::size_t least = c.kind == 'p' ? 16 : c.precision < 0 ? 1 : static_cast<std::size_t>(c.precision);
    bool const fills = c.flags.find('0') != std::string::npos && c.flags.find('-') == std::string::npos;
    if (c.precision < 0 && fills && static_cast<std::size_t>(c.width) > prefix.size()) {
        least = std::max(least, static_cast<std::size_t>(c.width) - prefix.size());
    }
    digits.insert(0, least > digits.size() ? least - digits.size() : 0, '0');
    return prefix + digits;
}

/// Text of one kind of character as the other: what is beyond eight bits has no narrow form and is a question mark.
template <class To, class From>
[[nodiscard]] std::basic_string<To> converted(From const* text, std::size_t most, bool counted) {
    std::basic_string<To> out;
    for (std::size_t i = 0; i < most && (counted || text[i] != 0); ++i) {
        auto const code = static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<From>>(text[i]));
        out.push_back(sizeof(To) == 1 && code > 0xFF ? static_cast<To>('?') : static_cast<To>(code));
    }
    return out;
}

template <class Character>
[[nodiscard]] std::basic_string<Character> piece(conversion const& c, argument_list& arguments) {
    // A large letter, and a size, turn the kind of character around.
    bool wide = sizeof(Character) == 2;
    if (c.kind == 'S' || c.kind == 'C') {
        wide = !wide;
    }
    wide = c.size == "w" || c.size == "l" ? true : c.size == "h" ? false : c.kind == 'Z' ? false : wide;
    std::size_t const most = c.precision < 0 ? ~std::size_t{0} : static_cast<std::size_t>(c.precision);
    switch (c.kind) {
        case 'c':
        case 'C': {
            auto const code = arguments.next<char16_t>();
            auto const narrow = static_cast<char>(code);
            return wide ? converted<Character>(&code, 1, true) : converted<Character>(&narrow, 1, true);
        }
        case 's':
        case 'S': {
            auto const* const text = arguments.next<void const*>();
            if (text == nullptr) {
                return converted<Character>("(null)", most, false);
            }
            return wide ? converted<Character>(static_cast<char16_t const*>(text), most, false)
                        : converted<Character>(static_cast<char const*>(text), most, false);
        }
        case 'Z': {
            // ANSI_STRING and UNICODE_STRING have one layout: bytes, room, buffer.
            auto const* const text = arguments.next<ansi_string const*>();
            if (text == nullptr || text->buffer == nullptr) {
                return converted<Character>("(null)", most, false);
            }
            return wide ? converted<Character>(reinterpret_cast<char16_t const*>(text->buffer),
                                               std::min<std::size_t>(most, text->length / 2U), true)
                        : converted<Character>(text->buffer, std::min<std::size_t>(most, text->length), true);
        }
        case 'e':
        case 'E':
        case 'f':
        case 'g':
        case 'G': {
            char form[16];
            char digits[400];
            std::snprintf(form, sizeof form, "%%%s.*%c", c.flags.find('#') != std::string::npos ? "#" : "", c.kind);
            std::snprintf(digits, sizeof digits, form, c.precision < 0 ? 6 : c.precision, arguments.next<double>());
            return converted<Character>(digits, ~std::size_t{0}, false);
        }
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
        case 'p': {
            std::string const digits = integer(c, arguments.next<std::uint64_t>());
            return converted<Character>(digits.data(), digits.size(), true);
        }
        default: return std::basic_string<Character>(1, static_cast<Character>(c.kind));
    }
}

/// @param slots  the arguments after the format
template <class Character>
[[nodiscard]] std::basic_string<Character> format(Character const* form, void const* slots) {
    argument_list arguments(slots);
    std::basic_string<Character> out;
    while (*form != 0) {
        if (*form != '%') {
            out.push_back(*form++);
            continue;
        }
        ++form;
        conversion const c = read(form, arguments);
        if (c.kind == '\0') {
            break;
        }
        auto one = piece<Character>(c, arguments);
        auto const width = static_cast<std::size_t>(c.width);
        std::size_t const missing = width > one.size() ? width - one.size() : 0;
        bool const at_the_right = c.flags.find('-') != std::string::npos;
        one.insert(at_the_right ? one.size() : 0, missing, static_cast<Character>(' '));
        out += one;
    }
    return out;
}

/// Writes to a buffer as _snprintf does: no end is written where it has no room, and what does not fit is -1.
template <class Character>
[[nodiscard]] int print_to(Character* to, std::size_t room, Character const* form, void const* slots) {
    auto const text = format(form, slots);
    std::copy_n(text.data(), std::min(room, text.size()), to);
    if (text.size() < room) {
        to[text.size()] = 0;
    }
    return text.size() > room ? -1 : static_cast<int>(text.size());
}

/// Writes to a buffer as the secure forms do: there is always an end.
template <class Character>
[[nodiscard]] int print_secure(Character* to, std::size_t room, std::size_t most, Character const* form,
                               void const* slots) {
    if (to == nullptr || room == 0 || form == nullptr) {
        return -1;
    }
    auto const text = format(form, slots);
    std::size_t const wanted = std::min(most, text.size());
    if (wanted >= room) {
        // Only a caller that asked for truncation, by a count of all ones, gets a part.
        bool const truncates = most == ~std::size_t{0};
        std::copy_n(text.data(), truncates ? room - 1 : 0, to);
        to[truncates ? room - 1 : 0] = 0;
        return -1;
    }
    std::copy_n(text.data(), wanted, to);
    to[wanted] = 0;
    return wanted < text.size() ? -1 : static_cast<int>(wanted);
}

}  // namespace wddmcore::testing::kernel_parts::text_formats

#endif
