// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "step.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wddmcore::inline WDDMCORE_ABI::testing::watched_trap {

#if defined(__x86_64__) && defined(__linux__)

/// Hands a signal that is not ours to whoever had it before; with nobody there, it does what it does by default.
inline void pass_on(int signal, siginfo_t* info, void* context, struct sigaction const& previous) {
    if ((previous.sa_flags & SA_SIGINFO) != 0) {
        previous.sa_sigaction(signal, info, context);
    } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
        previous.sa_handler(signal);
    } else if (previous.sa_handler == SIG_DFL || info->si_code > 0) {  // the kernel's own cannot be ignored
        struct sigaction fallback{};
        fallback.sa_handler = SIG_DFL;
        ::sigaction(signal, &fallback, nullptr);
        // A fault comes again as soon as the handler returns; a trap, or what a process has sent, does not.
        if (signal != SIGSEGV || info->si_code <= 0) {
            ::raise(signal);
        }
    }
}

/// A watched range was touched: opens the place for one instruction.
/// @return false: the host would not open it
[[nodiscard]] inline bool meet(region& r, ucontext_t& context, std::byte* address) {
    step_state& step = shared.step;
    std::uintptr_t const code = code_of(context);
    if (step.now == step_state::phase::idle) {
        step.known = watched_decode(reinterpret_cast<std::uint8_t const*>(code));
        step.target = nullptr;
        step.store = nullptr;
        step.has_read = false;
        begin_step(context);
        for (std::size_t i = 0; i < shared.count; ++i) {
            shared.regions[i]->log->continue_last(step.repeated != 0 && step.repeated == code);
        }
        step.now = step_state::phase::settled;
    }
    if ((register_of(context, REG_ERR) & 2) != 0) {
        return meet_store(r, context, address);
    }
    if (step.known.action != watched_action::hint) {
        note(r, address, step.known.size != 0 ? step.known.size : 1, watched_kind::read, code);
        step.has_read = true;
    }
    return open(r, address, std::min(reach, static_cast<std::size_t>(r.end - address)), guarded_access::read);
}

/// SIGSEGV: an instruction touches a watched range, or it is somebody else's fault.
inline void on_fault(int signal, siginfo_t* info, void* raw) {
    auto& context = *static_cast<ucontext_t*>(raw);
    step_state& step = shared.step;
    auto* const address = static_cast<std::byte*>(info->si_addr);
    bool const fetch = (register_of(context, REG_ERR) & 0x10) != 0;
    bool const ours = info->si_code == SEGV_ACCERR && !fetch && pthread_equal(pthread_self(), shared.thread) != 0;
    region* const r = ours ? region_of(address) : nullptr;
    if (r != nullptr && meet(*r, context, address)) {
        return;
    }
    if (step.now != step_state::phase::idle) {  // the instruction will not complete: leave nothing of ours behind
        if (step.now != step_state::phase::settled) {
            std::memcpy(step.around, step.saved.data(), step.around_size);
        }
        end_step(context);
    }
    pass_on(signal, info, raw, shared.previous_fault);
}

/// SIGTRAP: the stepped instruction has run.
inline void on_trap(int signal, siginfo_t* info, void* raw) {
    auto& context = *static_cast<ucontext_t*>(raw);
    step_state& step = shared.step;
    if (step.now == step_state::phase::idle || pthread_equal(pthread_self(), shared.thread) == 0) {
        pass_on(signal, info, raw, shared.previous_trap);
        return;
    }
    gregset_t before;
    std::memcpy(&before, step.registers.data(), sizeof before);
    auto const code = static_cast<std::uintptr_t>(before[REG_RIP]);
    switch (step.now) {
        case step_state::phase::background_a: finish_a(context); return;
        case step_state::phase::background_b: finish_b(context, code); return;
        default: break;
    }
    if (step.target != nullptr && step.store != nullptr) {
        if (step.known.action == watched_action::update && !step.has_read) {
            note(*step.target, step.store, step.known.size, watched_kind::read, code);
        }
        note(*step.target, step.store, step.known.size, watched_kind::write, code);
    }
    end_step(context);
}

/// Begins to watch a range, and takes the two signals if it is the first one.
/// @param r  stays where it is until `remove`
/// @return false: too many ranges, another thread is being watched, SIGSEGV is blocked, or the host refused
[[nodiscard]] inline bool add(region& r) {
    if (shared.count == most_regions || (shared.count != 0 && pthread_equal(shared.thread, pthread_self()) == 0)) {
        return false;
    }
    sigset_t blocked;
    if (::pthread_sigmask(SIG_BLOCK, nullptr, &blocked) != 0 || ::sigismember(&blocked, SIGSEGV) != 0) {
        return false;  // the kernel ends a process whose fault it cannot deliver
    }
    if (shared.count == 0) {
        shared.thread = pthread_self();
        shared.step.now = step_state::phase::idle;
        shared.step.repeated = 0;
        struct sigaction ours{};
        ::sigemptyset(&ours.sa_mask);
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK;  // driver threads may have small stacks
        ours.sa_sigaction = on_fault;
        if (::sigaction(SIGSEGV, &ours, &shared.previous_fault) != 0) {
            return false;
        }
        ours.sa_sigaction = on_trap;
        if (::sigaction(SIGTRAP, &ours, &shared.previous_trap) != 0) {
            ::sigaction(SIGSEGV, &shared.previous_fault, nullptr);
            return false;
        }
    }
    if (!guarded_host::protect(r.begin, static_cast<std::size_t>(r.end - r.begin), guarded_access::none)) {
        return false;
    }
    shared.regions[shared.count++] = &r;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return true;
}

/// Stops watching a range; the last one gives the two signals back, unless somebody else took them meanwhile.
/// @param r  given to `add` before
/// @return whether the last instruction's step had ended, which it has wherever single steps work
inline bool remove(region& r) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    bool const ended = shared.step.now == step_state::phase::idle;
    auto const last = shared.regions.begin() + static_cast<std::ptrdiff_t>(shared.count);
    shared.count -= static_cast<std::size_t>(last - std::remove(shared.regions.begin(), last, &r));
    if (shared.count == 0) {
        auto const give_back = [](int signal, auto ours, struct sigaction const& previous) {
            struct sigaction present{};
            ::sigaction(signal, nullptr, &present);
            if ((present.sa_flags & SA_SIGINFO) != 0 && present.sa_sigaction == ours) {
                ::sigaction(signal, &previous, nullptr);
            }
        };
        give_back(SIGSEGV, on_fault, shared.previous_fault);
        give_back(SIGTRAP, on_trap, shared.previous_trap);
    }
    return ended;
}

/// Whether this build can watch at all.
inline constexpr bool possible = true;

#else

/// Watches nothing: this host has no page faults and single steps that we know how to use.
[[nodiscard]] inline bool add(region&) { return false; }

/// Has nothing to end.
inline bool remove(region&) { return true; }

/// Whether this build can watch at all.
inline constexpr bool possible = false;

#endif

}  // namespace wddmcore::testing::watched_trap
