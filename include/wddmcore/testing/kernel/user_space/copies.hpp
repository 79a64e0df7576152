// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "thunk.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// What compilers and headers call to copy, compare and fill memory.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::copies {

using user_space::unless_it_faults;

inline void* WDDMCORE_DRIVER_CALL copy_reached(void* to, void const* from, std::size_t n) {
    return std::memcpy(to, from, n);
}
inline void* WDDMCORE_DRIVER_CALL move_reached(void* to, void const* from, std::size_t n) {
    return std::memmove(to, from, n);
}
inline int WDDMCORE_DRIVER_CALL compare_reached(void const* a, void const* b, std::size_t n) {
    return std::memcmp(a, b, n);
}
inline std::size_t WDDMCORE_DRIVER_CALL equal_bytes_reached(void const* a, void const* b, std::size_t n) {
    auto const* const x = static_cast<std::byte const*>(a);
    return static_cast<std::size_t>(std::mismatch(x, x + n, static_cast<std::byte const*>(b)).first - x);
}
inline void* WDDMCORE_DRIVER_CALL fill_reached(void* to, int value, std::size_t n) { return std::memset(to, value, n); }
inline void WDDMCORE_DRIVER_CALL zero_reached(void* to, std::size_t n) { std::memset(to, 0, n); }

// Where each goes on.

inline void* WDDMCORE_DRIVER_CALL copy_target(void*, void const*, std::size_t) asm(WDDMCORE_LABEL("copy_target"));
inline void* WDDMCORE_DRIVER_CALL move_target(void*, void const*, std::size_t) asm(WDDMCORE_LABEL("move_target"));
inline void* WDDMCORE_DRIVER_CALL compare_target(void const*, void const*,
                                                 std::size_t) asm(WDDMCORE_LABEL("compare_target"));
inline void* WDDMCORE_DRIVER_CALL equal_bytes_target(void const*, void const*,
                                                     std::size_t) asm(WDDMCORE_LABEL("equal_bytes_target"));
inline void* WDDMCORE_DRIVER_CALL fill_target(void*, int, std::size_t) asm(WDDMCORE_LABEL("fill_target"));
inline void* WDDMCORE_DRIVER_CALL zero_target(void*, std::size_t) asm(WDDMCORE_LABEL("zero_target"));

[[gnu::used]] inline void* WDDMCORE_DRIVER_CALL copy_target(void* to, void const* from, std::size_t n) {
    return unless_it_faults(&copy_reached, {{from, n, false}, {to, n, true}});
}
[[gnu::used]] inline void* WDDMCORE_DRIVER_CALL move_target(void* to, void const* from, std::size_t n) {
    return unless_it_faults(&move_reached, {{from, n, false}, {to, n, true}});
}
[[gnu::used]] inline void* WDDMCORE_DRIVER_CALL compare_target(void const* a, void const* b, std::size_t n) {
    return unless_it_faults(&compare_reached, {{a, n, false}, {b, n, false}});
}
[[gnu::used]] inline void* WDDMCORE_DRIVER_CALL equal_bytes_target(void const* a, void const* b, std::size_t n) {
    return unless_it_faults(&equal_bytes_reached, {{a, n, false}, {b, n, false}});
}
[[gnu::used]] inline void* WDDMCORE_DRIVER_CALL fill_target(void* to, int, std::size_t n) {
    return unless_it_faults(&fill_reached, {{to, n, true}});
}
[[gnu::used]] inline void* WDDMCORE_DRIVER_CALL zero_target(void* to, std::size_t n) {
    return unless_it_faults(&zero_reached, {{to, n, true}});
}

// What a driver calls.

[[gnu::naked]] inline void* WDDMCORE_DRIVER_CALL copy(void*, void const*, std::size_t) {
    WDDMCORE_GO_ON_WHERE("copy_target");
}
[[gnu::naked]] inline void* WDDMCORE_DRIVER_CALL move(void*, void const*, std::size_t) {
    WDDMCORE_GO_ON_WHERE("move_target");
}
[[gnu::naked]] inline int WDDMCORE_DRIVER_CALL compare(void const*, void const*, std::size_t) {
    WDDMCORE_GO_ON_WHERE("compare_target");
}
[[gnu::naked]] inline std::size_t WDDMCORE_DRIVER_CALL equal_bytes(void const*, void const*, std::size_t) {
    WDDMCORE_GO_ON_WHERE("equal_bytes_target");
}
[[gnu::naked]] inline void* WDDMCORE_DRIVER_CALL fill(void*, int, std::size_t) { WDDMCORE_GO_ON_WHERE("fill_target"); }
[[gnu::naked]] inline void WDDMCORE_DRIVER_CALL zero(void*, std::size_t) { WDDMCORE_GO_ON_WHERE("zero_target"); }

}  // namespace wddmcore::testing::kernel_parts::copies

#endif
