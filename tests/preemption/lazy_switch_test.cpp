// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/preemption/buffers/lazy_switch.hpp"

#include <initializer_list>
#include <map>
#include <string>

namespace lazy_switch_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

constexpr packet_window some{0, 64};
constexpr packet_window empty{32, 32};

// What happens to an engine in a test, in one word each.
enum class event : u32 {
    run_a,           // a render packet of context 1
    run_b,           // a render packet of context 2
    run_paging,      // a paging packet of context 3
    leave,           // a switch to the null context
    leave_paging,    // the same, with Paging
    null_rendering,  // of context 2
    nothing_to_run,  // an empty window of context 2
    stop,
    keep_a,     // a stop that leaves context 1 unsaved
    keep_null,  // a stop after a switch to the null context
    reset,
    destroy_a,
};

constexpr switch_plan<u32> step(lazy_switch<u32>& engine, event e) {
    switch (e) {
        case event::run_a: return engine.handed_over(0, some, 1);
        case event::run_b: return engine.handed_over(submit_flag::present, some, 2);
        case event::run_paging: return engine.handed_over(submit_flag::paging, some, 3);
        case event::leave: return engine.handed_over(submit_flag::context_switch, empty, 0);
        case event::leave_paging:
            return engine.handed_over(submit_flag::context_switch | submit_flag::paging, empty, 0);
        case event::null_rendering: return engine.handed_over(submit_flag::null_rendering, some, 2);
        case event::nothing_to_run: return engine.handed_over(0, empty, 2);
        case event::stop: engine.stopped(); break;
        case event::keep_a: engine.stopped_with(1, false); break;
        case event::keep_null: engine.stopped_in_null_context(); break;
        case event::reset: engine.reset(); break;
        case event::destroy_a: engine.destroyed(1); break;
    }
    return {};
}

// The plan of the last of some events.
template <u32 Count>
constexpr switch_plan<u32> after(event const (&events)[Count]) {
    lazy_switch<u32> engine;
    switch_plan<u32> plan{};
    for (event const e : events) {
        plan = step(engine, e);
    }
    return plan;
}

// The context of a packet; 0 for a switch to the null context.
constexpr u32 context_of(event packet) {
    switch (packet) {
        case event::run_a: return 1;
        case event::run_paging: return 3;
        case event::leave:
        case event::leave_paging: return 0;
        default: return 2;
    }
}

constexpr bool is_bare(event packet) { return packet == event::null_rendering || packet == event::nothing_to_run; }

constexpr switch_work work_after(event first, event second) { return after({first, second}).work; }

constexpr bool are(engine_steps const& steps, std::initializer_list<engine_step> expected) {
    if (steps.count != expected.size()) {
        return false;
    }
    u32 i = 0;
    for (engine_step const step : expected) {
        if (steps.of[i++] != step) {
            return false;
        }
    }
    return true;
}

// An engine that does the steps of plans: a context's state is a count of the packets it ran.
struct model_engine {
    u32 loaded = 0;  // whose state the registers hold; 0: the null context's
    u32 registers = 0;
    bool referenced = false;  // something on the engine still refers to the context that was saved
    std::map<u32, u32> saved;
    u32 fences = 0;
    std::string wrong;

    void run(switch_plan<u32> const& plan, u32 context, bool leaves) {
        engine_steps const steps = plan.steps();
        for (u32 i = 0; i != steps.count; ++i) {
            switch (steps.of[i]) {
                case engine_step::save:
                    if (plan.leaving != loaded) {
                        wrong = "the state of one context saved as another's";
                    }
                    saved[plan.leaving] = registers;
                    referenced = true;
                    break;
                case engine_step::drop_references: referenced = false; break;
                case engine_step::restore:
                    if (referenced) {
                        wrong = "a context loaded over another's references";
                    }
                    loaded = context;
                    registers = saved[context];
                    break;
                case engine_step::execute:
                    if (loaded != context) {
                        wrong = "a packet ran in another context";
                    }
                    ++registers;
                    referenced = true;
                    break;
                case engine_step::write_fence:
                    ++fences;
                    if (referenced && leaves) {
                        wrong = "a fence before the references are gone";
                    }
                    break;
            }
        }
        if (context == 0) {
            loaded = 0;
            registers = 0xDEAD;
        }
    }
    void stop() {
        saved[loaded] = registers;
        loaded = 0;
        registers = 0xDEAD;
    }
};

}  // namespace

TEST_CASE("CTX-01: a switch to the null context saves the loaded one, executes nothing and writes its fence") {
    expect_both(work_after(event::run_a, event::leave) == switch_work::save);
    expect_both(after({event::run_a, event::leave}).leaving == 1u);
    expect_both(!after({event::run_a, event::leave}).executes);
    expect_both(are(after({event::run_a, event::leave}).steps(),
                    {engine_step::save, engine_step::drop_references, engine_step::write_fence}));
    // In the null context, and after a stop, there is nothing to save, but the fence must be written.
    expect_both(are(after({event::run_a, event::leave, event::leave}).steps(), {engine_step::write_fence}));
    // A stop saved the context; what the engine still keeps of it goes before the fence.
    expect_both(are(after({event::run_a, event::stop, event::leave}).steps(),
                    {engine_step::drop_references, engine_step::write_fence}));
    expect_both(are(after({event::run_a, event::destroy_a, event::leave}).steps(),
                    {engine_step::drop_references, engine_step::write_fence}));
    // Afterwards the null context is known to be there: a restore is enough.
    expect_both(work_after(event::leave, event::run_a) == switch_work::restore);
}

