// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../pool.hpp"
#include "format.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Strings as the kernel exports them to drivers: the C library's, narrow and wide, and the counted ones.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::string_services {

// What several functions share, for both kinds of character.

inline constexpr int invalid = 22, out_of_range = 34;  // EINVAL, ERANGE

template <class C>
[[nodiscard]] std::size_t length_within(C const* s, std::size_t most) {
    std::size_t n = 0;
    while (s != nullptr && n < most && s[n] != 0) {
        ++n;
    }
    return n;
}
template <class C>
[[nodiscard]] C folded(C c) {
    return c >= 'A' && c <= 'Z' ? static_cast<C>(c + 32) : c;
}
template <class C>
[[nodiscard]] int order(C const* a, C const* b, std::size_t most, bool caseless) {
    for (std::size_t i = 0; i < most; ++i) {
        using code = std::make_unsigned_t<C>;
        auto const x = static_cast<code>(caseless ? folded(a[i]) : a[i]);
        auto const y = static_cast<code>(caseless ? folded(b[i]) : b[i]);
        if (x != y) {
            return x < y ? -1 : 1;
        }
        if (x == 0) {
            break;
        }
    }
    return 0;
}
/// Copies behind what is there, with an end.
template <class C>
C* put(C* to, std::size_t at, C const* from, std::size_t most) {
    std::size_t const n = length_within(from, most);
    std::copy_n(from, n, to + at);
    to[at + n] = 0;
    return to;
}
/// The secure forms: nothing but an end is left where the room is too small.
template <class C>
int put_secure(C* to, std::size_t room, bool appends, C const* from, std::size_t most) {
    constexpr int truncated = 80;  // STRUNCATE
    if (to == nullptr || room == 0) {
        return invalid;
    }
    std::size_t const at = appends ? length_within(to, room) : 0;
    if (from == nullptr || at == room) {
        to[0] = 0;
        return invalid;
    }
    std::size_t const n = length_within(from, most);
    if (n >= room - at) {
        bool const truncates = most == ~std::size_t{0} - 1;
        put(to, truncates ? at : 0, from, truncates ? room - at - 1 : 0);
        return truncates ? truncated : out_of_range;
    }
    put(to, at, from, n);
    return 0;
}
/// strncpy: what is left of the room is filled with zeros, and there may be no end.
template <class C>
C* copy_padded(C* to, C const* from, std::size_t count) {
    std::size_t const n = length_within(from, count);
    std::copy_n(from, n, to);
    std::fill_n(to + n, count - n, C{0});
    return to;
}
template <class C>
[[nodiscard]] C* first_of(C const* s, C c) {
    for (;; ++s) {
        if (*s == c) {
            return const_cast<C*>(s);
        }
        if (*s == 0) {
            return nullptr;
        }
    }
}
template <class C>
[[nodiscard]] C* last_of(C const* s, C c) {
    C* found = nullptr;
    do {
        found = *s == c ? const_cast<C*>(s) : found;
    } while (*s++ != 0);
    return found;
}
template <class C>
[[nodiscard]] C* text_in(C const* s, C const* wanted) {
    std::size_t const n = length_within(wanted, ~std::size_t{0});
    for (;; ++s) {
        if (order(s, wanted, n, false) == 0) {
            return const_cast<C*>(s);
        }
        if (*s == 0) {
            return nullptr;
        }
    }
}
inline constexpr std::size_t unlimited = ~std::size_t{0};
inline constexpr std::size_t whole_or_nothing = unlimited - 2;
/// _TRUNCATE of the secure forms with a count.
[[nodiscard]] inline std::size_t count_of(std::size_t given) { return given == unlimited ? unlimited - 1 : given; }

using text_formats::print_secure;
using text_formats::print_to;

/// The C library's functions, for both kinds of character. In the driver's convention a member of a template can be had
/// from g++, where a template of a function cannot.
template <class C>
struct c_library {
    static std::size_t WDDMCORE_DRIVER_CALL length(C const* s, std::size_t n) { return length_within(s, n); }
    static int WDDMCORE_DRIVER_CALL compare(C const* a, C const* b) { return order(a, b, unlimited, false); }
    static int WDDMCORE_DRIVER_CALL compare_first(C const* a, C const* b, std::size_t n) {
        return order(a, b, n, false);
    }
    static int WDDMCORE_DRIVER_CALL compare_caseless(C const* a, C const* b) { return order(a, b, unlimited, true); }
    static int WDDMCORE_DRIVER_CALL compare_first_caseless(C const* a, C const* b, std::size_t n) {
        return order(a, b, n, true);
    }
    static C* WDDMCORE_DRIVER_CALL copy(C* to, C const* from) { return put(to, 0, from, unlimited); }
    static C* WDDMCORE_DRIVER_CALL copy_first(C* to, C const* from, std::size_t n) { return copy_padded(to, from, n); }
    static C* WDDMCORE_DRIVER_CALL append(C* to, C const* from) {
        return put(to, length_within(to, unlimited), from, unlimited);
    }
    static C* WDDMCORE_DRIVER_CALL append_first(C* to, C const* from, std::size_t n) {
        return put(to, length_within(to, unlimited), from, n);
    }
    static int WDDMCORE_DRIVER_CALL copy_secure(C* to, std::size_t room, C const* from) {
        return put_secure(to, room, false, from, whole_or_nothing);
    }
    static int WDDMCORE_DRIVER_CALL copy_first_secure(C* to, std::size_t room, C const* from, std::size_t n) {
        return put_secure(to, room, false, from, count_of(n));
    }
    static int WDDMCORE_DRIVER_CALL append_secure(C* to, std::size_t room, C const* from) {
        return put_secure(to, room, true, from, whole_or_nothing);
    }
    static int WDDMCORE_DRIVER_CALL append_first_secure(C* to, std::size_t room, C const* from, std::size_t n) {
        return put_secure(to, room, true, from, count_of(n));
    }
    static C* WDDMCORE_DRIVER_CALL first(C const* s, int c) { return first_of(s, static_cast<C>(c)); }
    static C* WDDMCORE_DRIVER_CALL last(C const* s, int c) { return last_of(s, static_cast<C>(c)); }
    static C* WDDMCORE_DRIVER_CALL text(C const* s, C const* wanted) { return text_in(s, wanted); }

