// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "scheduler.hpp"

/// Every step of the machine against the published table of states and events.
namespace preemption_explore {

/// How often a pair was seen, without and with something left.
struct coverage {
    u64 seen[engine_states][engine_events][2];
};
inline coverage covered{};

/// Whether something that hardware was given has not been reported.
inline bool in_hardware(world const& w) {
    for (u32 k = 0; k < w.how->packets->count; ++k) {
        if (w.in_ring[k] && w.handed[k]) {
            return true;
        }
    }
    return false;
}

inline bool in_ring(world const& w) { return w.engine.count() != 0; }

inline engine_state expect(engine_state from, engine_event event, bool left) {
    ++covered.seen[static_cast<u32>(from)][static_cast<u32>(event)][left ? 1 : 0];
    return next_state(from, event, left);
}

/// After an event that was taken: the state is the table's, an answer to a request being the event `stopped`.
inline void check_step(world& w, engine_state from, engine_event event, actions done) {
    bool left = in_ring(w);
    bool const retires =
        event == engine_event::completed || event == engine_event::faulted || event == engine_event::fatal_fault;
    if (event == engine_event::preempt || (retires && from == engine_state::stopping)) {
        left = in_hardware(w);
    }
    engine_state to = expect(from, event, left);
    bool const answered = retires && done.has(action::preempted);
    if (answered) {
        require(w, to == engine_state::drained, "PRE-26: a request is answered though hardware has packets");
        to = expect(to, engine_event::stopped, in_ring(w));
    }
    require(w, w.engine.state() == to, "the state after a step is not the table's");
}

/// The machine, the scheduler and the driver agree on what is in the ring. After every step.
inline void check_agreement(world& w) {
    scheduler const& s = w.system;
    engine_snapshot const now = w.engine.snapshot();
    require(w, now.last_completed.n == s.last, "TDR-07, PRE-14, PRE-30: the last completed id is another");
    require(w, w.engine.count() == s.length, "a packet is lost or doubled: the ring is not what was submitted");
    if (w.broken != nullptr) {
        return;
    }
    for (u32 i = 0; i < s.length; ++i) {
        auto const& packet = w.engine.at(w.engine.oldest() + i);
        require(w, packet.cookie == s.list[i] && packet.fence.n == s.id[s.list[i]] && w.in_ring[s.list[i]],
                "the ring holds other packets than were submitted");
    }
    bool const waits = now.state == engine_state::stopping || now.state == engine_state::drained;
    bool const halted = now.state == engine_state::halted;
    require(w, !s.requested || waits || halted, "PRE-11: a request is forgotten");
    require(w, !s.refused || halted, "TDR-10: after a refused reset the engine goes on");
    require(w, s.requested || !waits, "PRE-11: a request is answered and still outstanding");
    require(w, s.lost == (now.state == engine_state::lost), "AMB-53: the adapter is lost, or it is not");
    require(w, !s.halted || halted, "a fault that needs a reset, and the engine is not halted");
    require(w, s.length == 0 || now.state != engine_state::idle, "packets in the ring of an idle engine");
    if (s.length != 0 && !w.kind(s.list[0]).rejected && !w.gpu.written && w.gpu.fault == none && !w.gpu.stopped) {
        require(w, w.gpu.did[s.list[0]] != truth::finished, "INT-07: a completion that was read is not reported");
    }
    if (now.state == engine_state::drained) {
        require(w, w.how->kind.acknowledges_when_idle && w.how->kind.stops != stopping::nowhere,
                "F4: waits for an acknowledgement that does not come");
    }
    require(w, !w.gpu.armed || w.gpu.halted || (now.answer_due && now.asked.n == w.gpu.armed_with) || s.deaf,
            "F4: hardware is asked to stop, and the machine does not know");
}

}  // namespace preemption_explore
