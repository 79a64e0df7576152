// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "driver.hpp"

/// Everything that can happen next, one step at a time.
namespace preemption_explore {

enum class step : u32 {
    submit,
    start,
    finish,
    stop,
    fault,
    interrupt,
    hand_over,
    restart,
    recover,  // these go on by themselves
    preempt,
    query,
    late_write,
    late_answer,
    cancel,
    engine_reset,
    adapter_reset,
};
inline constexpr u32 steps = 16;
inline constexpr u32 steps_that_go_on = 9;
inline constexpr char const* step_names[] = {"submit",         "hardware begins", "hardware finishes",
                                             "hardware stops", "hardware faults", "interrupt",
                                             "hand over",      "restart",         "adapter reset (escalated)",
                                             "preempt",        "query fence",     "late completion",
                                             "late answer",    "cancel",          "engine reset",
                                             "adapter reset"};

struct move {
    step what;
    u32 packet;
};

inline void spend(world const& w, u32& budget) { budget -= w.how->endless ? 0 : 1; }

inline void submit(world& w, u32 packet) {
    engine_state const from = w.engine.state();
    bool const refused = w.kind(packet).rejected;
    w.number[packet] = w.engine.next_serial().n;
    w.in_ring[packet] = true;
    w.handed[packet] = false;
    list_submission(w, packet);
    machine::packet const p{{w.system.id[packet]}, w.kind(packet).flags, w.kind(packet).window, packet};
    actions const demanded = refused ? w.engine.reject(p, keeper{&w}) : w.engine.submit(p);
    bool const runs = from == engine_state::idle || from == engine_state::busy;
    require(w, demanded == (runs && !refused ? only(action::hand_over) : actions{}),
            "AMB-45: a submission is held or handed over, whichever is wrong");
    complete_rejected(w);
    perform(w, demanded);
    if (refused) {
        // It keeps the state; in an empty ring that answers in order it is over at once, else an entry.
        ++covered.seen[static_cast<u32>(from)][static_cast<u32>(engine_event::rejected)][in_ring(w) ? 1 : 0];
        require(w, w.engine.state() == from || (from == engine_state::idle && in_ring(w)),
                "PRE-30: a rejected submission changes the state");
    } else {
        check_step(w, from, engine_event::submitted, demanded);
    }
}

inline void preempt(world& w) {
    scheduler& s = w.system;
    engine_state const from = w.engine.state();
    bool const given = in_hardware(w);
    bool const queue_is_empty = s.length == 0;
    spend(w, s.requests);
    s.requested = true;
    s.request = s.next_id++;
    s.covered = s.length;
    complete_rejected(w);
    actions const demanded = w.engine.preempt({s.request}, keeper{&w});
    actions expected{};
    switch (from) {
        case engine_state::idle:
        case engine_state::busy:
            expected = !given                                   ? only(action::preempted)
                       : w.how->kind.stops == stopping::nowhere ? actions{}
                                                                : only(action::ask);
            break;
        case engine_state::stopping:
        case engine_state::drained: break;
        case engine_state::halted: expected = queue_is_empty ? only(action::preempted) : actions{}; break;
        case engine_state::lost: expected = only(action::preempted); break;
    }
    require(w, demanded == expected,
            "PRE-10: idle hardware is asked, or a request is not reported at once or not made");
    perform(w, demanded);
    if (demanded.has(action::ask)) {
        require(w, !w.gpu.armed && !w.gpu.stopped, "PRE-23: hardware is asked twice");
        w.gpu.armed = true;
        w.gpu.armed_with = w.engine.report().asked.n;
    }
    check_step(w, from, engine_event::preempt, demanded);
}

/// What DxgkDdiResetEngine fills.
struct reset_arguments {
    u32 LastAbortedFenceId;
};

/// The driver's answer, in the order of its documentation or with a mistake.
inline ntstatus reset_hardware(world& w, reset_arguments& args, executing ran) {
    bool const works = w.how->what != trouble::reset_fails;
    if (!works) {
        w.gpu.halted = true;
        w.gpu.armed = w.gpu.stopped = false;
    }
    fence_id const completed = w.engine.last_completed();
    fence_id const aborted = w.engine.aborted_by_reset(ran);
    u32 const count = w.engine.count();
    if (w.how->wrong == mistake::reset_before_judged) {
        fence_id const newest = w.engine.newest_submitted();
        static_cast<void>(w.engine.engine_reset(ran, keeper{&w}));
        args.LastAbortedFenceId = aborted.n;
        return works && aborted_id_is_legal(aborted, completed, newest) ? status::success : status::unsuccessful;
    }
    if (w.how->wrong == mistake::refusal_not_told && !works) {
        return status::unsuccessful;
    }
    ntstatus const answer = answer_reset_engine(args, {works, works, works}, w.engine, ran, keeper{&w});
    if (answer == status::success) {
        require(w, args.LastAbortedFenceId == aborted.n,
                "TDR-07: an engine reset answers another id than was foretold");
    } else {
        require(w, args.LastAbortedFenceId == completed.n && w.engine.last_completed() == completed,
                "TDR-07: a refused reset moves the last completed id");
        require(w, w.engine.count() == count, "TDR-07: a refused reset forgets packets");
        if (works) {
            clear(w);
        }
    }
    return answer;
}

inline void engine_reset(world& w) {
    w.system.deaf = !w.how->hears_collected;
    if (w.how->wrong != mistake::no_collecting) {
        service(w);
    }
    w.executing = w.gpu.running ? w.gpu.queue[0].packet : none;
    executing ran = w.gpu.running ? executing::one({w.gpu.queue[0].number}) : executing::nothing();
    if (w.how->what == trouble::cannot_tell) {
        ran = executing::unknown();
    }
    engine_state const from = w.engine.state();
    w.resetting = true;
    reset_arguments args{};
    bool const heard_all = w.engine.last_completed().n == w.system.last && w.engine.count() == w.system.length;
    if (reset_hardware(w, args, ran) != status::success) {
        w.resetting = w.system.deaf = false;
        w.executing = none;
        hear_refused(w, args.LastAbortedFenceId);
        check_step(w, from, engine_event::reset_failed, {});
        return;
    }
    hear_aborted(w, args.LastAbortedFenceId, heard_all);
    clear(w);
    w.resetting = w.system.deaf = w.hand_over_due = false;
    w.executing = none;
    check_step(w, from, engine_event::engine_reset, {});
    require(w, w.engine.count() == 0 && !w.engine.next(), "TDR-04: the queue is not empty after a reset");
}

inline void adapter_reset(world& w) {
    engine_state const from = w.engine.state();
    w.resetting = true;
    w.executing = none;
    w.engine.adapter_reset(keeper{&w});
    reset_adapter(w);
    clear(w);
    w.resetting = w.hand_over_due = false;
    for (u32 packet = 0; packet < w.how->packets->count; ++packet) {
        if (w.system.at[packet] == place::waiting) {
            w.gpu.did[packet] = truth::untouched;
        }
    }
    for (resume_slot& slot : w.slots) {
        slot.forget();
    }
    check_step(w, from, engine_event::adapter_reset, {});
    require(w, w.engine.count() == 0 && !w.engine.next(), "TDR-11: packets are left after an adapter reset");
}

inline void restart(world& w) {
    engine_state const from = w.engine.state();
    w.system.lost = false;
    complete_rejected(w);
    actions const demanded = w.engine.restart(keeper{&w});
    require(w, demanded == (w.system.length != 0 ? only(action::hand_over) : actions{}),
            "AMB-53: what was held until the restart is not handed over");
    perform(w, demanded);
    check_step(w, from, engine_event::restarted, demanded);
}

/// What arrives after a reset from before it must change nothing (TDR-10).
inline void late(world& w, step what) {
    u32 const ignored = w.engine.ignored();
    actions demanded{};
    if (what == step::late_write) {
        w.gpu.late_write = false;
        demanded = w.engine.completed(written_serial(w, w.gpu.late_number, w.gpu.late_id), keeper{&w});
    } else {
        w.gpu.late_answer = false;
        demanded = w.engine.stopped({w.gpu.late_generation}, {w.gpu.late_number}, true, keeper{&w});
    }
    require(w, w.engine.ignored() == ignored + 1, "TDR-10: a late interrupt is not ignored");
    perform(w, demanded);
}

/// A context is removed: what came back of it never returns (TDR-14).
inline bool can_cancel(world const& w, u32 context) {
    bool any = false;
    for (u32 packet = 0; packet < w.how->packets->count; ++packet) {
        if (w.kind(packet).context == context) {
            any = any || w.system.at[packet] == place::waiting;
            if (w.system.at[packet] == place::queued) {
                return false;
            }
        }
    }
    return any && w.system.cancels != 0;
}

inline void cancel(world& w, u32 context) {
    --w.system.cancels;
    w.slots[context].forget();
    for (u32 packet = 0; packet < w.how->packets->count; ++packet) {
        if (w.kind(packet).context == context && w.system.at[packet] == place::waiting) {
            w.system.at[packet] = place::dropped;
        }
    }
}

inline bool enabled(world const& w, move m) {
    scheduler const& s = w.system;
    switch (m.what) {
        case step::submit: return m.packet < w.how->packets->count && may_submit(w, m.packet);
        case step::start: return can_start(w);
        case step::finish: return can_finish(w);
        case step::stop: return can_stop(w);
        case step::fault: return can_fault(w);
        case step::interrupt: return interrupts(w);
        case step::hand_over: return w.hand_over_due;
        case step::restart: return s.lost;
        case step::recover: return s.escalates;
        case step::preempt:
            return s.requests != 0 && !s.escalates && (!s.requested || w.how->what == trouble::coalesced) &&
                   (!s.lost || w.how->submits_meanwhile);
        case step::query: return w.how->what == trouble::query && w.gpu.written;
        case step::late_write: return w.gpu.late_write;
        case step::late_answer: return w.gpu.late_answer;
        case step::cancel: return m.packet == 0 && can_cancel(w, 0);
        case step::engine_reset: return s.engine_resets != 0 && !s.lost && !s.escalates;
        case step::adapter_reset: return s.adapter_resets != 0 && !s.lost && !s.escalates;
    }
    return false;
}

inline void take(world& w, move m) {
    switch (m.what) {
        case step::submit: submit(w, m.packet); break;
        case step::start: start(w); break;
        case step::finish: finish(w); break;
        case step::stop: stop(w); break;
        case step::fault: fault(w); break;
        case step::interrupt: service(w); break;
        case step::hand_over: hand_over_one(w); break;
        case step::restart: restart(w); break;
        case step::preempt: preempt(w); break;
        case step::query: completion(w); break;
        case step::late_write:
        case step::late_answer: late(w, m.what); break;
        case step::cancel: cancel(w, 0); break;
        case step::engine_reset:
            spend(w, w.system.engine_resets);
            engine_reset(w);
            break;
        case step::adapter_reset:
            spend(w, w.system.adapter_resets);
            adapter_reset(w);
            break;
        case step::recover: adapter_reset(w); break;
    }
    if (w.broken == nullptr && w.hand_over_due && !w.how->delayed) {
        hand_over_all(w);
    }
    if (w.broken == nullptr) {
        check_agreement(w);
    }
}

}  // namespace preemption_explore