    static int WDDMCORE_DRIVER_CALL print_list(C* to, std::size_t room, C const* form, void const* list) {
        return print_to(to, room, form, list);
    }
    static int WDDMCORE_DRIVER_CALL print_list_n(C* to, std::size_t room, std::size_t n, C const* form,
                                                 void const* list) {
        return print_secure(to, room, n, form, list);
    }
    static int WDDMCORE_DRIVER_CALL print_whole_list(C* to, std::size_t room, C const* form, void const* list) {
        return print_secure(to, room, whole_or_nothing, form, list);
    }
    static int WDDMCORE_DRIVER_CALL print(C* to, std::size_t room, C const* form, ...) {
        __builtin_ms_va_list list;
        __builtin_ms_va_start(list, form);
        int const written = print_to(to, room, form, list);
        __builtin_ms_va_end(list);
        return written;
    }
    static int WDDMCORE_DRIVER_CALL print_n(C* to, std::size_t room, std::size_t n, C const* form, ...) {
        __builtin_ms_va_list list;
        __builtin_ms_va_start(list, form);
        int const written = print_secure(to, room, n, form, list);
        __builtin_ms_va_end(list);
        return written;
    }
    static int WDDMCORE_DRIVER_CALL print_whole(C* to, std::size_t room, C const* form, ...) {
        __builtin_ms_va_list list;
        __builtin_ms_va_start(list, form);
        int const written = print_secure(to, room, whole_or_nothing, form, list);
        __builtin_ms_va_end(list);
        return written;
    }
    static int WDDMCORE_DRIVER_CALL print_unlimited(C* to, C const* form, ...) {
        __builtin_ms_va_list list;
        __builtin_ms_va_start(list, form);
        int const written = print_to(to, whole_or_nothing, form, list);
        __builtin_ms_va_end(list);
        return written;
    }
};

[[nodiscard]] inline std::vector<service> services() {
    using narrow = c_library<char>;
    using wide = c_library<char16_t>;
    return {entry("strnlen", &narrow::length),
            entry("strncmp", &narrow::compare_first),
            entry("_stricmp", &narrow::compare_caseless),
            entry("_strnicmp", &narrow::compare_first_caseless),
            entry("strcpy", &narrow::copy),
            entry("strncpy", &narrow::copy_first),
            entry("strcat", &narrow::append),
            entry("strncat", &narrow::append_first),
            entry("strcpy_s", &narrow::copy_secure),
            entry("strncpy_s", &narrow::copy_first_secure),
            entry("strcat_s", &narrow::append_secure),
            entry("strncat_s", &narrow::append_first_secure),
            entry("strchr", &narrow::first),
            entry("strrchr", &narrow::last),
            entry("strstr", &narrow::text),
            entry("_vsnprintf", &narrow::print_list),
            entry("_vsnprintf_s", &narrow::print_list_n),
            entry("vsprintf_s", &narrow::print_whole_list),
            entry("_snprintf", &narrow::print),
            entry("_snprintf_s", &narrow::print_n),
            entry("sprintf_s", &narrow::print_whole),
            entry("sprintf", &narrow::print_unlimited),
            entry("wcsnlen", &wide::length),
            entry("wcscmp", &wide::compare),
            entry("wcsncmp", &wide::compare_first),
            entry("_wcsicmp", &wide::compare_caseless),
            entry("_wcsnicmp", &wide::compare_first_caseless),
            entry("wcscpy", &wide::copy),
            entry("wcsncpy", &wide::copy_first),
            entry("wcscat", &wide::append),
            entry("wcsncat", &wide::append_first),
            entry("wcscpy_s", &wide::copy_secure),
            entry("wcsncpy_s", &wide::copy_first_secure),
            entry("wcscat_s", &wide::append_secure),
            entry("wcsncat_s", &wide::append_first_secure),
            entry("wcschr", &wide::first),
            entry("wcsrchr", &wide::last),
            entry("wcsstr", &wide::text),
            entry("_vsnwprintf", &wide::print_list),
            entry("_vsnwprintf_s", &wide::print_list_n),
            entry("vswprintf_s", &wide::print_whole_list),
            entry("_snwprintf", &wide::print),
            entry("_snwprintf_s", &wide::print_n),
            entry("swprintf_s", &wide::print_whole),
            entry("swprintf", &wide::print_unlimited)};
}

}  // namespace wddmcore::testing::kernel_parts::string_services

#endif
