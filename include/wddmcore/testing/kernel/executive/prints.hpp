// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "format.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// What a driver prints for a debugger: lines of the run's log, without addresses, because two runs of one seed say the
/// same.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::print_services {

[[nodiscard]] inline ntstatus print(char const* form, void const* slots) {
    std::string line = form == nullptr ? "" : text_formats::format(form, slots, text_formats::addresses::hidden);
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
