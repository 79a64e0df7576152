// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

/// Events that do not apply, in every state that is visited: they change nothing but the count of ignored ones.
namespace preemption_explore {

/// Counts packets that leave; none may.
struct leaving {
    u32* count;
    void operator()(machine::packet const&, fate) const { ++*count; }
};

struct stale_events {
    machine const& before;
    engine_snapshot expected;
    machine after;
    u32 left;
    char const* broken;

    void expect(actions done, bool counts, char const* what) {
        expected.ignored += counts ? 1 : 0;
        bool const same = after.snapshot() == expected && done == actions{} && left == 0;
        if (same) {
            return;
        }
        if (broken == nullptr) {
            broken = what;
        }
        // Only a wrong step has to be undone: else the next one starts from the same state.
        after = before;
        expected = before.snapshot();
    }
};

/// NULL, or what a stale event changed.
inline char const* try_stale_events(machine const& now) {
    engine_snapshot const at = now.snapshot();
    stale_events s{now, at, now, 0, nullptr};
    leaving const on_leave{&s.left};
    bool const runs = at.state == engine_state::idle || at.state == engine_state::busy;
    bool const reports = at.state == engine_state::busy || at.state == engine_state::stopping;
    u32 const stale[] = {at.oldest.n - 1, at.oldest.n - 5, at.next.n, at.next.n + 3, at.oldest.n - 0x7FFF'FFFFu};
    if (at.state == engine_state::stopping && at.handed != at.next) {
        s.expect(s.after.completed(at.handed, on_leave), true, "AMB-45: a completion of what hardware was not given");
    }
    for (u32 const number : stale) {
        s.expect(s.after.completed({number}, on_leave), true,
                 "TDR-10: a completion of another serial changes something");
        s.expect(s.after.faulted({number}, after_fault::needs_reset, on_leave), true,
                 "TDR-10: a fault of another serial changes something");
    }
    if (!reports || at.oldest == at.handed) {
        bool const held = at.state != engine_state::busy;
        if (held) {
            s.expect(s.after.query_fence(at.oldest, on_leave), true,
                     "INT-08: a completion without anything in hardware");
            s.expect(s.after.faulted(at.oldest, after_fault::runs_on, on_leave), true,
                     "INT-09: a fault without anything in hardware");
        }
    }
    u32 const others[] = {at.asked.n - 1, at.asked.n + 1};
    for (u32 const other : others) {
        s.expect(s.after.stopped({other}, at.oldest, true, on_leave), true,
                 "PRE-11: an answer to another request changes something");
    }
    bool const owed = at.answer_due && (at.state == engine_state::stopping || at.state == engine_state::drained);
    if (!owed) {
        s.expect(s.after.stopped(at.asked, at.oldest, false, on_leave), true,
                 "PRE-11: an answer to no request changes something");
    }
    s.expect(s.after.disarmed(on_leave), true, "PRE-11: a request is taken back that hardware will still answer");
    if (!reports) {
        s.expect(s.after.faulted_unknown(), true, "INT-09: a fault of nothing changes something");
    }
    if (at.state == engine_state::lost) {
        fence_id const answer = s.after.engine_reset(executing::unknown(), on_leave);
        s.expect(answer == at.last_completed ? actions{} : only(action::full), true,
                 "TDR-07: an engine reset of a lost adapter changes something");
    } else {
        s.expect(s.after.restart(on_leave), true, "TDR-11: a restart without a reset changes something");
    }
    if (!runs) {
        bool const any{s.after.next()};
        s.expect(any ? only(action::hand_over) : actions{}, false, "AMB-45: a held packet is handed over");
    }
    if (now.count() == 4) {
        s.expect(actions{s.after.submit({}).bits ^ only(action::full).bits}, false,
                 "F11: a submission to a full ring changes something");
    }
    return s.broken;
}

}  // namespace preemption_explore
