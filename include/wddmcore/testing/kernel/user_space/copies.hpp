// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../exceptions.hpp"
#include "memory.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// memcpy, memmove and memcmp as a driver calls them. Where memory of a process is gone, the exception is one of the
/// caller's frame: these functions have none of their own behind which a handler could be looked for.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::copies {

inline void* WDDMCORE_DRIVER_CALL copy_reached(void* to, void const* from, std::size_t n) {
    return std::memcpy(to, from, n);
}
inline void* WDDMCORE_DRIVER_CALL move_reached(void* to, void const* from, std::size_t n) {
    return std::memmove(to, from, n);
}
inline int WDDMCORE_DRIVER_CALL compare_reached(void const* a, void const* b, std::size_t n) {
    return std::memcmp(a, b, n);
}

/// A function of these arguments, or where an access would fault the instruction that stands for the exception.
template <class Function>
[[nodiscard]] void* unless_it_faults(Function* function, void const* a, void const* b, std::size_t n) {
    bool const is_there = !user_space::faults(a, n) && !user_space::faults(b, n);
    return is_there ? reinterpret_cast<void*>(function) : reinterpret_cast<void*>(&exceptions::raise_access_trap);
}
// By these names the assembler's text below calls them.
inline void* WDDMCORE_DRIVER_CALL copy_target(void const*, void const*, std::size_t) asm("wddmcore_copy_target");
inline void* WDDMCORE_DRIVER_CALL move_target(void const*, void const*, std::size_t) asm("wddmcore_move_target");
inline void* WDDMCORE_DRIVER_CALL compare_target(void const*, void const*, std::size_t) asm("wddmcore_compare_target");
[[gnu::used]] inline void* WDDMCORE_DRIVER_CALL copy_target(void const* to, void const* from, std::size_t n) {
    return unless_it_faults(&copy_reached, to, from, n);
}
[[gnu::used]] inline void* WDDMCORE_DRIVER_CALL move_target(void const* to, void const* from, std::size_t n) {
    return unless_it_faults(&move_reached, to, from, n);
}
[[gnu::used]] inline void* WDDMCORE_DRIVER_CALL compare_target(void const* a, void const* b, std::size_t n) {
    return unless_it_faults(&compare_reached, a, b, n);
}

// The arguments wait in the four words that every caller leaves above its return address; what is jumped to finds the
// stack and them as the driver left them.
#    define WDDMCORE_GO_ON_AT(target)                                                                           \
        asm volatile(                                                                                           \
            "movq %rcx, 8(%rsp)\n\tmovq %rdx, 16(%rsp)\n\tmovq %r8, 24(%rsp)\n\tsubq $40, %rsp\n\tcall " target \
            "\n\taddq $40, %rsp\n\tmovq 8(%rsp), %rcx\n\tmovq 16(%rsp), %rdx\n\tmovq 24(%rsp), %r8\n\tjmp *%rax")

[[gnu::naked]] inline void* WDDMCORE_DRIVER_CALL copy(void*, void const*, std::size_t) {
    WDDMCORE_GO_ON_AT("wddmcore_copy_target");
}
[[gnu::naked]] inline void* WDDMCORE_DRIVER_CALL move(void*, void const*, std::size_t) {
    WDDMCORE_GO_ON_AT("wddmcore_move_target");
}
[[gnu::naked]] inline int WDDMCORE_DRIVER_CALL compare(void const*, void const*, std::size_t) {
    WDDMCORE_GO_ON_AT("wddmcore_compare_target");
}

#    undef WDDMCORE_GO_ON_AT

}  // namespace wddmcore::testing::kernel_parts::copies

#endif
