// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#if defined(__linux__)

#    include "rig.hpp"

#    include "slow_build.hpp"

#    include <doctest/doctest.h>

#    include <cstdio>
#    include <string>

namespace interleave_test {
namespace {
using namespace preemption_interleave;

/// What each agent does, a letter a call: s submit, r a refused submission, p preempt; c completion, t stop, f a
/// fault, F one that needs a reset, u one whose packet is unknown; d the DPC, e engine reset, a adapter reset, R
/// restart.
struct scenario {
    char const* calls[agents];
    bool acknowledges_when_idle;
};
scenario current{};

bool hardware_has() { return shared.given != 0 && !shared.halted; }
bool hardware_is_asked() { return shared.armed && !shared.halted; }
bool is_due() { return shared.due; }

template <class Policy>
struct driven {
    using world = rig<Policy>;

    static void program(u32 who) {
        for (char const* call = current.calls[who]; *call != '\0'; ++call) {
            switch (*call) {
                case 's': world::submit(); break;
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
        memory.locks[0] = memory.locks[1] = 0;
        for (u32 who = 0; who < agents; ++who) {
            memory.buffer[who].clear();
            memory.observed[who] = memory.steps[who] = 0;
            memory.wants[who] = nullptr;
            memory.interlocked[who] = false;
            memory.waits[who] = nullptr;
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
                steps.push_back(who);
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
        return value;
    }

    static char const* broken() { return shared.broken; }

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

    static found run(scenario const& s, bool buffered) {
        current = s;
        memory.buffered = buffered;
        return search({&reset, &possible, &take, &key, &broken, &end});
    }
};

constexpr scenario scenarios[] = {
    {{"sps", "ct", "d"}, true}, {{"sps", "ct", "d"}, false}, {{"sps", "tc", "dd"}, true},  {{"pss", "cc", "d"}, true},
    {{"spss", "t", "d"}, true}, {{"ssp", "cct", "d"}, true}, {{"ssp", "cct", "d"}, false}, {{"spss", "c", "d"}, false},
};
#    if defined(WDDMCORE_SANITIZED)
constexpr u32 scenario_count = 2;
#    else
constexpr u32 scenario_count = slow_build ? 4 : sizeof(scenarios) / sizeof(scenarios[0]);
#    endif

/// Faults, resets and refusals against submissions, requests, completions and the DPC: of every combination of these
/// each 23rd, in a slow build each 97th, with sanitizers each 211th; primes that divide no dimension. What bounds
/// them is the number of orders (a billion steps for all of them): three agents, four packets, one request and two
/// resets at the most; and a reset holds both locks from the halt to the end, as its order demands.
std::vector<scenario> troubled() {
    constexpr char const* submitting[] = {"sps", "ssp", "srp", "spr", "rsps", "srsp"};
    constexpr char const* interrupting[] = {"cc", "ct", "f", "fc", "ft", "F", "tF", "u", "cu"};
    constexpr char const* third[] = {"d", "e", "aR", "de", "ed", "eaR"};
#    if defined(WDDMCORE_SANITIZED)
    constexpr u32 stride = 211;
#    else
    constexpr u32 stride = slow_build ? 97 : 23;
#    endif
    std::vector<scenario> all;
    u32 turn = 0;
    for (char const* first : submitting) {
        for (char const* second : interrupting) {
            for (char const* last : third) {
                for (bool const acknowledges : {false, true}) {
                    if (turn++ % stride == 0) {
                        all.push_back({{first, second, last}, acknowledges});
                    }
                }
            }
        }
    }
    return all;
}

struct totals {
    u64 runs = 0;
    u64 steps = 0;
    u64 states = 0;
    u32 broken = 0;
    std::string first;
};

template <class Policy>
totals run_all(bool buffered, u32 count, bool until_broken, scenario const* of = scenarios) {
    totals sum;
    for (u32 i = 0; i < count && (sum.broken == 0 || !until_broken); ++i) {
        found const one = driven<Policy>::run(of[i], buffered);
        sum.runs += one.runs;
        sum.steps += one.steps;
        sum.states += one.states;
        sum.broken += one.broken != nullptr ? 1 : 0;
        if (one.broken != nullptr && sum.first.empty()) {
            sum.first =
                std::string(one.broken) + " (" + of[i].calls[0] + " | " + of[i].calls[1] + " | " + of[i].calls[2] + ")";
        }
    }
    return sum;
}

template <class Policy>
void must_hold(char const* name, u32 buffered_count = scenario_count, u32 plain_count = scenario_count,
               scenario const* of = scenarios) {
    for (u32 buffered = 0; buffered < 2; ++buffered) {
        u32 const count = buffered != 0 ? buffered_count : plain_count;
        totals const sum = run_all<Policy>(buffered != 0, count, false, of);
        std::printf("%-28s %-14s %u programs %9llu runs %10llu steps %9llu states\n", name,
                    buffered != 0 ? "store buffers" : "sequential", count, sum.runs, sum.steps, sum.states);
        CHECK_MESSAGE(sum.broken == 0, sum.first);
        CHECK(sum.runs > count);
    }
}

template <class Policy>
void must_be_caught(char const* name, u32 count = scenario_count, scenario const* of = scenarios) {
    totals const sum = run_all<Policy>(false, count, true, of);
    totals const buffered = run_all<Policy>(true, count, true, of);
    std::printf("%-28s caught after %llu runs, with store buffers after %llu: %s\n", name, sum.runs, buffered.runs,
                sum.first.c_str());
    CHECK(sum.broken != 0);
    CHECK(buffered.broken != 0);
}

TEST_CASE(
    "PRE-12, PRE-13, PRE-15: submit, preempt, completion, stop and DPC in all orders, all in the interrupt lock") {
    must_hold<all_inside>("all in the interrupt lock");
}

TEST_CASE("PRE-12, PRE-13, PRE-15: the same with submissions outside, by an exchange-add or a compare-exchange loop") {
    must_hold<outside>("submit outside");
    must_hold<outside_by_loop>("submit outside, by a loop", scenario_count / 2);
}

TEST_CASE("TDR-06, TDR-07, INT-09, PRE-30: faults, resets and refused packets in all orders with the others") {
    std::vector<scenario> const all = troubled();
    u32 const count = static_cast<u32>(all.size());
    must_hold<all_inside>("troubles, all inside", count, count, all.data());
    must_hold<outside>("troubles, submit outside", count, count, all.data());
}

TEST_CASE("TDR-07, TDR-10: a reset beside the interrupt routine, and a refusal beside a submission, are seen") {
    constexpr scenario telling[] = {{{"sps", "ct", "eaR"}, true}, {{"srp", "ct", "e"}, true}};
    must_be_caught<reset_outside>("a reset outside the lock", 2, telling);
    must_be_caught<reject_outside>("a refusal outside the lock", 2, telling);
}

TEST_CASE("PRE-12, PRE-13: what would lose, double or misorder packets is seen") {
    must_be_caught<plain_store_in_submit>("a plain store in submit");
    must_be_caught<plain_store_in_completion>("a plain store in completion");
    must_be_caught<preempt_outside>("preempt outside the lock");
    must_be_caught<separate_words>("separate words");
}
}  // namespace
}  // namespace interleave_test

#endif
