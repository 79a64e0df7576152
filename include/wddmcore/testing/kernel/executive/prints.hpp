// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "format.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// What a driver prints for a debugger: lines of the run's log, without this machine's addresses, because two runs of
/// one seed say the same. Half an address, printed as a number of 32 bits, cannot be told from others, and stays.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::print_services {

/// Whether digits are a number between the lowest and the highest address that a process of this machine may have.
[[nodiscard]] inline bool is_address(std::string const& digits, int base) {
    char* end = nullptr;
    auto const value = std::strtoull(digits.c_str(), &end, base);
    return *end == '\0' && value >> 44 != 0 && value >> 47 == 0;
}
/// The text with a word in the place of each number that may be an address.
[[nodiscard]] inline std::string without_addresses(std::string const& text) {
    std::string out;
    for (std::size_t at = 0; at != text.size();) {
        std::size_t const end = std::min(text.find_first_not_of("0123456789abcdefABCDEF", at), text.size());
        std::string const digits = text.substr(at, end - at);
        if (digits.size() >= 12 && digits.size() <= 16 && (is_address(digits, 16) || is_address(digits, 10))) {
            out += "(address)";
        } else {
            out += digits;
        }
        if (end != text.size()) {
            out += text[end];
        }
        at = std::min(end + 1, text.size());
    }
    return out;
}

/// The log's other lines must have room: so much of each line, and of all of them.
inline constexpr std::size_t longest_line = 400;
inline constexpr std::size_t most_printed = 32 << 10;

[[nodiscard]] inline ntstatus print(char const* form, void const* slots) {
    std::size_t& printed = system().printed;
    if (printed > most_printed) {
        return nt::success;
    }
    std::string line = form == nullptr ? "" : without_addresses(text_formats::format(form, slots));
    line.resize(std::min(line.size(), longest_line));
    printed += line.size();
    if (printed > most_printed) {
        line = "(more than the log takes)";
    }
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) {
        line.pop_back();
    }
    system().say("the driver prints: " + line);
    return nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL print_plain(char const* form, ...) {
    __builtin_ms_va_list list;
    __builtin_ms_va_start(list, form);
    ntstatus const answer = print(form, list);
    __builtin_ms_va_end(list);
    return answer;
}
inline ntstatus WDDMCORE_DRIVER_CALL print_ex(std::uint32_t, std::uint32_t, char const* form, ...) {
    __builtin_ms_va_list list;
    __builtin_ms_va_start(list, form);
    ntstatus const answer = print(form, list);
    __builtin_ms_va_end(list);
    return answer;
}
inline ntstatus WDDMCORE_DRIVER_CALL print_list(std::uint32_t, std::uint32_t, char const* form, void* list) {
    return print(form, list);
}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("DbgPrint", &print_plain), entry("DbgPrintEx", &print_ex), entry("vDbgPrintEx", &print_list)};
}

}  // namespace wddmcore::testing::kernel_parts::print_services

#endif
