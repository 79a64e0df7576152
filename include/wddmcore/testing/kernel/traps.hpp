// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../vidmm/journal.hpp"
#include "instructions/privileged.hpp"
#include "instructions/shared_page.hpp"
#include "instructions/user_reads.hpp"
#include "services.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <asm/prctl.h>
#    include <csignal>
#    include <sys/syscall.h>
#    include <sys/time.h>
#    include <ucontext.h>

/// What a fault of the driver means, and who carries on after one that a kernel would not have.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::traps {

struct state {
    alignas(16) std::array<std::byte, std::size_t{256} << 10> stack{};
    std::byte* processor = nullptr;  // KPCR: what GS points at
    static state& current() {
        static state one;
        return one;
    }
};

// What a fault means.

struct meaning {
    std::string id;
    std::string sentence;
};

/// What the simulator knows of an address that it handed out; nothing: it is none of its objects.
[[nodiscard]] inline std::optional<meaning> rule_of_access(void const* address) {
    auto const found = vidmm_parts::journal::current().explain(address);
    std::string const rule = found.rule;
    bool const unknown = rule == crash_id::wild_access || rule == crash_id::null_access;
    return unknown ? std::nullopt : std::optional(meaning{rule, found.sentence.data()});
}

/// @param stack  the stack pointer at the access
[[nodiscard]] inline meaning meaning_of_access(void const* address, std::uintptr_t stack, bool writes, bool fetches) {
    kernel_system& k = system();
    std::string const id =
        k.level() >= dispatch_level ? "0xD1 DRIVER_IRQL_NOT_LESS_OR_EQUAL" : "0x7E SYSTEM_THREAD_EXCEPTION_NOT_HANDLED";
    auto const number = reinterpret_cast<std::uintptr_t>(address);
    if (number < 0x1'0000) {
        // What a NULL stands for is known of the calls that build paging buffers and presents, and of no other.
        std::string const call = k.record.call;
        bool const builds = call == "DxgkDdiBuildPagingBuffer" || call == "DxgkDdiPresent";
        if (auto const found = rule_of_access(address); builds && found) {
            return *found;
        }
        return {id, std::string(fetches ? "a NULL function pointer is called" : "a NULL pointer is used") +
                        ", at byte " + std::to_string(number)};
    }
    if (k.image != nullptr && k.image->holds(address)) {
        image_section const* const s = k.image->section_of(address);
        std::string const where = k.name_of(address);
        if (s != nullptr && s->pageable && k.level() >= dispatch_level) {
            return {"0xD1 DRIVER_IRQL_NOT_LESS_OR_EQUAL", std::string(fetches ? "pageable code" : "pageable data") +
                                                              " is reached at IRQL " + std::to_string(k.level()) +
                                                              ": " + where};
        }
        if (s != nullptr && s->discardable) {
            return {id, "a discarded section is reached after DriverEntry: " + where};
        }
        return {id, std::string(writes ? "the driver writes to a section that is not writable: " : "wrong access to ") +
                        where};
    }
    if (auto const fault = user_space::fault_of(address, 1); fault) {
        std::string const what =
            fault->is_given_back ? "memory that a process has given back is " : "memory behind what a process sent is ";
        if (k.level() >= dispatch_level) {
            return {id, what + "touched at IRQL " + std::to_string(k.level())};
        }
        return {"SPL-17", what + (writes ? "written" : "read") + " without exception protection"};
    }
    if (auto const found = rule_of_access(address); found) {
        return *found;
    }
    if (std::string const found = pool::current().explain(address); !found.empty()) {
        bool const paged_out = found.find("is touched at IRQL") != std::string::npos;
        return {paged_out ? "0xD1 DRIVER_IRQL_NOT_LESS_OR_EQUAL" : "0xD6 DRIVER_PAGE_FAULT_BEYOND_END_OF_ALLOCATION",
                found};
    }
    // The calling thread's stack is the host's, of which only the place is known.
    constexpr std::uintptr_t near_enough = 1 << 16;
    bool const on_calling_stack =
        k.running == k.threads.front().get() && number + near_enough > stack && number < stack + near_enough;
    for (auto const& t : k.threads) {
        if (t->stack.overflows_at(address) || (on_calling_stack && t.get() == k.running)) {
            return {"0x7F UNEXPECTED_KERNEL_MODE_TRAP", "the stack of " + t->name + " is used up"};
        }
    }
    return {id, std::string("a wild pointer is ") + (fetches ? "called" : writes ? "written to" : "read")};
}

/// An exception that nobody handles ends the run.
[[noreturn]] inline void unhandled(int signal, siginfo_t const* info, ucontext_t& c) {
    kernel_system& k = system();
    void const* const code = reinterpret_cast<void const*>(reg(c, REG_RIP));
    std::string const at =
        ", by " + (k.image != nullptr && k.image->holds(code) ? k.name_of(code) : "a kernel function");
    if (signal == SIGSEGV || signal == SIGBUS) {
        if (info->si_code == SI_KERNEL) {
            k.stop("0x7E SYSTEM_THREAD_EXCEPTION_NOT_HANDLED",
                   "an address that no processor has, or an instruction that is not carried out here" + at);
        }
        auto const error = reg(c, REG_ERR);
        meaning const m = meaning_of_access(info->si_addr, static_cast<std::uintptr_t>(reg(c, REG_RSP)),
                                            (error & 2) != 0, (error & 16) != 0 || info->si_addr == code);
        k.stop(m.id.c_str(), m.sentence + at);
    }
    bool const raised = signal == SIGILL && (k.image == nullptr || !k.image->holds(code) ||
                                             *static_cast<std::uint16_t const*>(code) != 0x0B0F);
    if (raised) {
        k.stop("0x7E SYSTEM_THREAD_EXCEPTION_NOT_HANDLED", "a status that the driver raises is not handled" + at);
    }
    char const* const what = signal == SIGFPE ? "a division by zero, or one that overflows"
                             : signal == SIGILL
                                 ? "an instruction that does not exist (compilers put it where nothing may go)"
                             : signal == SIGTRAP ? "a breakpoint"
                                                 : "the host gives up";
    k.stop("0x7E SYSTEM_THREAD_EXCEPTION_NOT_HANDLED", std::string(what) + at);
}

