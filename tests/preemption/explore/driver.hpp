// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "coverage.hpp"
#include "hardware.hpp"

/// The thin driver: the interrupt routine, the hand-over, and what it keeps in the contexts' resume slots.
namespace preemption_explore {

inline bool is_over(truth did) { return did == truth::finished || did == truth::given_up; }

/// Whether a packet may leave the ring with this fate.
inline bool is_right(world const& w, u32 packet, fate why) {
    truth const did = w.gpu.did[packet];
    bool const refused = w.kind(packet).rejected;
    switch (why) {
        case fate::completed: return !refused && did == truth::finished;
        case fate::rejected: return refused;
        case fate::faulted: return did == truth::given_up;
        case fate::preempted: return !is_over(did) && w.halfway != packet;
        case fate::half_run: return w.halfway == packet;
        case fate::aborted: return w.resetting && !is_over(did) && !refused;
        case fate::lost: return w.resetting && packet != w.executing;
    }
    return false;
}

/// What the driver learns of each packet that leaves the ring.
struct keeper {
    world* w;

    void operator()(machine::packet const& p, fate why) const {
        u32 const packet = p.cookie;
        require(*w, packet < w->how->packets->count && w->in_ring[packet], "a packet leaves the ring twice");
        if (w->broken != nullptr) {
            return;
        }
        for (u32 other = 0; other < w->how->packets->count; ++other) {
            require(*w, !w->in_ring[other] || !before({w->number[other]}, {w->number[packet]}),
                    "packets leave the ring out of order");
        }
        require(*w, p.fence.n == w->system.id[packet], "a packet leaves with another id");
        require(*w, is_right(*w, packet, why), "a packet leaves the ring with the wrong fate");
        w->in_ring[packet] = w->handed[packet] = false;
        resume_slot& slot = w->slots[w->kind(packet).context];
        if (why == fate::half_run) {
            w->told_halfway = true;
            if (w->how->wrong != mistake::slot_not_kept) {
                slot.keep(identity(w->kind(packet)));
            }
        } else if (why == fate::completed || why == fate::faulted || why == fate::aborted) {
            if (w->how->wrong != mistake::slot_kept_too_long) {
                slot.finished(identity(w->kind(packet)));
            }
        }
    }
};

inline bool hand_over_one(world& w) {
    auto const next = w.engine.next();
    if (!next) {
        w.hand_over_due = false;
        return false;
    }
    u32 const packet = next.packet->cookie;
    require(w, packet < w.how->packets->count && w.in_ring[packet], "a packet is handed over that is not in the ring");
    if (w.broken != nullptr) {
        return false;
    }
    require(w, !w.handed[packet], "a packet is handed over twice");
    require(w, !w.kind(packet).rejected, "PRE-30: a rejected submission is handed over");
    require(w, next.number.n == w.number[packet], "a packet is handed over with another serial");
    require(w, !w.system.requested && !w.system.lost && !w.system.halted, "AMB-45: a packet is not held back");
    for (u32 i = 0; w.system.list[i] != packet && i < w.system.length; ++i) {
        u32 const ahead = w.system.list[i];
        require(w, w.handed[ahead] || w.kind(ahead).rejected, "packets are handed over out of order");
    }
    w.handed[packet] = true;
    give(w, next.number.n, packet, w.slots[w.kind(packet).context].resumes(identity(w.kind(packet))));
    return true;
}

inline void hand_over_all(world& w) {
    while (w.broken == nullptr && hand_over_one(w)) {
    }
}

/// What an event demanded, in the order of the documentation.
inline void perform(world& w, actions demanded, bool needs_reset = false) {
    report const ids = w.engine.report();
    require(w, !demanded.has(action::full), "F11: the ring is full");
    if (demanded.has(action::completed)) {
        hear_completed(w, ids.completed.n);
    }
    if (demanded.has(action::faulted)) {
        hear_faulted(w, ids.faulted.n, needs_reset);
    }
    if (demanded.has(action::fault_unknown)) {
        require(w, w.gpu.halted, "INT-09: an unknown fault out of nothing");
        w.system.halted = !w.system.deaf;
    }
    if (demanded.has(action::preempted)) {
        hear_preempted(w, ids.preemption.n, ids.last_completed.n);
    }
    require(w, demanded.has(action::interrupted) == w.told_halfway,
            "F6: a half-run packet is not reported, or invented");
    if (demanded.has(action::interrupted)) {
        require(w, w.halfway != none && ids.interrupted.n == w.number[w.halfway],
                "F6: another packet is named half-run");
    }
    w.told_halfway = false;
    if (demanded.has(action::disarm)) {
        require(w, w.gpu.armed && !w.how->kind.acknowledges_when_idle, "F4: disarm, and nothing is armed");
        if (w.how->wrong != mistake::no_disarm) {
            w.gpu.armed = false;
        }
    }
    if (demanded.has(action::hand_over) && w.how->wrong != mistake::no_hand_over) {
        w.hand_over_due = true;
    }
}

/// Whether a serial from hardware names something in the ring; the machine has to ignore it when it does not.
inline bool is_news(world const& w, u32 number) { return number - w.engine.oldest().n < w.engine.count(); }

/// Hardware writes serials; a driver that lets it write the system's ids has to search for them.
inline serial written_serial(world const& w, u32 number, u32 id) {
    if (w.how->wrong != mistake::completed_by_os_id) {
        return {number};
    }
    for (u32 i = 0; i < w.engine.count(); ++i) {
        if (w.engine.at(w.engine.oldest() + i).fence.n == id) {
            return w.engine.oldest() + i;
        }
    }
    return {number};
}

/// Hardware that was disarmed answers no more, so the driver does, before it leaves the interrupt lock.
inline void answer_disarmed(world& w, actions demanded) {
    if (!demanded.has(action::disarm) || w.broken != nullptr) {
        return;
    }
    require(w, !demanded.has(action::preempted) && !demanded.has(action::hand_over),
            "F4: packets are released before hardware is disarmed");
    engine_state const from = w.engine.state();
    u32 const ignored = w.engine.ignored();
    actions const answered = w.engine.disarmed(keeper{&w});
    require(w, w.engine.ignored() == ignored && answered.has(action::preempted),
            "PRE-11: a disarmed request is not answered");
    perform(w, answered);
    check_step(w, from, engine_event::stopped, answered);
}

inline void completion(world& w) {
    w.gpu.written = false;
    serial const through = written_serial(w, w.gpu.through, w.gpu.wrote_id);
    bool const news = is_news(w, through.n);
    engine_state const from = w.engine.state();
    u32 const ignored = w.engine.ignored();
    actions const demanded = w.how->what == trouble::query ? w.engine.query_fence(through, keeper{&w})
                                                           : w.engine.completed(through, keeper{&w});
    require(w, (w.engine.ignored() != ignored) == !news, "a stale completion is taken, or a new one ignored");
    perform(w, demanded);
    if (news) {
        check_step(w, from, engine_event::completed, demanded);
        answer_disarmed(w, demanded);
    }
}

inline void fault_report(world& w) {
    bool const known = w.how->what != trouble::fault_unknown;
    bool const fatal = w.how->what != trouble::fault_runs_on;
    engine_state const from = w.engine.state();
    u32 const ignored = w.engine.ignored();
    w.gpu.fault = none;
    actions const demanded = known
                                 ? w.engine.faulted({w.gpu.fault_number},
                                                    fatal ? after_fault::needs_reset : after_fault::runs_on, keeper{&w})
                                 : w.engine.faulted_unknown();
    require(w, w.engine.ignored() == ignored, "INT-09: a fault is ignored");
    perform(w, demanded, fatal);
    check_step(w, from, fatal ? engine_event::fatal_fault : engine_event::faulted, demanded);
    answer_disarmed(w, demanded);
}

/// The answer to a request; what it says was completed may have been told before, or is not told at all.
inline void answer(world& w) {
    hardware& g = w.gpu;
    bool const tells = w.how->what != trouble::silent_stop;
    u32 const through = tells ? g.through : w.engine.oldest().n - 1;
    g.written = g.written && !tells;
    g.stopped = false;
    w.halfway = g.stopped_half;
    engine_state const from = w.engine.state();
    u32 const ignored = w.engine.ignored();
    actions const demanded = w.engine.stopped({g.stopped_with}, {through}, g.stopped_half != none, keeper{&w});
    require(w, w.engine.ignored() == ignored, "PRE-11: the answer to the request is ignored");
    perform(w, demanded);
    w.halfway = g.stopped_half = none;
    check_step(w, from, engine_event::stopped, demanded);
}

/// The interrupt routine's body. A fault comes before a completion that was read with it, unless hardware cannot name
/// the packet: then nothing is implied, and a halted machine takes no completions.
inline void service(world& w) {
    bool const fault_last = w.how->what == trouble::fault_unknown || w.how->wrong == mistake::completion_first;
    if (w.gpu.fault != none && !fault_last) {
        fault_report(w);
    }
    if (w.gpu.written && (!w.gpu.stopped || w.how->what == trouble::silent_stop)) {
        completion(w);
    }
    if (w.gpu.fault != none) {
        fault_report(w);
    }
    if (w.gpu.stopped) {
        answer(w);
    }
}

}  // namespace preemption_explore
