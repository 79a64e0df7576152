// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/preemption/engine/engine.hpp>

/// Every state × every event, legal or not: what must come out, and what must be left. Written from the rules, not from
/// the machine.
namespace preemption_table {
using namespace wddmcore;
using namespace wddmcore::preemption;
using machine = engine<4, under_interrupt_lock, u32>;

enum class event : u32 {
    submit,           ///< id 9
    reject,           ///< id 9
    preempt,          ///< request 60
    complete_first,   ///< serial 1
    complete_second,  ///< serial 2
    complete_third,   ///< serial 3: held, or never submitted
    complete_stale,   ///< the serial before the first
    query,            ///< serial 1
    stop,             ///< nothing finished, nothing half-run
    stop_inside,      ///< serial 1 finished, the next half-run
    disarm,           ///< nobody asked to: hardware of this kind acknowledges
    stop_other,       ///< another generation
    fault_first,      ///< serial 1, hardware runs on
    fault_second,     ///< serial 2, hardware runs on
    fatal_second,     ///< serial 2, hardware needs a reset
    fault_unknown,
    reset_nothing,  ///< nothing was executing
    reset_second,   ///< serial 2 was
    reset_unknown,  ///< hardware cannot tell
    reset_failed,
    adapter_reset,
    restart,
};
inline constexpr u32 events = 22;

/// Each state in its most telling form: ids are the serials, two packets were handed to hardware and a third came
/// later.
constexpr void bring_to(machine& e, engine_kind kind, engine_state state) {
    auto const submit = [&](u32 id) {
        static_cast<void>(e.submit({{id}, 0, {0, 8}, id}));
        while (e.next()) {
        }
    };
    e.start(kind, {100}, {1});
    if (state == engine_state::idle) {
        return;
    }
    submit(1);
    submit(2);
    switch (state) {
        case engine_state::idle:
        case engine_state::busy: break;
        case engine_state::stopping:
        case engine_state::drained:
            static_cast<void>(e.preempt({50}));
            submit(3);
            if (state == engine_state::drained) {
                static_cast<void>(e.completed({2}));
            }
            break;
        case engine_state::halted:
            static_cast<void>(e.faulted({1}, after_fault::needs_reset));
            submit(3);
            break;
        case engine_state::lost:
            e.adapter_reset();
            submit(3);
            break;
    }
}

/// Serials 1 and 2 are gone when the state is drained, halted or lost, as far as they were completed or given up.
constexpr actions happen(machine& e, event what) {
    generation const asked = e.snapshot().asked;
    switch (what) {
        case event::submit: return e.submit({{9}, 0, {0, 8}, 9});
        case event::reject: return e.reject({{9}, 0, {0, 8}, 9});
        case event::preempt: return e.preempt({60});
        case event::complete_first: return e.completed({1});
        case event::complete_second: return e.completed({2});
        case event::complete_third: return e.completed({3});
        case event::complete_stale: return e.completed({0});
        case event::query: return e.query_fence({1});
        case event::stop: return e.stopped(asked, {0}, false);
        case event::stop_inside: return e.stopped(asked, {1}, true);
        case event::disarm: return e.disarmed();
        case event::stop_other: return e.stopped({asked.n + 1}, {1}, true);
        case event::fault_first: return e.faulted({1}, after_fault::runs_on);
        case event::fault_second: return e.faulted({2}, after_fault::runs_on);
        case event::fatal_second: return e.faulted({2}, after_fault::needs_reset);
        case event::fault_unknown: return e.faulted_unknown();
        case event::reset_nothing: static_cast<void>(e.engine_reset(executing::nothing())); return {};
        case event::reset_second: static_cast<void>(e.engine_reset(executing::one({2}))); return {};
        case event::reset_unknown: static_cast<void>(e.engine_reset(executing::unknown())); return {};
        case event::reset_failed: e.engine_reset_failed(); return {};
        case event::adapter_reset: e.adapter_reset(); return {};
        case event::restart: return e.restart();
    }
    return {};
}

/// What a cell demands: the actions, the state, the last completed id and the entries afterwards.
struct cell {
    u32 demanded;
    engine_state to;
    u32 last;
    u32 count;
    bool ignored;
};

constexpr u32 operator+(action a, action b) { return static_cast<u32>(a) | static_cast<u32>(b); }
constexpr u32 operator+(u32 a, action b) { return a | static_cast<u32>(b); }
constexpr u32 one(action a) { return static_cast<u32>(a); }

inline constexpr engine_state idle = engine_state::idle;
inline constexpr engine_state busy = engine_state::busy;
inline constexpr engine_state stopping_ = engine_state::stopping;
inline constexpr engine_state drained = engine_state::drained;
inline constexpr engine_state halted = engine_state::halted;
inline constexpr engine_state lost = engine_state::lost;

constexpr cell gives(u32 demanded, engine_state to, u32 last, u32 count) { return {demanded, to, last, count, false}; }
constexpr cell becomes(engine_state to, u32 last, u32 count) { return {0, to, last, count, false}; }

/// The cells of ignored events: nothing but the count of them changes.
inline constexpr cell no_idle{0, idle, 100, 0, true};
inline constexpr cell no_busy{0, busy, 100, 2, true};
inline constexpr cell no_stopping{0, stopping_, 100, 3, true};
inline constexpr cell no_drained{0, drained, 2, 1, true};
inline constexpr cell no_halted{0, halted, 1, 2, true};
inline constexpr cell no_lost{0, lost, 2, 1, true};

struct row {
    event what;
    cell in[engine_states];
};

/// Hardware that stops inside a buffer and acknowledges every request.
inline constexpr row table[events] = {
    {event::submit,
     {gives(one(action::hand_over), busy, 100, 1), gives(one(action::hand_over), busy, 100, 3),
      becomes(stopping_, 100, 4), becomes(drained, 2, 2), becomes(halted, 1, 3), becomes(lost, 2, 2)}},
    {event::reject,
     {becomes(idle, 9, 0), becomes(busy, 100, 3), becomes(stopping_, 100, 4), becomes(drained, 2, 2),
      becomes(halted, 1, 3), becomes(lost, 2, 2)}},
    {event::preempt,
     {gives(one(action::preempted), idle, 100, 0), gives(one(action::ask), stopping_, 100, 2),
      becomes(stopping_, 100, 3), becomes(drained, 2, 1), becomes(halted, 1, 2),
      gives(one(action::preempted), lost, 2, 0)}},
    {event::complete_first,
     {no_idle, gives(one(action::completed), busy, 1, 1), gives(one(action::completed), stopping_, 1, 2), no_drained,
      no_halted, no_lost}},
    {event::complete_second,
     {no_idle, gives(one(action::completed), idle, 2, 0), gives(one(action::completed), drained, 2, 1), no_drained,
      no_halted, no_lost}},
    {event::complete_third, {no_idle, no_busy, no_stopping, no_drained, no_halted, no_lost}},
    {event::complete_stale, {no_idle, no_busy, no_stopping, no_drained, no_halted, no_lost}},
    {event::query,
     {no_idle, gives(one(action::completed), busy, 1, 1), gives(one(action::completed), stopping_, 1, 2), no_drained,
      no_halted, no_lost}},
    {event::stop,
     {no_idle, no_busy, gives(action::preempted + action::hand_over, busy, 100, 1),
      gives(action::preempted + action::hand_over, busy, 2, 1), no_halted, no_lost}},
    {event::stop_inside,
     {no_idle, no_busy,
      gives(action::completed + action::interrupted + action::preempted + action::hand_over, busy, 1, 1),
      gives(action::preempted + action::hand_over, busy, 2, 1), no_halted, no_lost}},
    {event::disarm, {no_idle, no_busy, no_stopping, no_drained, no_halted, no_lost}},
    {event::stop_other, {no_idle, no_busy, no_stopping, no_drained, no_halted, no_lost}},
    {event::fault_first,
     {no_idle, gives(one(action::faulted), busy, 1, 1), gives(one(action::faulted), stopping_, 1, 2), no_drained,
      no_halted, no_lost}},
    {event::fault_second,
     {no_idle, gives(action::completed + action::faulted, idle, 2, 0),
      gives(action::completed + action::faulted, drained, 2, 1), no_drained, no_halted, no_lost}},
    {event::fatal_second,
     {no_idle, gives(action::completed + action::faulted, halted, 2, 0),
      gives(action::completed + action::faulted, halted, 2, 1), no_drained, no_halted, no_lost}},
    {event::fault_unknown,
     {no_idle, gives(one(action::fault_unknown), halted, 100, 2), gives(one(action::fault_unknown), halted, 100, 3),
      no_drained, no_halted, no_lost}},
    {event::reset_nothing,
     {becomes(idle, 100, 0), becomes(idle, 100, 0), becomes(idle, 100, 0), becomes(idle, 2, 0), becomes(idle, 1, 0),
      no_lost}},
    {event::reset_second,
     {becomes(idle, 100, 0), becomes(idle, 2, 0), becomes(idle, 2, 0), becomes(idle, 2, 0), becomes(idle, 2, 0),
      no_lost}},
    {event::reset_unknown,
     // Halted by a fault that named its packet: the one after it has not begun.
     {becomes(idle, 100, 0), becomes(idle, 1, 0), becomes(idle, 1, 0), becomes(idle, 2, 0), becomes(idle, 1, 0),
      no_lost}},
    {event::reset_failed,
     {becomes(halted, 100, 0), becomes(halted, 100, 2), becomes(halted, 100, 3), becomes(halted, 2, 1),
      becomes(halted, 1, 2), becomes(lost, 2, 1)}},
    {event::adapter_reset,
     {becomes(lost, 100, 0), becomes(lost, 2, 0), becomes(lost, 3, 0), becomes(lost, 3, 0), becomes(lost, 3, 0),
      becomes(lost, 3, 0)}},
    {event::restart, {no_idle, no_busy, no_stopping, no_drained, no_halted, gives(one(action::hand_over), busy, 2, 1)}},
};

inline constexpr engine_kind acknowledging{stopping::inside_a_buffer, true};

/// The ids of the records: the newest completed one, the faulted one, the newest request.
constexpr bool names_right(row const& r, engine_state from, machine const& e, actions done) {
    report const& ids = e.report();
    bool const second = r.what == event::complete_second;
    if (done.has(action::completed) && ids.completed != fence_id{second ? 2u : 1u}) {
        return false;
    }
    if (done.has(action::faulted) && ids.faulted != e.last_completed()) {
        return false;
    }
    if (done.has(action::interrupted) && ids.interrupted != serial{2}) {
        return false;
    }
    if (!done.has(action::preempted)) {
        return true;
    }
    u32 const request = r.what == event::preempt ? 60 : 50;
    u32 const last = r.what == event::preempt && from == idle ? 100 : e.last_completed().n;
    return ids.preemption == fence_id{request} && ids.last_completed == fence_id{last};
}

constexpr bool holds(row const& r, engine_state from) {
    machine e{};
    bring_to(e, acknowledging, from);
    if (e.state() != from) {
        return false;
    }
    cell const& expected = r.in[static_cast<u32>(from)];
    u32 const ignored = e.ignored();
    actions const done = happen(e, r.what);
    return done == actions{expected.demanded} && e.state() == expected.to && e.last_completed().n == expected.last &&
           e.count() == expected.count && (e.ignored() != ignored) == expected.ignored && names_right(r, from, e, done);
}

/// Hardware of the other kinds differs in two places: whether it is asked, and what the last completion answers.
constexpr bool other_kinds_hold() {
    struct other {
        engine_kind kind;
        bool asked;
    };
    other const others[] = {
        {{stopping::inside_a_buffer, false}, true},
        {{stopping::between_buffers, false}, true},
        {{stopping::nowhere, false}, false},
        {{stopping::nowhere, true}, false},
    };
    u32 const answered = action::preempted + action::hand_over;
    for (other const& o : others) {
        machine e{};
        bring_to(e, o.kind, busy);
        if (e.preempt({50}) != actions{o.asked ? one(action::ask) : 0} || e.state() != stopping_) {
            return false;
        }
        machine f{};
        bring_to(f, o.kind, stopping_);
        // What was asked has to be withdrawn first, and holds everything back until then.
        actions const last = f.completed({2});
        bool const right = o.asked ? last == actions{action::completed + action::disarm} && f.state() == drained &&
                                         !f.next() && f.disarmed() == actions{answered}
                                   : last == actions{answered + action::completed};
        if (!right || f.state() != busy || f.last_completed() != fence_id{2} ||
            f.report().last_completed != fence_id{2} || f.report().preemption != fence_id{50} || f.ignored() != 0) {
            return false;
        }
    }
    return true;
}

}  // namespace preemption_table
