// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

/// How the driver of the world is written: what a driver's functions do with the machine's answers.
namespace preemption_test {

template <class Machine>
template <class Each>
void world<Machine>::for_each_event(Each&& each) const {
    for (u8 p = 0; p != s->pool.size(); ++p) {
        if (sys.may_submit(*s, p)) {
            each(event{step::submit, p}, true);
        }
    }
    bool const asks = !sys.outstanding || s->second_requests;
    bool const stuck = hardware.blocked(*s, sys) && !sys.outstanding;
    if ((asks && sys.preempts != 0 && !sys.adapter_reset_due) || stuck) {
        each(event{step::ask, 0}, stuck);
    }
    if (hardware.may_start(*s, sys)) {
        each(event{step::start, 0}, true);
    }
    if (hardware.may_finish()) {
        each(event{step::finish, 0}, true);
    }
    if (hardware.may_stop(*s)) {
        each(event{step::stop, 0}, true);
    }
    if (hardware.may_fault()) {
        each(event{step::fault_runs_on, 0}, false);
        each(event{step::fault_needs_reset, 0}, false);
        each(event{step::fault_unknown, 0}, false);
    }
    if (hardware.any_interrupt()) {
        each(event{step::interrupt, 0}, true);
    }
    if (hardware.completion_pending && hardware.stop_pending && !hardware.fault_pending) {
        each(event{step::interrupt_completion_only, 0}, true);
        if (s->through_known) {
            each(event{step::interrupt_stop_only, 0}, true);
        }
    }
    if (deferred_call) {
        each(event{step::deferred_call, 0}, true);
    }
    if (s->queries && !hardware.fault_pending) {
        each(event{step::query, 0}, false);
    }
    if (sys.reset_due || (sys.outstanding && sys.resets != 0)) {
        each(event{step::engine_reset, 0}, sys.reset_due);
    }
    if (sys.adapter_reset_due || (sys.outstanding && sys.adapter_resets != 0)) {
        each(event{step::adapter_reset, 0}, sys.adapter_reset_due);
    }
    if (sys.down) {
        each(event{step::restart, 0}, true);
    }
    if (hardware.stale_stop) {
        each(event{step::stale_stop, 0}, false);
    }
    if (hardware.late_write) {
        each(event{step::late_write, 0}, false);
    }
}

template <class Machine>
void world<Machine>::happen(event e) {
    switch (e.what) {
        case step::submit: submit(e.packet); break;
        case step::ask: {
            sys.ask();
            model_outcome const o = machine.preempt(sys.request);
            bool unreported = false;
            for (u32 i = 0; i != sys.sent_count; ++i) {
                unreported = unreported || sys.handed_over[sys.sent[i]];
            }
            sys.check(!o.has(act::ask) || unreported, "PRE-10: hardware is asked and has nothing");
            sys.check(!o.has(act::preempted) || !unreported, "PRE-08: reported before hardware stopped");
            notify(o);
            break;
        }
        case step::start: hardware.start(*s, sys); break;
        case step::finish: hardware.finish(*s, sys); break;
        case step::stop: hardware.stop_now(*s, sys); break;
        case step::fault_runs_on: hardware.fail(fault_kind::runs_on, sys); break;
        case step::fault_needs_reset: hardware.fail(fault_kind::needs_reset, sys); break;
        case step::fault_unknown: hardware.fail(fault_kind::unknown, sys); break;
        case step::interrupt: interrupt(); break;
        case step::interrupt_completion_only: collect_completion(); break;
        case step::interrupt_stop_only: collect_stop(); break;
        case step::deferred_call:
            deferred_call = false;
            push_all(machine.release());
            break;
        case step::query:
            collect_completion();
            sys.check(machine.slow.last == sys.last, "INT-08: the current fence is not last completed");
            break;
        case step::engine_reset: reset_engine(); break;
        case step::adapter_reset: reset_adapter(); break;
        case step::restart:
            sys.down = false;
            deferred_call = machine.restart();
            break;
        case step::stale_stop:
            hardware.stale_stop = false;
            notify(machine.stopped({hardware.stale_generation, serial_of(hardware.memory), s->through_known, true}));
            break;
        case step::late_write:
            hardware.late_write = false;
            hardware.memory = hardware.late_name;
            hardware.completion_pending = true;
            break;
        case step::count: break;
    }
    sys.check(machine.slow.last == sys.last, "PRE-14: last completed is not what was reported");
}

template <class Machine>
model_packet world<Machine>::packet_of(u32 p) const {
    pool_packet const& q = s->pool[p];
    u32 const start = 64u * q.window;
    u32 const flags = (pages(q.what) ? submit_flag::paging : 0) | (is_switch(q.what) ? submit_flag::context_switch : 0) |
                      (sys.came_back[p] ? submit_flag::resubmission : 0);
    return {sys.ids[p], flags, start, is_switch(q.what) ? start : start + 64, {static_cast<u8>(p), q.place}};
}

/// What hardware writes is a serial, unless the driver makes the classic mistake.
template <class Machine>
u32 world<Machine>::serial_of(u32 name) const {
    if (!has(bug::completion_by_os_id)) {
        return name;
    }
    for (u32 i = 0; i != machine.slow.in_hardware; ++i) {
        if (machine.slow.list[i].p.fence_id == name) {
            return machine.slow.first + i;
        }
    }
    return machine.slow.first - 1;
}

template <class Machine>
void world<Machine>::push(u32 serial) {
    slow_engine::entry const& e = machine.slow.list[serial - machine.slow.first];
    if (e.silent) {
        return;
    }
    u8 const p = e.p.cookie.number;
    resume_slot<model_cookie>& slot = slots[s->pool[p].context];
    model_packet asked = e.p;
    if (has(bug::slot_ignores_window)) {
        asked.start = asked.end = 0;
    }
    bool resumed = slot.hand_over(asked, serial, {machine.slow.first, machine.slow.count});
    if (has(bug::slot_forgets_hand_over)) {
        resumed = slot.holds(asked);
    }
    resumed = resumed && !has(bug::half_run_restarted);
    if (resumed && has(bug::slot_used_up_at_hand_over)) {
        slot.clear();
    }
    hardware.push(p, has(bug::completion_by_os_id) ? e.p.fence_id : serial, resumed);
    sys.handed_over[p] = true;
}

template <class Machine>
void world<Machine>::push_all(serial_range range) {
    for (u32 i = 0; i != range.count; ++i) {
        push(range.first + i);
    }
}

template <class Machine>
void world<Machine>::submit(u32 p) {
    u32 const old_request = sys.request;
    sys.submit(*s, p);
    if (s->pool[p].what == kind::rejected) {
        machine.rejected(sys.ids[p]);
        return;
    }
    if (has(bug::ids_must_rise) && static_cast<i32>(sys.ids[p] - old_request) <= 0 && old_request != 0) {
        return;
    }
    model_submitted const answer = machine.submit(packet_of(p));
    if (answer.hand_over) {
        push(answer.serial);
    }
    if (answer.release_due) {
        push_all(machine.release());
    }
}

template <class Machine>
void world<Machine>::finish_slots_through(u32 serial) {
    u32 const place = machine.slow.place_of(serial);
    for (u32 i = 0; i <= place && place != machine.slow.in_hardware; ++i) {
        slow_engine::entry const& e = machine.slow.list[i];
        if (!e.silent && !has(bug::slot_kept_when_finished)) {
            slots[s->pool[e.p.cookie.number].context].finished(e.p);
        }
    }
}

template <class Machine>
void world<Machine>::interrupt() {
    if (has(bug::completion_before_fault)) {
        collect_completion();
    }
    collect_fault();
    collect_completion();
    collect_stop();
}

template <class Machine>
void world<Machine>::collect_fault() {
    if (!hardware.fault_pending) {
        return;
    }
    hardware.fault_pending = false;
    fault f = hardware.pending_fault;
    hardware.pending_fault = {};
    if (f.kind != fault_kind::unknown) {
        f.serial = serial_of(f.serial);
        finish_slots_through(f.serial);
    }
    notify(machine.faulted(f), f.kind != fault_kind::runs_on);
}

template <class Machine>
void world<Machine>::collect_completion() {
    hardware.completion_pending = false;
    u32 const serial = serial_of(hardware.memory);
    finish_slots_through(serial);
    notify(machine.completed(serial));
}

template <class Machine>
void world<Machine>::collect_stop() {
    if (!hardware.stop_pending) {
        return;
    }
    hardware.stop_pending = false;
    stop read = hardware.pending_stop;
    hardware.pending_stop = {};
    read.through = serial_of(read.through);
    if (read.through_known) {
        finish_slots_through(read.through);
    }
    notify(machine.stopped(read));
}

template <class Machine>
void world<Machine>::reset_engine() {
    bool const unknown_stands = hardware.stands && hardware.count != 0 && hardware.running;
    if (!has(bug::no_collecting_before_reset)) {
        interrupt();
    }
    u32 const runs = hardware.running ? hardware.ring[0].number : most_packets_of_a_pool;
    executing told{executing_kind::nothing, 0};
    if (s->cannot_tell || unknown_stands) {
        told.kind = executing_kind::cannot_tell;
    } else if (hardware.running) {
        told = {executing_kind::packet, serial_of(hardware.ring[0].name)};
    }
    hardware.reset(s->stale, has(bug::reset_keeps_fault_latch));
    model_reset const o = machine.engine_reset(told);
    sys.resets = static_cast<u8>(sys.resets == 0 ? 0 : sys.resets - 1);
    sys.hears_reset(*s, o.last_aborted_id, runs, s->cannot_tell);
    if (o.aborted) {
        slots[s->pool[o.packet_aborted.cookie.number].context].finished(o.packet_aborted);
    }
    if (has(bug::slot_cleared_by_any_reset)) {
        slots = {};
    }
}

template <class Machine>
void world<Machine>::reset_adapter() {
    hardware.reset(s->stale, false);
    machine.adapter_reset();
    sys.adapter_resets = static_cast<u8>(sys.adapter_resets == 0 ? 0 : sys.adapter_resets - 1);
    sys.resets_adapter();
    slots = {};
    deferred_call = false;
}

template <class Machine>
void world<Machine>::notify(model_outcome const& o, bool needs_reset) {
    auto const completed = [&] {
        if (o.has(act::completed)) {
            sys.hears_completed(*s, o.completed_id);
        }
    };
    if (!has(bug::preempted_before_completed)) {
        completed();
    }
    if (o.has(act::faulted)) {
        sys.hears_faulted(*s, o.faulted_id, !o.has(act::fault_unknown), needs_reset);
    }
    if (o.has(act::half_run)) {
        u8 const p = o.half_run.cookie.number;
        sys.check(sys.effects[p] == system_model::first_half, "AMB-52: half run is a packet that is not");
        slots[s->pool[p].context].interrupted(o.half_run);
    }
    if (o.has(act::preempted)) {
        for (u32 i = 0; i != sys.before_request; ++i) {
            sys.check(!hardware.holds(sys.sent[i]), "PRE-15: hardware still has a packet that is reported as preempted");
        }
        sys.hears_preempted(*s, o.request_id, o.last_completed_id);
    }
    if (has(bug::preempted_before_completed)) {
        completed();
    }
    if (o.has(act::ask)) {
        hardware.armed = true;
        hardware.armed_generation = o.generation;
    }
    if (o.has(act::disarm) && !has(bug::disarm_forgotten)) {
        hardware.armed = false;
    }
    deferred_call = deferred_call || o.has(act::release);
}

}  // namespace preemption_test
