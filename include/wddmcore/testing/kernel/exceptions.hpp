// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "unwind.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <csignal>
#    include <ucontext.h>

/// Structured exceptions: a fault of the driver, or a status that it raises, finds the handler that its tables name.
///
/// Control must be in the image in every frame up to the handler: an exception that would have to cross a function of
/// the kernel (from a callback) is not handled.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::exceptions {

using unwinding::exception_record;
using unwinding::register_context;

inline constexpr std::uint32_t access_violation = 0xC000'0005, divided_by_zero = 0xC000'0094,
                               illegal_instruction = 0xC000'001D, unwinding_flag = 2, target_flag = 0x20;
inline constexpr int continue_execution = 0, continue_search = 1;

/// DISPATCHER_CONTEXT.
struct dispatcher_context {
    std::uint64_t pc;
    std::uint64_t image;
    image_function const* function;
    std::uint64_t establisher;
    std::uint64_t target;
    register_context* context;
    void* handler;
    void const* data;
    void* history;
    std::uint32_t scope;
    std::uint32_t unused;
};
/// EXCEPTION_POINTERS.
struct pointers {
    exception_record* record;
    register_context* context;
};
using language_handler = int(WDDMCORE_DRIVER_CALL*)(exception_record*, void*, register_context*, dispatcher_context*);

/// One exception on its way.
struct pending {
    register_context context{};
    exception_record record{};
    int signal = 0;
    siginfo_t info{};
    ucontext_t at_fault{};
};

// Instructions that do not exist, each at an address of its own: the signal handler does what they stand for.
[[gnu::naked]] inline void raise_status_trap() { asm volatile("ud2"); }
[[gnu::naked]] inline void raise_access_trap() { asm volatile("ud2\n\tnop"); }
[[gnu::naked]] inline void user_access_trap() { asm volatile("ud2\n\tnop\n\tnop\n\tnop"); }
[[gnu::naked]] inline void restore_trap([[maybe_unused]] register_context const* to) {
    asm volatile("ud2\n\tnop\n\tnop");
}

/// What `user_access_trap` stands for: an access that a kernel function has not made for the driver.
struct user_access {
    std::uintptr_t address = 0;
    bool writes = false;
    static user_access& current() {
        static user_access one;
        return one;
    }
};

// Registers of a signal in the order of their numbers.
inline constexpr int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

inline void save(ucontext_t const& from, register_context& to) {
    for (std::size_t i = 0; i < 16; ++i) {
        to.registers[i] = static_cast<std::uint64_t>(from.uc_mcontext.gregs[order[i]]);
        std::memcpy(&to.vectors[i], &from.uc_mcontext.fpregs->_xmm[i], 16);
    }
    to.rip = static_cast<std::uint64_t>(from.uc_mcontext.gregs[REG_RIP]);
    to.processor_flags = static_cast<std::uint32_t>(from.uc_mcontext.gregs[REG_EFL]);
}
inline void load(register_context const& from, ucontext_t& to) {
    for (std::size_t i = 0; i < 16; ++i) {
        to.uc_mcontext.gregs[order[i]] = static_cast<greg_t>(from.registers[i]);
        std::memcpy(&to.uc_mcontext.fpregs->_xmm[i], &from.vectors[i], 16);
    }
    to.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(from.rip);
}

[[nodiscard]] inline dispatcher_context dispatcher_of(unwinding::frame const& f, register_context& c,
                                                      std::uint64_t target) {
    std::byte* const base = system().image->base();
    return {f.pc,
            reinterpret_cast<std::uintptr_t>(base),
            f.function,
            f.establisher,
            target,
            &c,
            base + f.handler,
            base + f.data,
            nullptr,
            0,
            0};
}
[[nodiscard]] inline int ask(unwinding::frame const& f, exception_record& record, register_context& context,
                             dispatcher_context& d) {
    return reinterpret_cast<language_handler>(d.handler)(&record, reinterpret_cast<void*>(f.establisher), &context, &d);
}

/// Leaves all frames up to the one with the handler, and goes on in it.
[[noreturn]] inline void unwind_to(std::uint64_t establisher, std::uint64_t target, exception_record& record,
                                   register_context const& from) {
    unwinding::unwinder const u(*system().image);
    register_context now = from;
    for (;;) {
        register_context before = now;
        auto const f = u.step(now);
        if (!f) {
            system().stop("0x1E KMODE_EXCEPTION_NOT_HANDLED",
                          "the stack between an exception and its handler is damaged");
        }
        bool const arrived = f->establisher == establisher;
        record.flags |= unwinding_flag | (arrived ? target_flag : 0);
        if ((f->wants & 2) != 0) {
            dispatcher_context d = dispatcher_of(*f, before, target);
            static_cast<void>(ask(*f, record, before, d));
        }
        if (arrived) {
            before.rip = target;
            before.registers[0] = record.code;
            restore_trap(&before);
            __builtin_unreachable();
        }
    }
}

/// A row of the table that `__C_specific_handler` works by, all RVAs.
struct scope {
    std::uint32_t begin, end, handler, target;
};