TEST_CASE("CTX-01: a switch with commands in its window is not legal") {
    expect_both(!switch_is_legal(submit_flag::context_switch, {0, 4}, scheduling_mode::software));
    expect_both(switch_is_legal(submit_flag::context_switch, {0, 0}, scheduling_mode::software));
    expect_both(switch_is_legal(submit_flag::context_switch, {8, 8}, scheduling_mode::software));
    expect_both(switch_is_legal(submit_flag::paging, {0, 4}, scheduling_mode::software));
}

TEST_CASE("CTX-02: a switch has Paging exactly when the context that it leaves was a paging one") {
    expect_both(after({event::run_paging, event::leave_paging}).paging_bit_is_right);
    expect_both(!after({event::run_paging, event::leave}).paging_bit_is_right);
    expect_both(after({event::run_a, event::leave}).paging_bit_is_right);
    expect_both(!after({event::run_a, event::leave_paging}).paging_bit_is_right);
    // Such a switch is not a paging packet: it loads nothing, and the work is right whatever the bit says.
    expect_both(after({event::run_paging, event::leave_paging}).work == switch_work::save);
    expect_both(after({event::run_paging, event::leave_paging}).leaving == 3u);
    expect_both(after({event::run_paging, event::leave_paging, event::run_paging}).work == switch_work::restore);
    // A switch that comes back after a stop finds nothing to compare with.
    expect_both(after({event::run_paging, event::stop, event::leave_paging}).paging_bit_is_right);
    expect_both(!after({event::keep_a, event::leave_paging}).paging_bit_is_right);
}

TEST_CASE("CTX-03: the leaving context is saved and forgotten before the fence is written") {
    for (switch_work const work : {switch_work::save, switch_work::save_and_restore}) {
        for (bool const executes : {false, true}) {
            engine_steps const steps = steps_of(work, executes);
            CHECK(steps.of[0] == engine_step::save);
            CHECK(steps.of[1] == engine_step::drop_references);
            CHECK(steps.of[steps.count - 1] == engine_step::write_fence);
        }
    }
    expect_both(are(steps_of(switch_work::save_and_restore, true),
                    {engine_step::save, engine_step::drop_references, engine_step::restore, engine_step::execute,
                     engine_step::write_fence}));
    expect_both(are(steps_of(switch_work::nothing, true), {engine_step::execute, engine_step::write_fence}));
}

