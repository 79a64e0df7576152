// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "rig.hpp"

/// Programs of the agents, and their search.
namespace preemption_interleave {

/// What each agent does, a letter a call: s submit, S submit if there is room, r a refused submission, p preempt; c completion, t stop, f a
/// fault, F one that needs a reset, u one whose packet is unknown; d the DPC, e engine reset, a adapter reset, R
/// restart.
struct scenario {
    char const* calls[agents];
    bool acknowledges_when_idle;
};
inline scenario current{};

inline bool hardware_has() { return shared.given != 0 && !shared.halted; }
inline bool hardware_is_asked() { return shared.armed && !shared.halted; }
inline bool is_due() { return shared.due; }

enum class memory_order : u32 { sequential, store_buffers, acquire_release };

/// A step is an agent, or a buffer to flush, and for a load how much older than the newest its message is.
inline constexpr u32 older_message = 16;

template <class Policy>
struct driven {
    using world = rig<Policy>;

    static void program(u32 who) {
        for (char const* call = current.calls[who]; *call != '\0'; ++call) {
            switch (*call) {
                case 's': world::submit(); break;
                case 'S': world::submit(true); break;
                case 'p': world::preempt(); break;
                case 'c':
                    wait_for(&hardware_has);
                    world::completion();
                    break;
                case 'f':
                case 'F':
                    wait_for(&hardware_has);
                    world::fault(*call == 'f' ? after_fault::runs_on : after_fault::needs_reset);
                    break;
                case 'u':
                    wait_for(&hardware_has);
                    world::fault_of_nobody();
                    break;
                case 'r': world::reject(); break;
                case 'e': world::reset_engine(); break;
                case 'a': world::reset_adapter(); break;
                case 'R': world::restart(); break;
                case 't':
                    wait_for(&hardware_is_asked);
                    world::stop(current.acknowledges_when_idle);
                    break;
                case 'd':
                    wait_for(&is_due);
                    if (is_due()) {
                        world::deferred();
                    }
                    break;
                default: break;
            }
        }
    }

    static void reset() {
        std::memset(static_cast<void*>(&world::e), 0, sizeof world::e);
        world::e.start({stopping::between_buffers, current.acknowledges_when_idle}, {0}, {0xFFFF'FFFFu});
        std::memset(static_cast<void*>(&shared), 0, sizeof shared);
        shared.through = 0xFFFF'FFFEu;
        all_of_it = &world::hash;
        memory.single = false;
        weak.begin(&world::e);
        memory.locks[0] = memory.locks[1] = 0;
        for (u32 who = 0; who < agents; ++who) {
            memory.buffer[who].clear();
            memory.observed[who] = memory.steps[who] = 0;
            memory.wants[who] = nullptr;
            memory.interlocked[who] = false;
            memory.waits[who] = nullptr;
            memory.loads[who] = nullptr;
            memory.contexts[who].begin(who, &program);
        }
    }

    /// Whether an agent can take its next step. With nobody else left to make it happen, it waits no longer.
    static bool can_step(u32 who, bool others) {
        if (memory.contexts[who].done() || (memory.interlocked[who] && !memory.buffer[who].empty())) {
            return false;
        }
        if (memory.wants[who] != nullptr && *memory.wants[who] != 0) {
            return false;
        }
        return memory.waits[who] == nullptr || memory.waits[who]() || !others;
    }

    static std::vector<u32> possible() {
        std::vector<u32> steps;
        for (u32 who = 0; who < agents; ++who) {
            if (can_step(who, true)) {
                u32 const choices =
                    memory.loads[who] == nullptr ? 1 : weak.choices(who, memory.loads[who], memory.loaded[who]);
                for (u32 older = 0; older != choices; ++older) {
                    steps.push_back(who + older * older_message);
                }
            }
        }
        for (u32 who = 0; who < agents; ++who) {
            if (!memory.buffer[who].empty()) {
                steps.push_back(agents + who);
            }
        }
        // All wait for each other's events: hardware is idle, nothing is due. They go on and find nothing to do.
        for (u32 who = 0; steps.empty() && who < agents; ++who) {
            if (can_step(who, false)) {
                steps.push_back(who);
            }
        }
        return steps;
    }

    static void take(u32 step) {
        memory.older = step / older_message;
        step %= older_message;
        if (step >= agents) {
            flush_one(step - agents);
            return;
        }
        memory.running = step;
        memory.contexts[step].go_on();
    }

    static u64 key() {
        u64 value = mixed(world::hash(), memory.locks[0] | memory.locks[1] << 1);
        for (u32 who = 0; who < agents; ++who) {
            value = mixed(value, memory.observed[who]);
            value = mixed(value, memory.steps[who] << 1 | (memory.contexts[who].done() ? 1 : 0));
            for (pending const& p : memory.buffer[who]) {
                value = mixed(mixed(value, reinterpret_cast<std::size_t>(p.where)), p.value);
            }
        }
        return weak.on ? weak.key(value, &mixed) : value;
    }

    static char const* broken() { return weak.race != nullptr ? weak.race : shared.broken; }

    /// The agents are done: hardware runs out, and the DPCs that are due run.
    static void end() {
        for (agent const& one : memory.contexts) {
            require(one.done(), "the agents wait for each other's locks");
        }
        if (shared.broken != nullptr) {
            return;
        }
        memory.single = true;
        memory.running = 0;
        for (u32 round = 0; round < 12 && shared.broken == nullptr; ++round) {
            if (shared.halted) {
                world::reset_engine();
            } else if (shared.due) {
                world::deferred();
            } else if (shared.given != 0) {
                world::completion();
            } else {
                world::stop(current.acknowledges_when_idle);
            }
        }
        for (u32 which = 0; which < shared.submitted; ++which) {
            bool const done =
                shared.at[which] == place::done && shared.executed[which] == (shared.refused[which] ? 0 : 1);
            bool const back = shared.at[which] == place::given_back && shared.executed[which] == 0;
            require(done || back, "a packet is lost, or ran twice");
        }
        require(!shared.requested, "PRE-11: the request is never answered");
        require(world::e.state() == engine_state::idle, "the engine is not idle at the end");
        require(world::e.ignored() == 0, "an event of hardware is ignored");
        require(world::e.last_completed().n == shared.last, "TDR-07: the last completed id is another");
    }

    /// @param order  of memory: sequential, with x86's store buffers, or weaker
    static found run(scenario const& s, memory_order order) {
        current = s;
        memory.buffered = order == memory_order::store_buffers;
        weak.on = order == memory_order::acquire_release;
        return search({&reset, &possible, &take, &key, &broken, &end});
    }
};

}  // namespace preemption_interleave
