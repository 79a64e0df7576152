// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/types.hpp>

#include <ucontext.h>

#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

/// Agents that are switched by hand at each access to shared memory, and all orders of their steps: a depth-first
/// search that runs each history from its beginning.
namespace preemption_interleave {
using namespace wddmcore;

inline constexpr u32 agents = 3;

// Two ways to switch stacks: a jump takes a tenth of the time of a context switch with its signal mask, but the address
// sanitizer knows only the latter.
#if defined(__x86_64__) && !defined(WDDMCORE_SANITIZED)
inline constexpr bool by_jump = true;
#else
inline constexpr bool by_jump = false;
#endif

/// One agent: a function on its own stack. It stands before an access, until the search lets it go on.
class agent {
    static constexpr std::size_t stack_bytes = 64 * 1024;
    std::vector<unsigned char> stack_ = std::vector<unsigned char>(stack_bytes);
    ucontext_t own_{};
    ucontext_t search_{};
    void* first_[5] = {};
    void* inside_[5] = {};
    void* outside_[5] = {};
    void (*program_)(u32) = nullptr;
    u32 index_ = 0;
    bool on_stack_ = false;  ///< `enter` was called once, so that it can be jumped into
    bool entered_ = false;
    bool done_ = true;

    static inline agent* entering_ = nullptr;
    static void enter() {
        if (by_jump) {
            // Each later history begins here as well, whatever the one before left on this stack.
            static_cast<void>(__builtin_setjmp(entering_->first_));
        }
        agent& self = *entering_;
        self.program_(self.index_);
        self.done_ = true;
        self.pause();
    }
    [[noreturn]] static void jump(void** place) { __builtin_longjmp(place, 1); }

public:
    [[nodiscard]] bool done() const { return done_; }

    /// Sets the agent before the first instruction of its program.
    void begin(u32 index, void (*program)(u32)) {
        index_ = index;
        program_ = program;
        entered_ = done_ = false;
    }
    [[gnu::noinline]] void go_on() {
        bool const begins = !entered_;
        entered_ = true;
        entering_ = this;
        if (by_jump && on_stack_) {
            if (__builtin_setjmp(outside_) == 0) {
                jump(begins ? first_ : inside_);
            }
            return;
        }
        on_stack_ = true;
        if (begins) {
            getcontext(&own_);
            own_.uc_stack.ss_sp = stack_.data();
            own_.uc_stack.ss_size = stack_.size();
            own_.uc_link = nullptr;
            makecontext(&own_, &agent::enter, 0);
        }
        if (!by_jump || __builtin_setjmp(outside_) == 0) {
            swapcontext(&search_, &own_);
        }
    }
    [[gnu::noinline]] void pause() {
        if (!by_jump) {
            swapcontext(&own_, &search_);
        } else if (__builtin_setjmp(inside_) == 0) {
            jump(outside_);
        }
    }
};

/// What a search needs of the thing that it searches.
struct searched {
    void (*reset)();
    /// The possible next steps, as numbers; none when the history is over.
    std::vector<u32> (*possible)();
    void (*take)(u32);
    u64 (*key)();
    char const* (*broken)();
    /// After the last step: what must hold then.
    void (*end)();
};

struct found {
    u64 runs = 0;
    u64 steps = 0;
    u64 states = 0;
    char const* broken = nullptr;
    std::vector<u32> history;
};

/// All orders; a state that was reached before is not gone on from again.
inline found search(searched const& s) {
    struct choice {
        u32 taken;
        std::vector<u32> of;
    };
    found result;
    std::unordered_set<u64> seen;
    std::vector<choice> choices;
    for (;;) {
        ++result.runs;
        s.reset();
        bool known = false;
        for (choice const& c : choices) {
            s.take(c.of[c.taken]);
        }
        result.steps += choices.size();
        while (s.broken() == nullptr) {
            std::vector<u32> next = s.possible();
            if (next.empty()) {
                break;
            }
            if (!seen.insert(s.key()).second) {
                known = true;
                break;
            }
            s.take(next.front());
            ++result.steps;
            choices.push_back({0, std::move(next)});
        }
        if (!known && s.broken() == nullptr) {
            s.end();
        }
        if (s.broken() != nullptr) {
            result.broken = s.broken();
            for (choice const& c : choices) {
                result.history.push_back(c.of[c.taken]);
            }
            break;
        }
        while (!choices.empty() && choices.back().taken + 1 == choices.back().of.size()) {
            choices.pop_back();
        }
        if (choices.empty()) {
            break;
        }
        ++choices.back().taken;
    }
    result.states = seen.size();
    return result;
}

}  // namespace preemption_interleave
