// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "wddmcore/preemption/hardware_queues/context.hpp"

#include <deque>
#include <set>
#include <string>
#include <vector>

/// A system, a driver with one hardware context, and hardware that obeys late: explored until no new state appears.
namespace hw_context_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

/// One state of everything. Fences count from 1; a command of fence 0 resumes.
template <class Machine>
struct world {
    Machine machine;
    // The system.
    enum class wish : u8 { run, pending, suspended } wanted = wish::run;
    u8 fence = 0;
    u8 suspends_left = 5;
    u8 resumes_left = 5;
    u8 resets_left = 3;
    bool invalid = false;
    bool halted = false;
    // The hardware.
    std::vector<u8> commands;  // on their way to it
    std::vector<u8> acknowledgements;
    bool runnable = true;
    bool loaded = false;
    // The first thing that went wrong.
    std::string violation;

    void expect(bool holds, char const* what) {
        if (!holds && violation.empty()) {
            violation = what;
        }
    }

    void obey(hw_answer const& answer) {
        if (answer.has(hw_action::ask_suspend)) {
            expect(!halted, "a halted engine is asked to suspend");
            commands.push_back(static_cast<u8>(answer.suspend_fence));
        }
        if (answer.has(hw_action::ask_resume)) {
            expect(!halted, "a halted engine is asked to run");
            commands.push_back(0);
        }
        if (answer.has(hw_action::report)) {
            expect(wanted == wish::pending && answer.suspend_fence == fence, "a report that nobody waits for");
            wanted = wish::suspended;
        }
        if (answer.has(hw_action::invalidate)) {
            expect(!invalid, "a context is invalidated twice");
            invalid = true;
        }
    }

    void suspend() {
        --suspends_left;
        ++fence;
        hw_answer const answer = machine.suspend(fence);
        bool const pending = answer.status == status::pending;
        expect(pending || answer.status == status::success, "an illegal status");
        wanted = pending ? wish::pending : wish::suspended;
        obey(answer);
    }
    void resume() {
        --resumes_left;
        wanted = wish::run;
        hw_answer const answer = machine.resume();
        expect(answer.status == status::success, "a resumption fails");
        obey(answer);
    }
    // Whether the hardware was at work for the context, or cannot tell and says so.
    void reset(bool says_it_was_there) {
        --resets_left;
        bool const was_there = loaded;
        commands.clear();
        runnable = loaded = false;
        halted = true;
        obey(machine.engine_reset(was_there || says_it_was_there));
        expect(!was_there || invalid, "a context lost its work and is not invalidated");
    }
    void resume_engine() {
        halted = false;
        obey(machine.engine_resumed());
    }
    void hardware_obeys() {
        u8 const command = commands.front();
        commands.erase(commands.begin());
        runnable = command == 0;
        if (command != 0) {
            loaded = false;
            acknowledgements.push_back(command);
        }
    }
    void interrupt() {
        u8 const acknowledged = acknowledgements.front();
        acknowledgements.erase(acknowledgements.begin());
        obey(machine.acknowledged(acknowledged));
    }

    void check() {
        bool resumes_later = false;
        for (u8 const command : commands) {
            resumes_later = resumes_later || command == 0;
        }
        bool const on_gpu = loaded || runnable || resumes_later;
        expect(wanted != wish::suspended || !on_gpu, "HWS-03: suspended, and still on the GPU");
        expect(!invalid || !on_gpu, "HWS-08: invalidated, and still on the GPU");
        expect(!halted || !on_gpu, "HWS-08: something may run on a halted engine");
        bool const should_run = wanted == wish::run && !halted && !invalid;
        expect(machine.may_run() == should_run, "the machine and the system do not agree on what runs");
        if (commands.empty() && acknowledgements.empty()) {
            expect(wanted != wish::pending, "HWS-01: the system waits for a report that never comes");
            expect(runnable == should_run, "the hardware does not run what it should");
        }
    }