/// `__C_specific_handler`, for `__try` with `__except` or `__finally`.
inline int WDDMCORE_DRIVER_CALL c_specific_handler(exception_record* record, void* establisher,
                                                   register_context* context, dispatcher_context* d) {
    auto const* const table = static_cast<std::byte const*>(d->data);
    auto* const base = reinterpret_cast<std::byte*>(d->image);
    auto const pc = static_cast<std::uint32_t>(d->pc - d->image);
    auto const target = static_cast<std::uint32_t>(d->target - d->image);
    bool const leaves = (record->flags & unwinding_flag) != 0;
    std::uint32_t count = 0;
    std::memcpy(&count, table, 4);
    for (std::uint32_t i = d->scope; i < count; ++i) {
        scope s;
        std::memcpy(&s, table + 4 + i * sizeof s, sizeof s);
        if (pc < s.begin || pc >= s.end) {
            continue;
        }
        if (leaves) {
            bool const last = (record->flags & target_flag) != 0;
            if (last &&
                ((target >= s.begin && target < s.end && s.target == 0) || (s.target != 0 && s.target == target))) {
                return continue_search;
            }
            if (s.target == 0) {
                d->scope = i + 1;
                reinterpret_cast<void(WDDMCORE_DRIVER_CALL*)(std::uint8_t, void*)>(base + s.handler)(1, establisher);
            }
        } else if (s.target != 0) {
            int answer = 1;
            if (s.handler != 1) {
                pointers p{record, context};
                answer =
                    reinterpret_cast<int(WDDMCORE_DRIVER_CALL*)(pointers*, void*)>(base + s.handler)(&p, establisher);
            }
            if (answer < 0) {
                return continue_execution;
            }
            if (answer > 0) {
                unwind_to(reinterpret_cast<std::uintptr_t>(establisher), d->image + s.target, *record, *context);
            }
        }
    }
    return continue_search;
}

/// What happens to an exception that no frame handles; the signal handlers say what it means.
[[nodiscard]] inline void (*&last_resort())(pending&) {
    static void (*one)(pending&) = nullptr;
    return one;
}

/// Looks for a handler, frame by frame. Runs below the interrupted stack pointer, outside the signal handler.
[[noreturn]] inline void dispatch(pending* p) {
    unwinding::unwinder const u(*system().image);
    register_context now = p->context;
    for (;;) {
        register_context before = now;
        auto const f = u.step(now);
        if (!f) {
            break;
        }
        if ((f->wants & 1) != 0) {
            dispatcher_context d = dispatcher_of(*f, before, 0);
            if (ask(*f, p->record, p->context, d) == continue_execution) {
                restore_trap(&p->context);
            }
        }
    }
    last_resort()(*p);
    ::_exit(3);
}

/// Lets a signal end in the search for a handler.
inline void begin(std::uint32_t code, int signal, siginfo_t const* info, ucontext_t& c) {
    auto* const p = new pending;
    save(c, p->context);
    p->signal = signal;
    p->info = *info;
    p->at_fault = c;
    p->record.code = code;
    p->record.address = reinterpret_cast<void*>(p->context.rip);
    if (code == access_violation) {
        p->record.parameters = 2;
        p->record.information[0] = (c.uc_mcontext.gregs[REG_ERR] & 2) != 0 ? 1 : 0;
        p->record.information[1] = reinterpret_cast<std::uintptr_t>(info->si_addr);
    }
    c.uc_mcontext.gregs[REG_RDI] = reinterpret_cast<greg_t>(p);
    c.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&dispatch);
    c.uc_mcontext.gregs[REG_RSP] = ((c.uc_mcontext.gregs[REG_RSP] - 512) & ~greg_t{15}) - 8;
    c.uc_mcontext.gregs[REG_EFL] &= ~greg_t{0x400};
}

/// What the instructions above stand for. @return false: it is another one
[[nodiscard]] inline bool stood_for(siginfo_t const* info, ucontext_t& c) {
    auto const code = static_cast<std::uintptr_t>(c.uc_mcontext.gregs[REG_RIP]);
    if (code == reinterpret_cast<std::uintptr_t>(&restore_trap)) {
        load(*reinterpret_cast<register_context const*>(c.uc_mcontext.gregs[REG_RDI]), c);
        return true;
    }
    bool const status = code == reinterpret_cast<std::uintptr_t>(&raise_status_trap);
    bool const user = code == reinterpret_cast<std::uintptr_t>(&user_access_trap);
    if (!status && !user && code != reinterpret_cast<std::uintptr_t>(&raise_access_trap)) {
        return false;
    }
    auto const number = static_cast<std::uint32_t>(c.uc_mcontext.gregs[REG_RCX]);
    std::memcpy(&c.uc_mcontext.gregs[REG_RIP], reinterpret_cast<void const*>(c.uc_mcontext.gregs[REG_RSP]), 8);
    c.uc_mcontext.gregs[REG_RSP] += 8;
    if (user) {
        siginfo_t fault = *info;
        fault.si_addr = reinterpret_cast<void*>(user_access::current().address);
        fault.si_code = SEGV_ACCERR;
        c.uc_mcontext.gregs[REG_ERR] = user_access::current().writes ? 2 : 0;
        begin(access_violation, SIGSEGV, &fault, c);
        return true;
    }
    begin(status ? number : access_violation, SIGILL, info, c);
    return true;
}

inline void WDDMCORE_DRIVER_CALL probe(void const*, std::size_t, std::uint32_t) {}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("__C_specific_handler", &c_specific_handler), entry("ExRaiseStatus", &raise_status_trap),
            entry("ExRaiseAccessViolation", &raise_access_trap), entry("ProbeForRead", &probe),
            entry("ProbeForWrite", &probe)};
}

}  // namespace wddmcore::testing::kernel_parts::exceptions

#endif
