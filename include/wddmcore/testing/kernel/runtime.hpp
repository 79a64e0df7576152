// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "pool.hpp"
#include "user_space/copies.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// What a driver's compiler and its headers expect of the kernel's library: memory, strings, prints, asserts.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::runtime_services {

// Strings.

inline std::size_t WDDMCORE_DRIVER_CALL length(char const* s) { return std::strlen(s); }
inline int WDDMCORE_DRIVER_CALL compare_text(char const* a, char const* b) { return std::strcmp(a, b); }
inline std::size_t WDDMCORE_DRIVER_CALL wide_length(char16_t const* s) { return std::char_traits<char16_t>::length(s); }

template <class Character>
void WDDMCORE_DRIVER_CALL initialize(counted_string<Character>* to, Character const* from) {
    std::size_t const bytes = from == nullptr ? 0 : std::char_traits<Character>::length(from) * sizeof(Character);
    *to = {static_cast<std::uint16_t>(bytes),
           static_cast<std::uint16_t>(from == nullptr ? 0 : bytes + sizeof(Character)), const_cast<Character*>(from)};
}
inline void WDDMCORE_DRIVER_CALL initialize_wide(unicode_string* to, char16_t const* from) { initialize(to, from); }
inline void WDDMCORE_DRIVER_CALL initialize_narrow(ansi_string* to, char const* from) { initialize(to, from); }
inline void WDDMCORE_DRIVER_CALL copy_wide(unicode_string* to, unicode_string const* from) {
    to->length = from == nullptr ? std::uint16_t{0} : std::min(from->length, to->maximum);
    if (to->length != 0) {
        std::memcpy(to->buffer, from->buffer, to->length);
    }
}
[[nodiscard]] inline char16_t lower(char16_t c) { return c >= u'A' && c <= u'Z' ? static_cast<char16_t>(c + 32) : c; }
inline std::int32_t WDDMCORE_DRIVER_CALL compare_wide(unicode_string const* a, unicode_string const* b,
                                                      std::uint8_t caseless) {
    std::size_t const n = std::min(a->length, b->length) / 2U;
    for (std::size_t i = 0; i < n; ++i) {
        int const x = caseless != 0 ? lower(a->buffer[i]) : a->buffer[i];
        int const y = caseless != 0 ? lower(b->buffer[i]) : b->buffer[i];
        if (x != y) {
            return x - y;
        }
    }
    return int{a->length} - int{b->length};
}
inline std::uint8_t WDDMCORE_DRIVER_CALL equal_wide(unicode_string const* a, unicode_string const* b,
                                                    std::uint8_t caseless) {
    return compare_wide(a, b, caseless) == 0 ? 1 : 0;
}
inline ntstatus append(unicode_string* to, char16_t const* from, std::size_t bytes) {
    if (to->length + bytes > to->maximum) {
        return nt::buffer_too_small;
    }
    std::memcpy(reinterpret_cast<std::byte*>(to->buffer) + to->length, from, bytes);
    to->length = static_cast<std::uint16_t>(to->length + bytes);
    return nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL append_text(unicode_string* to, char16_t const* from) {
    return from == nullptr ? nt::success : append(to, from, 2 * wide_length(from));
}
inline ntstatus WDDMCORE_DRIVER_CALL append_string(unicode_string* to, unicode_string const* from) {
    return append(to, from->buffer, from->length);
}
inline ntstatus WDDMCORE_DRIVER_CALL from_integer(std::uint32_t value, std::uint32_t base, unicode_string* to) {
    std::uint32_t const radix = base == 0 ? 10 : base;
    std::u16string digits;
    do {
        digits.insert(digits.begin(), u"0123456789ABCDEF"[value % radix % 16]);
        value /= radix;
    } while (value != 0);
    to->length = 0;
    return append(to, digits.c_str(), 2 * digits.size());
}
inline void WDDMCORE_DRIVER_CALL free_wide(unicode_string* s) {
    if (s->buffer != nullptr) {
        pool::current().give(s->buffer, 0, "RtlFreeUnicodeString");
    }
    *s = {};
}

// Stops.

[[noreturn]] inline void WDDMCORE_DRIVER_CALL bug_check(std::uint32_t code) {
    char id[48];
    std::snprintf(id, sizeof id, "0x%X KeBugCheck", code);
    system().stop(id, "the driver stops the system itself");
}
[[noreturn]] inline void WDDMCORE_DRIVER_CALL bug_check_ex(std::uint32_t code, std::uint64_t, std::uint64_t,
                                                           std::uint64_t, std::uint64_t) {
    bug_check(code);
}
[[noreturn]] inline void WDDMCORE_DRIVER_CALL cookie_failure(std::uint64_t) {
    system().stop("0xF7 DRIVER_OVERRAN_STACK_BUFFER", "the security cookie of a function was overwritten");
}
inline void WDDMCORE_DRIVER_CALL assertion(char const* what, char const*, std::uint32_t line, char const*) {
    system().find("ASSERT", std::string(what) + ", line " + std::to_string(line));
}
[[noreturn]] inline void WDDMCORE_DRIVER_CALL pure_call() {
    system().stop("PURECALL", "a pure virtual function is called");
}
inline void WDDMCORE_DRIVER_CALL nothing() {}
inline ntstatus WDDMCORE_DRIVER_CALL succeed() { return nt::success; }
inline std::uint32_t WDDMCORE_DRIVER_CALL none() { return 0; }
inline std::uint32_t WDDMCORE_DRIVER_CALL one() { return 1; }

/// The probe of a stack frame; every register but r10 and r11 stays as it is.
[[gnu::naked]] inline void probe_stack() { asm volatile("retq"); }

inline ntstatus WDDMCORE_DRIVER_CALL version(std::uint32_t* to) {
    // RTL_OSVERSIONINFOW: size, major, minor, build, platform.
    to[1] = 10;
    to[2] = 0;
    to[3] = 26'100;
    to[4] = 2;
    return nt::success;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL is_version(std::uint32_t wanted) { return wanted <= 0x0A00'0010 ? 1 : 0; }

[[nodiscard]] inline std::vector<service> services() {
    return {entry("memcpy", &copies::copy),
            entry("memmove", &copies::move),
            entry("memset", &copies::fill),
            entry("memcmp", &copies::compare),
            entry("RtlCopyMemory", &copies::copy),
            entry("RtlMoveMemory", &copies::move),
            entry("RtlCompareMemory", &copies::equal_bytes),
            entry("RtlZeroMemory", &copies::zero),
            entry("strlen", &length),
            entry("strcmp", &compare_text),
            entry("wcslen", &wide_length),
            entry("RtlInitUnicodeString", &initialize_wide),
            entry("RtlInitAnsiString", &initialize_narrow),
            entry("RtlInitString", &initialize_narrow),
            entry("RtlCopyUnicodeString", &copy_wide),
            entry("RtlCompareUnicodeString", &compare_wide),
            entry("RtlEqualUnicodeString", &equal_wide),
            entry("RtlAppendUnicodeToString", &append_text),
            entry("RtlAppendUnicodeStringToString", &append_string),
            entry("RtlIntegerToUnicodeString", &from_integer),
            entry("RtlFreeUnicodeString", &free_wide),
            entry("KeBugCheck", &bug_check),
            entry("KeBugCheckEx", &bug_check_ex),
            entry("__report_gsfailure", &cookie_failure),
            entry("RtlAssert", &assertion),
            entry("_purecall", &pure_call),
            entry("__chkstk", &probe_stack),
            entry("EtwRegister", &succeed),
            entry("EtwUnregister", &succeed),
            entry("EtwWrite", &succeed),
            entry("EtwWriteTransfer", &succeed),
            entry("EtwSetInformation", &succeed),
            entry("EtwActivityIdControl", &succeed),
            entry("WmiTraceMessage", &succeed),
            entry("WmiQueryTraceInformation", &succeed),
            entry("IoWMIRegistrationControl", &succeed),
            entry("KeMemoryBarrier", &nothing),
            entry("KeQueryActiveProcessorCount", &one),
            entry("KeQueryActiveProcessorCountEx", &one),
            entry("KeQueryMaximumProcessorCountEx", &one),
            entry("KeGetCurrentProcessorNumberEx", &none),
            entry("RtlGetVersion", &version),
            entry("RtlIsNtDdiVersionAvailable", &is_version)};
}

}  // namespace wddmcore::testing::kernel_parts::runtime_services

#endif
