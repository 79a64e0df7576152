// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../vidmm/journal.hpp"
#include "services.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <asm/prctl.h>
#    include <csignal>
#    include <sys/syscall.h>
#    include <sys/time.h>
#    include <ucontext.h>

// A program that includes this links Zydis where its header is there, or defines WDDMCORE_NO_ZYDIS.
#    if __has_include(<Zydis/Zydis.h>) && !defined(WDDMCORE_NO_ZYDIS)
#        include <Zydis/Zydis.h>
#    endif

/// What a processor at privilege level 0 would do, and this one refuses: instructions and addresses that a kit's
/// headers compile into a driver. And what a fault of the driver means.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::traps {

/// Whether privileged instructions are decoded and carried out: it takes Zydis at build time.
#    if defined(ZYDIS_H)
inline constexpr bool emulates = true;
#    else
inline constexpr bool emulates = false;
#    endif

inline constexpr std::uintptr_t shared_page = 0xFFFF'F780'0000'0000;  // KUSER_SHARED_DATA

struct state {
    alignas(16) std::array<std::byte, std::size_t{256} << 10> stack{};
    std::byte* processor = nullptr;  // KPCR: what GS points at
    std::byte* shared = nullptr;     // our KUSER_SHARED_DATA
    greg_t* replaced = nullptr;      // of an instruction that runs on our page for a step
    greg_t before = 0;
    int replaced_index = -1;
    static state& current() {
        static state one;
        return one;
    }
};

[[nodiscard]] inline greg_t& reg(ucontext_t& c, int index) { return c.uc_mcontext.gregs[index]; }

inline void refresh_shared_page() {
    kernel_system& k = system();
    std::byte* const page = state::current().shared;
    auto const put = [page](std::size_t at, auto value) { std::memcpy(page + at, &value, sizeof value); };
    std::uint64_t const ticks = (k.now - k.started) / 156'250 + 1000;
    auto const time = [&put](std::size_t at, std::uint64_t value) {
        put(at, static_cast<std::uint32_t>(value));
        put(at + 4, static_cast<std::uint32_t>(value >> 32));
        put(at + 8, static_cast<std::uint32_t>(value >> 32));
    };
    put(0, static_cast<std::uint32_t>(ticks));
    put(4, std::uint32_t{0xFA00000});  // TickCountMultiplier
    time(0x08, k.now - k.started);     // InterruptTime
    time(0x14, k.now);                 // SystemTime
    put(0x320, ticks);                 // TickCountQuad
}

#    if defined(ZYDIS_H)

/// Where a signal's context keeps a 64-bit register.
[[nodiscard]] inline int context_index(ZydisRegister r) {
    auto const whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);
    bool const general = whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15;
    return general ? exceptions::order[whole - ZYDIS_REGISTER_RAX] : -1;
}

struct decoded {
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
};
[[nodiscard]] inline std::optional<decoded> decode(void const* code) {
    ZydisDecoder decoder;
    decoded d;
    bool const good = ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) &&
                      ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, 15, &d.instruction, d.operands.data()));
    return good ? std::optional(d) : std::nullopt;
}

inline void move_control_register(decoded const& d, ucontext_t& c) {
    ZydisRegister const to = d.operands[0].reg.value;
    ZydisRegister const from = d.operands[1].reg.value;
    kernel_system& k = system();
    if (from == ZYDIS_REGISTER_CR8) {
        reg(c, context_index(to)) = k.level();
    } else if (to == ZYDIS_REGISTER_CR8) {
        auto const level = static_cast<irql>(reg(c, context_index(from)) & 15);
        k.set_level(level);  // what was deferred runs at the next service, not here
    } else if (int const index = context_index(to); index >= 0) {
        reg(c, index) = 0;
    }
}

