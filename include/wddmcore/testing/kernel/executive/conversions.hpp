// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../runtime.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Counted strings from one kind of character to the other, and to numbers. They use tables that may be paged out, so
/// none may be called above PASSIVE_LEVEL.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::conversion_services {

using runtime_services::lower;

[[nodiscard]] inline char16_t upper(char16_t c) { return c >= u'a' && c <= u'z' ? static_cast<char16_t>(c - 32) : c; }
[[nodiscard]] inline char narrow_of(char16_t c) { return c > 0xFF ? '?' : static_cast<char>(c); }

/// Room for a result that the caller wants allocated. @return false: there is none
[[nodiscard]] inline bool make_room(auto& to, std::size_t bytes) {
    std::byte* const memory = system().fails() ? nullptr : pool::current().take(bytes, 0, true, "a string");
    to.maximum = static_cast<std::uint16_t>(memory == nullptr ? 0 : bytes);
    to.buffer = reinterpret_cast<decltype(to.buffer)>(memory);
    return memory != nullptr;
}

inline ntstatus WDDMCORE_DRIVER_CALL to_wide(unicode_string* to, ansi_string const* from, std::uint8_t allocates) {
    system().at_most(passive_level, "RtlAnsiStringToUnicodeString");
    std::size_t const bytes = 2U * from->length;
    if (bytes + 2 > 0xFFFF) {
        return nt::invalid_parameter_2;
    }
    if (allocates != 0 && !make_room(*to, bytes + 2)) {
        return nt::no_memory;
    }
    if (to->maximum < bytes + 2) {
        return nt::buffer_overflow;  // of the page: the end has to have room, too
    }
    for (std::uint16_t i = 0; i < from->length; ++i) {
        to->buffer[i] = static_cast<unsigned char>(from->buffer[i]);
    }
    to->buffer[from->length] = 0;
    to->length = static_cast<std::uint16_t>(bytes);
    return nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL to_narrow(ansi_string* to, unicode_string const* from, std::uint8_t allocates) {
    system().at_most(passive_level, "RtlUnicodeStringToAnsiString");
    std::size_t const wanted = from->length / 2U;
    if (allocates != 0 && !make_room(*to, wanted + 1)) {
        return nt::no_memory;
    }
    if (to->maximum == 0) {
        return nt::buffer_overflow;
    }
    std::size_t const n = std::min<std::size_t>(wanted, to->maximum - 1U);
    std::transform(from->buffer, from->buffer + n, to->buffer, narrow_of);
    to->buffer[n] = '\0';
    to->length = static_cast<std::uint16_t>(n);
    return n < wanted ? nt::buffer_overflow : nt::success;
}
inline void WDDMCORE_DRIVER_CALL free_narrow(ansi_string* s) {
    system().at_most(passive_level, "RtlFreeAnsiString");
    if (s->buffer != nullptr) {
        pool::current().give(s->buffer, 0, "RtlFreeAnsiString");
    }
    *s = {};
}
inline ntstatus WDDMCORE_DRIVER_CALL to_narrow_n(char* to, std::uint32_t room, std::uint32_t* written,
                                                 char16_t const* from, std::uint32_t bytes) {
    system().at_most(passive_level, "RtlUnicodeToMultiByteN");
    std::uint32_t const n = std::min(room, bytes / 2);
    std::transform(from, from + n, to, narrow_of);
    if (written != nullptr) {
        *written = n;
    }
    return n < bytes / 2 ? nt::buffer_overflow : nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL to_wide_n(char16_t* to, std::uint32_t room, std::uint32_t* written,
                                               char const* from, std::uint32_t bytes) {
    system().at_most(passive_level, "RtlMultiByteToUnicodeN");
    std::uint32_t const n = std::min(room / 2, bytes);
    std::transform(from, from + n, to, [](char c) { return static_cast<char16_t>(static_cast<unsigned char>(c)); });
    if (written != nullptr) {
        *written = 2 * n;
    }
    return n < bytes ? nt::buffer_overflow : nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL to_integer(unicode_string const* from, std::uint32_t base, std::uint32_t* to) {
    system().at_most(passive_level, "RtlUnicodeStringToInteger");
    std::u16string_view text(from->buffer, from->length / 2U);
    while (!text.empty() && text.front() <= u' ') {
        text.remove_prefix(1);
    }
    bool const negative = text.starts_with(u'-');
    text.remove_prefix(negative || text.starts_with(u'+') ? 1 : 0);
    std::uint32_t radix = base == 0 ? 10 : base;
    if (base == 0 && text.size() > 1 && text[0] == u'0') {
        radix = text[1] == u'x' ? 16 : text[1] == u'o' ? 8 : text[1] == u'b' ? 2 : 10;
        text.remove_prefix(radix == 10 ? 0 : 2);
    }
    if (radix != 2 && radix != 8 && radix != 10 && radix != 16) {
        return nt::invalid_parameter;
    }
    std::uint32_t value = 0;
    for (char16_t const c : text) {
        char16_t const small = lower(c);
        std::uint32_t const digit = c >= u'0' && c <= u'9'           ? c - u'0'
                                    : small >= u'a' && small <= u'f' ? small - u'a' + 10U
                                                                     : 99;
        if (digit >= radix) {
            break;
        }
        value = value * radix + digit;
    }
    *to = negative ? 0 - value : value;
    return nt::success;
}

inline char16_t WDDMCORE_DRIVER_CALL upper_character(char16_t c) { return upper(c); }
inline char16_t WDDMCORE_DRIVER_CALL lower_character(char16_t c) { return lower(c); }
inline ntstatus in_case(unicode_string* to, unicode_string const* from, bool allocates, char16_t (*of)(char16_t)) {
    if (allocates && !make_room(*to, std::max<std::size_t>(from->length, 2))) {
        return nt::no_memory;
    }
    if (to->maximum < from->length) {
        return nt::buffer_overflow;
    }
    std::transform(from->buffer, from->buffer + from->length / 2U, to->buffer, of);
    to->length = from->length;
    return nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL upcase(unicode_string* to, unicode_string const* from, std::uint8_t allocates) {
    system().at_most(passive_level, "RtlUpcaseUnicodeString");
    return in_case(to, from, allocates != 0, &upper);
}
inline ntstatus WDDMCORE_DRIVER_CALL downcase(unicode_string* to, unicode_string const* from, std::uint8_t allocates) {
    system().at_most(passive_level, "RtlDowncaseUnicodeString");
    return in_case(to, from, allocates != 0, &lower);
}
inline std::uint8_t WDDMCORE_DRIVER_CALL is_prefix(unicode_string const* of, unicode_string const* whole,
                                                   std::uint8_t caseless) {
    if (of->length > whole->length) {
        return 0;
    }
    unicode_string const head{of->length, of->length, whole->buffer};
    return runtime_services::equal_wide(of, &head, caseless);
}
inline ntstatus WDDMCORE_DRIVER_CALL initialize_checked(unicode_string* to, char16_t const* from) {
    if (from != nullptr && runtime_services::wide_length(from) > 0x7FFE) {
        return nt::name_too_long;
    }
    runtime_services::initialize_wide(to, from);
    return nt::success;
}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("RtlAnsiStringToUnicodeString", &to_wide), entry("RtlUnicodeStringToAnsiString", &to_narrow),
            entry("RtlFreeAnsiString", &free_narrow),        entry("RtlUnicodeToMultiByteN", &to_narrow_n),
            entry("RtlMultiByteToUnicodeN", &to_wide_n),     entry("RtlUnicodeStringToInteger", &to_integer),
            entry("RtlUpcaseUnicodeChar", &upper_character), entry("RtlDowncaseUnicodeChar", &lower_character),
            entry("RtlUpcaseUnicodeString", &upcase),        entry("RtlDowncaseUnicodeString", &downcase),
            entry("RtlPrefixUnicodeString", &is_prefix),     entry("RtlInitUnicodeStringEx", &initialize_checked)};
}

}  // namespace wddmcore::testing::kernel_parts::conversion_services

#endif