TEST_CASE("CTX-05: zero-length windows pass every check of bounds") {
    expect_both(window_is_legal({0, 0}, 0));
    expect_both(window_is_legal({0, 0}, 64));
    expect_both(window_is_legal({64, 64}, 64));
    expect_both(window_is_legal({0, 64}, 64));
    expect_both(!window_is_legal({0, 65}, 64));
    expect_both(!window_is_legal({65, 65}, 64));
    expect_both(!window_is_legal({8, 4}, 64));
    expect_both(window_is_legal({0xFFFF'FFFFu, 0xFFFF'FFFFu}, 0xFFFF'FFFFu));
    // An empty packet that is no switch writes its fence and changes nothing.
    expect_both(are(after({event::run_a, event::nothing_to_run}).steps(), {engine_step::write_fence}));
    expect_both(after({event::run_a, event::nothing_to_run, event::run_a}).work == switch_work::nothing);
}

TEST_CASE("CTX-06: with hardware scheduling there is no switch to the null context") {
    expect_both(!switch_is_legal(submit_flag::context_switch, {0, 0}, scheduling_mode::hardware));
    expect_both(switch_is_legal(0, {0, 64}, scheduling_mode::hardware));
}

TEST_CASE("CTX-04: a context stays loaded until another one's packet is handed over") {
    expect_both(work_after(event::run_a, event::run_a) == switch_work::nothing);
    expect_both(work_after(event::run_a, event::run_b) == switch_work::save_and_restore);
    expect_both(after({event::run_a, event::run_b}).leaving == 1u);
    expect_both(after({event::run_a}).work == switch_work::reload);
    expect_both(after({event::run_a, event::null_rendering, event::run_a}).work == switch_work::nothing);
    expect_both(are(after({event::run_a, event::null_rendering}).steps(), {engine_step::write_fence}));
    // Nothing is known after a stop or a reset, and a context that is gone is not saved.
    expect_both(after({event::run_a, event::stop, event::run_a}).work == switch_work::reload);
    expect_both(after({event::run_a, event::reset, event::run_a}).work == switch_work::reload);
    expect_both(after({event::run_a, event::destroy_a, event::run_b}).work == switch_work::reload);
    expect_both(after({event::run_b, event::destroy_a, event::run_a}).work == switch_work::save_and_restore);
    // What is not loaded any more is not forgotten a second time: the null context stays known.
    expect_both(after({event::run_a, event::leave, event::destroy_a, event::run_b}).work == switch_work::restore);
    // Hardware that stops without saving still has the context that ran, not the one handed over last.
    expect_both(after({event::run_a, event::run_b, event::keep_a, event::run_b}).leaving == 1u);
    expect_both(after({event::run_a, event::run_b, event::keep_a, event::run_a}).work == switch_work::nothing);
}

TEST_CASE("CTX-01 CTX-03: every sequence of five events keeps each context's state and writes every fence") {
    constexpr event events[] = {event::run_a,        event::run_b,          event::run_paging,     event::leave,
                                event::leave_paging, event::null_rendering, event::nothing_to_run, event::stop};
    constexpr u32 kinds = 8;
    u32 sequences = 1;
    u32 right = 0;
    for (u32 i = 0; i != 5; ++i) {
        sequences *= kinds;
    }
    for (u32 sequence = 0; sequence != sequences; ++sequence) {
        lazy_switch<u32> switches;
        model_engine engine;
        std::map<u32, u32> ran;
        u32 fences = 0;
        for (u32 i = 0, rest = sequence; i != 5; ++i, rest /= kinds) {
            event const e = events[rest % kinds];
            switch_plan<u32> const plan = step(switches, e);
            if (e == event::stop) {
                engine.stop();
                continue;
            }
            u32 const context = is_bare(e) ? 0 : context_of(e);
            engine.run(plan, is_bare(e) ? engine.loaded : context, e == event::leave || e == event::leave_paging);
            ran[context] += plan.executes ? 1 : 0;
            ++fences;
        }
        engine.stop();
        bool good = engine.wrong.empty() && engine.fences == fences;
        for (auto const& [context, count] : ran) {
            good = good && (context == 0 || engine.saved[context] == count);
        }
        right += good ? 1u : 0u;
        if (!good) {
            FAIL("sequence " << sequence << ": " << engine.wrong);
        }
    }
    CHECK(right == sequences);
}

// What a driver tells of a stop without saving, after the first `ran` of some packets.
void tell_stop(lazy_switch<u32>& switches, event const* packets, u32 ran) {
    while (ran != 0 && (packets[ran - 1] == event::null_rendering || packets[ran - 1] == event::nothing_to_run)) {
        --ran;
    }
    event const last = ran == 0 ? event::stop : packets[ran - 1];
    if (last == event::stop) {
        switches.stopped();
    } else if (last == event::leave || last == event::leave_paging) {
        switches.stopped_in_null_context();
    } else {
        switches.stopped_with(context_of(last), last == event::run_paging);
    }
}

TEST_CASE("CTX-04: hardware that stops between buffers without saving goes on with what it has, whatever ran last") {
    constexpr event events[] = {event::run_a, event::run_b,          event::run_paging,
                                event::leave, event::null_rendering, event::nothing_to_run};
    u32 sequences = 0;
    u32 right = 0;
    // Three packets are handed over, none to all of them run before the stop, and each kind of packet comes next.
    for (u32 sequence = 0; sequence != 6 * 6 * 6; ++sequence) {
        event const packets[] = {events[sequence % 6], events[sequence / 6 % 6], events[sequence / 36]};
        for (u32 ran = 0; ran <= 3; ++ran) {
            for (event const next : events) {
                lazy_switch<u32> switches;
                model_engine engine;
                u32 executed[4] = {};
                auto const run = [&](event e, switch_plan<u32> const& plan) {
                    u32 const context = is_bare(e) ? engine.loaded : context_of(e);
                    engine.run(plan, context, context_of(e) == 0);
                    executed[context_of(e)] += plan.executes ? 1u : 0u;
                };
                for (u32 i = 0; i != 3; ++i) {
                    switch_plan<u32> const plan = step(switches, packets[i]);
                    if (i < ran) {
                        run(packets[i], plan);
                    }
                }
                tell_stop(switches, packets, ran);
                run(next, step(switches, next));
                engine.stop();
                bool good = engine.wrong.empty() && engine.fences == ran + 1;
                for (u32 const context : {1u, 2u, 3u}) {
                    good = good && engine.saved[context] == executed[context];
                }
                ++sequences;
                right += good ? 1u : 0u;
                if (!good) {
                    FAIL_CHECK("sequence " << sequence << ", of which " << ran << " ran: " << engine.wrong);
                }
            }
        }
    }
    CHECK(right == sequences);
    CHECK(sequences == 6 * 6 * 6 * 4 * 6);
    expect_both(after({event::run_a, event::leave, event::keep_null, event::run_a}).work == switch_work::restore);
    expect_both(after({event::run_a, event::leave, event::run_b, event::keep_null, event::leave}).work ==
                switch_work::nothing);
}

}  // namespace lazy_switch_test