/// Carries out what only the kernel may. @return false: it is something else
[[nodiscard]] inline bool privileged(ucontext_t& c) {
    auto const found = decode(reinterpret_cast<void const*>(reg(c, REG_RIP)));
    if (!found) {
        return false;
    }
    kernel_system& k = system();
    std::string const at = k.name_of(reinterpret_cast<void const*>(reg(c, REG_RIP)));
    switch (found->instruction.mnemonic) {
        case ZYDIS_MNEMONIC_MOV: {
            auto const is_system = [](ZydisDecodedOperand const& o) {
                ZydisRegisterClass const kind =
                    o.type == ZYDIS_OPERAND_TYPE_REGISTER ? ZydisRegisterGetClass(o.reg.value) : ZYDIS_REGCLASS_INVALID;
                return kind == ZYDIS_REGCLASS_CONTROL || kind == ZYDIS_REGCLASS_DEBUG;
            };
            if (!is_system(found->operands[0]) && !is_system(found->operands[1])) {
                return false;
            }
            move_control_register(*found, c);
            break;
        }
        case ZYDIS_MNEMONIC_IN: {
            std::uint64_t const mask = found->instruction.operand_width == 8    ? 0xFF
                                       : found->instruction.operand_width == 16 ? 0xFFFF
                                                                                : 0xFFFF'FFFF;
            reg(c, REG_RAX) |= static_cast<greg_t>(mask);  // no device answers: all ones
            break;
        }
        case ZYDIS_MNEMONIC_RDMSR: reg(c, REG_RAX) = reg(c, REG_RDX) = 0; break;
        case ZYDIS_MNEMONIC_OUT:
        case ZYDIS_MNEMONIC_CLI:
        case ZYDIS_MNEMONIC_STI:
        case ZYDIS_MNEMONIC_WRMSR:
        case ZYDIS_MNEMONIC_WBINVD:
        case ZYDIS_MNEMONIC_INVD:
        case ZYDIS_MNEMONIC_INVLPG: break;
        case ZYDIS_MNEMONIC_INT:
            if (found->operands[0].imm.value.u == 0x29) {
                k.stop("0x139 KERNEL_SECURITY_CHECK_FAILURE",
                       "__fastfail(" + std::to_string(reg(c, REG_RCX) & 0xFFFF'FFFF) + ") at " + at);
            }
            if (found->operands[0].imm.value.u == 0x2C) {
                k.find("ASSERT", "NT_ASSERT fails at " + at);
                break;
            }
            return found->operands[0].imm.value.u == 0x2D;
        default: return false;
    }
    reg(c, REG_RIP) += found->instruction.length;
    return true;
}

/// A read of the shared page: a fixed address is carried out, any other form runs for one step with our page.
[[nodiscard]] inline bool shared_read(ucontext_t& c, std::uintptr_t address) {
    auto const found = decode(reinterpret_cast<void const*>(reg(c, REG_RIP)));
    state& s = state::current();
    if (!found) {
        return false;
    }
    system().advance(10);
    refresh_shared_page();
    for (ZydisDecodedOperand const& o : found->operands) {
        if (o.type != ZYDIS_OPERAND_TYPE_MEMORY) {
            continue;
        }
        int const base =
            o.mem.base == ZYDIS_REGISTER_NONE || o.mem.base == ZYDIS_REGISTER_RIP ? -1 : context_index(o.mem.base);
        if (base < 0) {
            if (found->instruction.mnemonic != ZYDIS_MNEMONIC_MOV ||
                found->operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER || o.mem.index != ZYDIS_REGISTER_NONE) {
                return false;
            }
            int const to = context_index(found->operands[0].reg.value);
            std::uint64_t value = 0;
            std::size_t const bytes = found->operands[0].size / 8;
            std::memcpy(&value, s.shared + (address - shared_page), std::min<std::size_t>(bytes, 8));
            if (to < 0) {
                return false;
            }
            std::uint64_t const kept = bytes < 4 ? ~std::uint64_t{0} << (8 * bytes) : 0;
            reg(c, to) = static_cast<greg_t>((static_cast<std::uint64_t>(reg(c, to)) & kept) | value);
            reg(c, REG_RIP) += found->instruction.length;
            return true;
        }
        s.replaced_index = base;
        s.before = reg(c, base);
        s.replaced = nullptr;
        bool const overwritten = found->operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                                 found->instruction.mnemonic != ZYDIS_MNEMONIC_CMP &&
                                 found->instruction.mnemonic != ZYDIS_MNEMONIC_TEST &&
                                 context_index(found->operands[0].reg.value) == base;
        reg(c, base) += static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(s.shared) - shared_page);
        if (overwritten) {
            s.replaced_index = -1;
            return true;
        }
        reg(c, REG_EFL) |= 0x100;
        return true;
    }
    return false;
}

#    else

[[nodiscard]] inline bool privileged(ucontext_t&) { return false; }
[[nodiscard]] inline bool shared_read(ucontext_t&, std::uintptr_t) { return false; }

#    endif

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
        // What a NULL stands for is known of the call that builds paging buffers, and of no other.
        bool const builds = std::string("DxgkDdiBuildPagingBuffer") == k.record.call;
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
    state& s = state::current();
    kernel_system& k = system();
    if (signal == SIGTRAP && s.replaced_index >= 0) {
        reg(c, s.replaced_index) = s.before;
        s.replaced_index = -1;
        reg(c, REG_EFL) &= ~greg_t{0x100};
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
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
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
    s.shared = s.processor + 8192;
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
