// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../exceptions.hpp"
#include "memory.hpp"
#include "read_watch.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Kernel functions that touch memory for a driver. Where that is memory of a process, and gone, the exception is one
/// of the caller's frame: the functions have no frame of their own behind which a handler could be looked for.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::user_space {

/// Bytes that a function touches.
struct touched {
    void const* at;
    std::size_t bytes;
    bool writes;
};

/// The driver has the kernel read memory of a process.
inline void look_at(touched const& what) {
    auto const at = reinterpret_cast<std::uintptr_t>(what.at);
    if (what.writes || what.bytes == 0 || watched_at(at) == nullptr) {
        return;
    }
    kernel_system& k = system();
    std::string const by = k.image != nullptr && k.record.last_import < k.image->imports().size()
                               ? k.image->imports()[k.record.last_import].name
                               : std::string("a function of the kernel");
    std::string const before = read_watch::current().read(at, what.bytes, true, by);
    if (!before.empty()) {
        k.find("AMB-68", "what a process has sent is read again, by " + by + ", and was read by " + before +
                             ": it may have changed");
    }
}

/// The function, or where it would meet memory of a process that is not there what stands for the exception. At a
/// raised level there is none: the function meets it.
template <class Function>
[[nodiscard]] void* unless_it_faults(Function* function, std::initializer_list<touched> what) {
    for (touched const& each : what) {
        look_at(each);
        auto const fault = system().level() < dispatch_level ? fault_of(each.at, each.bytes) : std::nullopt;
        if (fault) {
            exceptions::user_access::current() = {fault->address, each.writes};
            return reinterpret_cast<void*>(&exceptions::user_access_trap);
        }
    }
    return reinterpret_cast<void*>(function);
}

}  // namespace wddmcore::testing::kernel_parts::user_space

// The name of a function in the assembler's text, another one for each kind of build.
#    define WDDMCORE_LABEL_OF(abi, name) "wddmcore_" #abi "_" name
#    define WDDMCORE_LABEL_IN(abi, name) WDDMCORE_LABEL_OF(abi, name)
#    define WDDMCORE_LABEL(name) WDDMCORE_LABEL_IN(WDDMCORE_ABI, name)

/// The body of a naked function: asks the function of that label, which gets the same arguments, where to go on. They
/// wait in the four words that every caller leaves above its return address; what is jumped to finds the stack and them
/// as the driver left them.
#    define WDDMCORE_GO_ON_WHERE(name)                                                                       \
        asm volatile("movq %rcx, 8(%rsp)\n\tmovq %rdx, 16(%rsp)\n\tmovq %r8, 24(%rsp)\n\tsubq $40, %rsp\n\t" \
                     "call " WDDMCORE_LABEL(                                                                 \
                         name) "\n\taddq $40, %rsp\n\t"                                                      \
                               "movq 8(%rsp), %rcx\n\tmovq 16(%rsp), %rdx\n\tmovq 24(%rsp), %r8\n\tjmp *%rax")

#endif