/// The exception that a signal is to a driver; 0: none that a handler of its own could see.
[[nodiscard]] inline std::uint32_t exception_of(int signal, siginfo_t const* info) {
    if (signal == SIGFPE) {
        return exceptions::divided_by_zero;
    }
    if (signal == SIGILL) {
        return exceptions::illegal_instruction;
    }
    // What lies in the system's half of the address space stops the system at once, and so does any fault at a raised
    // level: only addresses that could be a process's are exceptions.
    kernel_system& k = system();
    bool const owned = pool::current().holds(info->si_addr) || k.image->holds(info->si_addr) ||
                       rule_of_access(info->si_addr).has_value();
    bool const low = reinterpret_cast<std::uintptr_t>(info->si_addr) < 0x1'0000;
    return signal == SIGSEGV && info->si_code != SI_KERNEL && k.level() < dispatch_level && (low || !owned)
               ? exceptions::access_violation
               : 0;
}

inline void on_signal(int signal, siginfo_t* info, void* raw) {
    auto& c = *static_cast<ucontext_t*>(raw);
    kernel_system& k = system();
    if (signal == SIGTRAP && (end_of_shared_read(c) || end_of_access(c) || end_of_user_access(c))) {
        return;
    }
    if (signal == SIGSEGV && k.paged_in_late()) {
        return;
    }
    void const* const code = reinterpret_cast<void const*>(reg(c, REG_RIP));
    bool const of_driver = k.image != nullptr && k.image->holds(code);
    if (signal == SIGILL && exceptions::stood_for(info, c)) {
        return;
    }
    if (signal == SIGTRAP && of_driver) {
        k.find("BREAKPOINT", "the driver stops at a breakpoint, before " + k.name_of(code));
        return;
    }
    // The kernel's own functions may copy to registers, too.
    if (signal == SIGSEGV && info->si_addr != code &&
        registers_at(reinterpret_cast<std::uintptr_t>(info->si_addr)) != nullptr && access_registers(c)) {
        return;
    }
    if (signal == SIGSEGV && user_space::watched_at(reinterpret_cast<std::uintptr_t>(info->si_addr)) != nullptr &&
        access_user_memory(c, of_driver)) {
        return;
    }
    if (signal == SIGSEGV && of_driver) {
        auto const address = reinterpret_cast<std::uintptr_t>(info->si_addr);
        if (address - shared_page < 4096 && shared_read(c, address)) {
            return;
        }
        if (info->si_code == SI_KERNEL && privileged(c)) {
            return;
        }
    }
    if (std::uint32_t const exception = of_driver ? exception_of(signal, info) : 0; exception != 0) {
        exceptions::begin(exception, signal, info, c);
        return;
    }
    unhandled(signal, info, c);
}

inline void on_alarm(int, siginfo_t*, void* raw) {
    kernel_system& k = system();
    auto& c = *static_cast<ucontext_t*>(raw);
    void const* const code = reinterpret_cast<void const*>(reg(c, REG_RIP));
    bool const of_driver = k.image != nullptr && k.image->holds(code);
    k.find("HANG", "the time is over" + (of_driver ? "; the driver executes " + k.name_of(code) : std::string()));
    ::_exit(4);
}

/// Takes the signals and the processor's view. Once a process.
inline void install(kernel_system& k, std::uint32_t limit_seconds) {
    state& s = state::current();
    stack_t alternate{};
    alternate.ss_sp = s.stack.data();
    alternate.ss_size = s.stack.size();
    ::sigaltstack(&alternate, nullptr);
    struct sigaction action{};
    action.sa_sigaction = &on_signal;
    // Again while it runs: a device that is asked by one instruction may interrupt the driver, which asks it again.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    exceptions::last_resort() = [](exceptions::pending& p) { unhandled(p.signal, &p.info, p.at_fault); };
    for (int const number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) {
        ::sigaction(number, &action, nullptr);
    }
    action.sa_sigaction = &on_alarm;
    ::sigaction(SIGALRM, &action, nullptr);
    itimerval timer{};
    timer.it_value.tv_sec = limit_seconds;
    ::setitimer(ITIMER_REAL, &timer, nullptr);
    void* const pages = ::mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        throw std::bad_alloc();
    }
    s.processor = static_cast<std::byte*>(pages);
    shared_view::current().page = s.processor + 8192;
    std::byte* const self = s.processor;
    std::byte* const control_block = self + 0x180;
    std::memcpy(self + 0x18, &self, 8);                                               // KPCR.Self
    std::memcpy(self + 0x20, &control_block, 8);                                      // KPCR.CurrentPrcb
    auto const run = [self](thread& t) { std::memcpy(self + 0x188, &t.object, 8); };  // KPRCB.CurrentThread
    run(*k.running);
    k.on_switch = run;
    ::syscall(SYS_arch_prctl, ARCH_SET_GS, self);
}

}  // namespace wddmcore::testing::kernel_parts::traps

#endif
