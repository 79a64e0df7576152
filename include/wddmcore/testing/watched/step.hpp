// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../guarded/pages.hpp"
#include "instruction.hpp"
#include "log.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && defined(__linux__)
#    include <csignal>
#    include <pthread.h>
#    include <ucontext.h>
#endif

/// The machinery behind `watched_buffer`: page faults tell who touches what, single steps tell what came of it.
///
/// Which bytes one store wrote is found by running it twice, on two backgrounds that differ at every byte: what is
/// equal afterwards was stored, whatever stood there before. Then the bytes around it get their old value back.
namespace wddmcore::inline WDDMCORE_ABI::testing::watched_trap {

/// One watched range: guards and buffer. All of it is inaccessible between two instructions.
struct region {
    std::byte* begin = nullptr;       ///< first byte of the front guard
    std::byte* end = nullptr;         ///< past the rear guard
    std::byte* data = nullptr;        ///< what offsets count from
    std::byte* open_begin = nullptr;  ///< what the present step has made accessible, whole pages
    std::byte* open_end = nullptr;    ///< its end
    watched_log* log = nullptr;       ///< where accesses go
};

/// How many buffers may be watched at the same time.
inline constexpr std::size_t most_regions = 8;

#if defined(__x86_64__) && defined(__linux__)

/// How far a store of unknown size is looked for: the widest vector.
inline constexpr std::size_t reach = 64;

/// What the second handler call must know of the first.
struct step_state {
    enum class phase : std::uint8_t {
        idle,          ///< no instruction is being stepped
        settled,       ///< it runs on the true bytes, and its accesses are known
        background_a,  ///< it runs on the first background
        background_b,  ///< it runs again, on the complement
    };
    phase now = phase::idle;
    watched_instruction known;                             ///< the table's word on the instruction
    region* target = nullptr;                              ///< whose bytes it stores to; nullptr: only loads so far
    std::byte* store = nullptr;                            ///< first byte stored, when `known` tells the size
    std::byte* around = nullptr;                           ///< the neighbourhood in which stored bytes are looked for
    std::size_t around_size = 0;                           ///< its bytes, at most twice the reach
    bool has_read = false;                                 ///< a load is in the log already
    std::uintptr_t repeated = 0;                           ///< a string instruction that has iterations left
    std::array<std::byte, 2 * reach> saved{};              ///< the neighbourhood before
    std::array<std::byte, 2 * reach> after_a{};            ///< the neighbourhood after the first run
    std::array<std::byte, sizeof(gregset_t)> registers{};  ///< all registers before
    std::array<std::byte, 512> floating{};                 ///< x87 and SSE state before: FSTP pops
    std::uint64_t mask = 0;                                ///< blocked signals before
};

/// All that the handlers reach. There is one, because a signal has one handler in a process.
struct state {
    std::array<region*, most_regions> regions{};
    std::size_t count = 0;
    pthread_t thread{};  ///< the one whose accesses are watched
    struct sigaction previous_fault{};
    struct sigaction previous_trap{};
    step_state step;
};

/// The only one.
inline state shared;

/// The processor's single-step flag.
inline constexpr long long trap_flag = 0x100;

/// The watched range that holds an address, or nullptr.
[[nodiscard]] inline region* region_of(std::byte const* address) {
    auto const at = reinterpret_cast<std::uintptr_t>(address);
    for (std::size_t i = 0; i < shared.count; ++i) {
        region* const r = shared.regions[i];
        if (at >= reinterpret_cast<std::uintptr_t>(r->begin) && at < reinterpret_cast<std::uintptr_t>(r->end)) {
            return r;
        }
    }
    return nullptr;
}

/// Makes the pages around [first, first + size) accessible until the step ends.
/// @return false: the host would not, so that the access must not be tried again
[[nodiscard]] inline bool open(region& r, std::byte* first, std::size_t size, guarded_access access) {
    std::size_t const page = guarded_host::page_bytes();
    auto const lead = static_cast<std::size_t>(first - r.begin) % page;  // ranges begin at a page
    std::byte* const from = first - lead;
    std::byte* const to = std::min(from + (lead + size + page - 1) / page * page, r.end);
    r.open_begin = r.open_begin == nullptr ? from : std::min(r.open_begin, from);
    r.open_end = r.open_end == nullptr ? to : std::max(r.open_end, to);
    return guarded_host::protect(from, static_cast<std::size_t>(to - from), access);
}

/// Makes everything inaccessible again that the step had opened; a full log ends the watching instead.
inline void close_all() {
    for (std::size_t i = 0; i < shared.count; ++i) {
        region& r = *shared.regions[i];
        if (r.log->overflowed()) {
            static_cast<void>(
                guarded_host::protect(r.begin, static_cast<std::size_t>(r.end - r.begin), guarded_access::write));
        } else if (r.open_begin != nullptr) {
            static_cast<void>(guarded_host::protect(r.open_begin, static_cast<std::size_t>(r.open_end - r.open_begin),
                                                    guarded_access::none));
        }
        r.open_begin = nullptr;
        r.open_end = nullptr;
    }
}

/// Logs one access.
inline void note(region& r, std::byte const* address, std::size_t size, watched_kind kind, std::uintptr_t code) {
    r.log->add({address - r.data, size, kind, code});
}

/// A register of the interrupted code.
inline greg_t& register_of(ucontext_t& context, int which) { return context.uc_mcontext.gregs[which]; }

/// Where the interrupted code stands.
inline std::uintptr_t code_of(ucontext_t& context) {
    return static_cast<std::uintptr_t>(register_of(context, REG_RIP));
}

/// Keeps what a second run of the instruction needs, and lets exactly one instruction run.
inline void begin_step(ucontext_t& context) {
    step_state& step = shared.step;
    std::memcpy(step.registers.data(), &context.uc_mcontext.gregs, step.registers.size());
    if (context.uc_mcontext.fpregs != nullptr) {
        std::memcpy(step.floating.data(), context.uc_mcontext.fpregs, step.floating.size());
    }
    register_of(context, REG_EFL) |= trap_flag;
    // Other people's handlers must not run between the fault and the trap, where the buffer is open. The kernel keeps
    // 64 bits of mask in the frame, not the C library's 1024.
    std::memcpy(&step.mask, &context.uc_sigmask, sizeof step.mask);
    auto const bit = [](int signal) { return std::uint64_t{1} << (signal - 1); };
    std::uint64_t const most =
        ~(bit(SIGSEGV) | bit(SIGTRAP) | bit(SIGBUS) | bit(SIGFPE) | bit(SIGILL) | bit(SIGSYS) | bit(SIGABRT));
    std::memcpy(&context.uc_sigmask, &most, sizeof most);
}

/// Sets the instruction up for one more run.
inline void rewind(ucontext_t& context) {
    step_state const& step = shared.step;
    std::memcpy(&context.uc_mcontext.gregs, step.registers.data(), step.registers.size());
    if (context.uc_mcontext.fpregs != nullptr) {
        std::memcpy(context.uc_mcontext.fpregs, step.floating.data(), step.floating.size());
    }
    register_of(context, REG_EFL) |= trap_flag;
}

/// Ends the step: the range is closed, flags and signal mask are as before.
inline void end_step(ucontext_t& context) {
    step_state& step = shared.step;
    gregset_t before;
    std::memcpy(&before, step.registers.data(), sizeof before);
    if ((before[REG_EFL] & trap_flag) == 0) {
        register_of(context, REG_EFL) &= ~trap_flag;
    }
    std::memcpy(&context.uc_sigmask, &step.mask, sizeof step.mask);
    bool const more = step.known.action == watched_action::string && before[REG_RIP] == register_of(context, REG_RIP);
    step.repeated = more ? code_of(context) : 0;
    step.now = step_state::phase::idle;
    step.target = nullptr;
    close_all();
}

/// Two backgrounds that differ at every byte; the first differs from its neighbours as well.
inline void paint(bool complement) {
    step_state const& step = shared.step;
    for (std::size_t i = 0; i < step.around_size; ++i) {
        auto const a = static_cast<std::byte>(0x35 + 0x1D * i);
        step.around[i] = complement ? ~a : a;
    }
}

/// A store faulted: opens the place, and decides how its bytes will be found.
/// @return false: the place could not be opened
[[nodiscard]] inline bool meet_store(region& r, ucontext_t& context, std::byte* address) {
    step_state& step = shared.step;
    if (step.target != nullptr) {  // scattered stores: what lies beyond the first neighbourhood is only a sign
        note(r, address, 1, watched_kind::write, code_of(context));
        return open(r, address, 1, guarded_access::write);
    }
    step.target = &r;
    std::size_t const page = guarded_host::page_bytes();
    bool const first_of_page = static_cast<std::size_t>(address - r.begin) % page == 0;
    std::size_t size = step.known.size;
    if (step.known.action == watched_action::string) {
        step.store = reinterpret_cast<std::byte*>(register_of(context, REG_RDI));
    } else if (step.known.action == watched_action::update && size != 0) {
        step.store = address;
    } else if (step.known.action == watched_action::store && size != 0 && !first_of_page) {
        step.store = address;
    } else {
        // The faulting address of a store across pages may be that of its second half, so look in front as well.
        std::byte* const from = first_of_page && address != r.begin ? address - reach : address;
        step.around = from;
        step.around_size =
            std::min(static_cast<std::size_t>(address - from) + reach, static_cast<std::size_t>(r.end - from));
        if (!open(r, from, step.around_size, guarded_access::write)) {
            return false;
        }
        std::memcpy(step.saved.data(), step.around, step.around_size);
        paint(false);
        step.now = step_state::phase::background_a;
        return true;
    }
    return open(r, step.store, size, guarded_access::write);
}

/// Logs, as one access per connected piece, the bytes of the neighbourhood for which `written` holds.
template <class Written>
void note_pieces(std::uintptr_t code, watched_kind kind, Written const& written) {
    step_state const& step = shared.step;
    for (std::size_t i = 0; i < step.around_size;) {
        std::size_t end = i;
        while (end < step.around_size && written(end)) {
            ++end;
        }
        if (end != i) {
            note(*step.target, step.around + i, end - i, kind, code);
        }
        i = end + 1;
    }
}

/// The instruction ran on the first background: now the other one.
inline void finish_a(ucontext_t& context) {
    step_state& step = shared.step;
    std::memcpy(step.after_a.data(), step.around, step.around_size);
    paint(true);
    rewind(context);
    step.now = step_state::phase::background_b;
}

/// The instruction ran on both backgrounds: bytes that are equal were stored, the others get their old value back.
inline void finish_b(ucontext_t& context, std::uintptr_t code) {
    step_state& step = shared.step;
    auto const stored = [](std::size_t i) { return shared.step.around[i] == shared.step.after_a[i]; };
    // A byte that follows the background without being it was computed from what stood there.
    auto const computed = [&](std::size_t i) {
        auto const a = static_cast<std::byte>(0x35 + 0x1D * i);
        return !stored(i) && (step.after_a[i] != a || step.around[i] != ~a);
    };
    bool again = false;
    for (std::size_t i = 0; i < step.around_size; ++i) {
        again = again || computed(i);
    }
    if (again) {
        note_pieces(code, watched_kind::read, computed);
        note_pieces(code, watched_kind::write, [&](std::size_t i) { return computed(i) || stored(i); });
        std::memcpy(step.around, step.saved.data(), step.around_size);
        rewind(context);
        step.now = step_state::phase::settled;
        return;
    }
    note_pieces(code, watched_kind::write, stored);
    for (std::size_t i = 0; i < step.around_size; ++i) {
        if (!stored(i)) {
            step.around[i] = step.saved[i];
        }
    }
    end_step(context);
}

#endif

}  // namespace wddmcore::testing::watched_trap