    std::vector<u64> key() const {
        Machine copy = machine;
        std::vector<u64> key{static_cast<u64>(machine.state()),
                             machine.halted(),
                             copy.acknowledged(~u64{0}).suspend_fence,
                             static_cast<u64>(wanted),
                             fence,
                             suspends_left,
                             resumes_left,
                             resets_left,
                             invalid,
                             halted,
                             runnable,
                             loaded,
                             commands.size()};
        key.insert(key.end(), commands.begin(), commands.end());
        key.insert(key.end(), acknowledgements.begin(), acknowledgements.end());
        return key;
    }
};

struct exploration {
    u32 states;
    u32 steps;
    std::string violation;
};

/// Every state that the world can reach; stops at the first violation.
template <class Machine>
exploration explore() {
    using state = world<Machine>;
    exploration found{};
    std::set<std::vector<u64>> seen;
    std::deque<state> left{state{}};
    seen.insert(left.front().key());
    while (!left.empty() && found.violation.empty()) {
        state const now = left.front();
        left.pop_front();
        ++found.states;
        auto const go = [&](auto&& step) {
            state next = now;
            step(next);
            next.check();
            ++found.steps;
            if (found.violation.empty()) {
                found.violation = next.violation;
            }
            if (seen.insert(next.key()).second) {
                left.push_back(next);
            }
        };
        if (now.suspends_left != 0 && !now.invalid) {
            go([](state& s) { s.suspend(); });
        }
        if (now.resumes_left != 0 && now.wanted != state::wish::run && !now.invalid) {
            go([](state& s) { s.resume(); });
        }
        if (now.resets_left != 0 && !now.halted) {
            go([](state& s) { s.reset(false); });
            go([](state& s) { s.reset(true); });
        }
        if (now.halted) {
            go([](state& s) { s.resume_engine(); });
        }
        if (!now.commands.empty()) {
            go([](state& s) { s.hardware_obeys(); });
        }
        if (now.runnable) {
            go([](state& s) { s.loaded = !s.loaded; });
        }
        if (!now.acknowledgements.empty()) {
            go([](state& s) { s.interrupt(); });
        }
    }
    return found;
}

// Machines that are wrong in one way each.

inline hw_answer without(hw_answer answer, hw_action a) {
    answer.actions &= ~static_cast<u32>(a);
    return answer;
}
inline hw_answer with(hw_answer answer, hw_action a) {
    answer.actions |= static_cast<u32>(a);
    return answer;
}

struct accepts_any : hw_context {
    hw_answer acknowledged(u64 fence) {
        u64 const newest = hw_context(*this).acknowledged(~u64{0}).suspend_fence;
        return hw_context::acknowledged(fence == ~u64{0} ? fence : newest);
    }
};
struct calls_it_done : hw_context {
    hw_answer suspend(u64 fence) {
        hw_answer answer = hw_context::suspend(fence);
        answer.status = status::success;
        return answer;
    }
};
struct forgets_suspension : hw_context {
    hw_answer engine_reset(bool there) { return without(hw_context::engine_reset(there), hw_action::report); }
};
struct runs_while_halted : hw_context {
    hw_answer resume() {
        bool const starts = halted() && state() == hw_context_state::suspended;
        hw_answer const answer = hw_context::resume();
        return starts ? with(answer, hw_action::ask_resume) : answer;
    }
};
struct invalidates_nothing : hw_context {
    hw_answer engine_reset(bool) { return hw_context::engine_reset(false); }
};
struct wakes_nobody : hw_context {
    hw_answer engine_resumed() { return without(hw_context::engine_resumed(), hw_action::ask_resume); }
};
struct wakes_everybody : hw_context {
    hw_answer engine_resumed() {
        hw_answer const answer = hw_context::engine_resumed();
        return state() == hw_context_state::suspended ? with(answer, hw_action::ask_resume) : answer;
    }
};
struct keeps_suspending : hw_context {
    hw_answer resume() {
        bool const under_way = state() == hw_context_state::suspending;
        hw_answer const answer = hw_context::resume();
        return under_way ? without(answer, hw_action::ask_resume) : answer;
    }
};

}  // namespace hw_context_test
