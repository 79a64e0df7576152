// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <sys/mman.h>

#    include <cstddef>
#    include <cstdint>
#    include <cstring>
#    include <new>

namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts {

/// Leaves one stack for another; returns when somebody switches back. What the calling convention of the host keeps is
/// kept here; what the driver's convention keeps beyond that, its services have saved as they were called.
[[gnu::naked]] inline void switch_stacks([[maybe_unused]] void** leave, [[maybe_unused]] void* enter) {
    asm volatile("pushq %rbp\n\tpushq %rbx\n\tpushq %r12\n\tpushq %r13\n\tpushq %r14\n\tpushq %r15\n\t"
                 "movq %rsp, (%rdi)\n\tmovq %rsi, %rsp\n\t"
                 "popq %r15\n\tpopq %r14\n\tpopq %r13\n\tpopq %r12\n\tpopq %rbx\n\tpopq %rbp\n\tretq");
}

/// A stack of a driver's thread, with an inaccessible page below it.
class fiber {
public:
    // A kernel stack has 24 KiB; the services of this host need some more.
    static constexpr std::size_t bytes = std::size_t{256} << 10;
    static constexpr std::size_t guard = 4096;

    /// The stack that is in use already.
    fiber() = default;
    /// A new stack, on which `begin` runs first; it must not return.
    /// @throws std::bad_alloc  no address space
    explicit fiber(void (*begin)()) {
        void* const memory = ::mmap(nullptr, bytes + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED || ::mprotect(memory, guard, PROT_NONE) != 0) {
            throw std::bad_alloc();
        }
        low_ = static_cast<std::byte*>(memory);
        // Aligned as a call leaves it: six registers, the address to return to.
        std::byte* const slot = low_ + guard + bytes - 16;
        std::memcpy(slot, &begin, sizeof begin);
        pointer_ = slot - 6 * 8;
    }
    fiber(fiber const&) = delete;
    fiber& operator=(fiber const&) = delete;
    ~fiber() {
        if (low_ != nullptr) {
            ::munmap(low_, bytes + guard);
        }
    }

    /// Goes on with this stack; returns when somebody comes back to `from`.
    void enter(fiber& from) { switch_stacks(&from.pointer_, pointer_); }

    /// Whether an address lies in the page that ends the stack.
    [[nodiscard]] bool overflows_at(void const* address) const {
        auto const* const at = static_cast<std::byte const*>(address);
        return low_ != nullptr && at >= low_ && at < low_ + guard;
    }

private:
    std::byte* low_ = nullptr;
    void* pointer_ = nullptr;
};

}  // namespace wddmcore::testing::kernel_parts

#endif
