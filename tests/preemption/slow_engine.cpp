// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "slow_engine.hpp"

namespace preemption_test {

void slow_engine::remove(u32 n) {
    for (u32 i = n; i != count; ++i) {
        list[i - n] = list[i];
    }
    for (u32 i = count - n; i != count; ++i) {
        list[i] = {};
    }
    first += n;
    count -= n;
    in_hardware = in_hardware < n ? 0 : in_hardware - n;
    requested = requested < n ? 0 : requested - n;
}

/// The oldest n have finished.
void slow_engine::retire(u32 n) {
    last = has(bug::last_is_first_of_batch) ? list[0].p.fence_id : list[n - 1].p.fence_id;
    remove(n);
    retire_silent();
}

/// While a request is in the way that may yet be answered, only those among hardware's packets have their turn.
void slow_engine::retire_silent() {
    bool const in_the_way = ask_outstanding && state != engine_state::halted;
    bool const kept = has(bug::silent_never_retired);
    while (!kept && count != 0 && list[0].silent && (!in_the_way || in_hardware != 0)) {
        last = list[0].p.fence_id;
        remove(1);
    }
}

void slow_engine::let_go() {
    in_hardware = 0;
    retire_silent();
    bool const anything = count != 0 && !has(bug::held_never_released);
    state = anything || outside ? engine_state::releasing : engine_state::idle;
}

void slow_engine::answer(model_outcome& out) {
    out.acts |= act::preempted;
    ask_outstanding = false;
    if (has(bug::last_names_a_preempted_packet) && requested != 0) {
        last = list[requested - 1].p.fence_id;
    }
    if (has(bug::last_taken_from_newest_submitted)) {
        last = newest_id;
    }
    out.last_completed_id = last;
    u32 const given_back = has(bug::held_dropped) ? count : has(bug::mark_at_head) || has(bug::head_not_moved) ? 0 : requested;
    u32 const old_first = first;
    remove(given_back);
    requested = 0;
    if (has(bug::serials_reused)) {
        first = old_first;
    }
    if (has(bug::head_not_moved)) {
        in_hardware = count;
        state = count != 0 ? engine_state::busy : engine_state::idle;
    } else {
        let_go();
    }
    if (count != 0 && state == engine_state::releasing) {
        out.acts |= act::release;
    }
    out.request_id = request;
}

void slow_engine::settle(model_outcome& out) {
    if (!ask_outstanding) {
        if (count == 0 && state == engine_state::busy) {
            state = engine_state::idle;
        }
        return;
    }
    if (in_hardware != 0 || has(bug::no_report_when_drained)) {
        return;
    }
    if (acknowledges && !has(bug::reports_when_drained_and_waits) && !has(bug::disarms_instead_of_waiting)) {
        state = engine_state::drained;
        return;
    }
    if (!has(bug::no_disarm) && (!acknowledges || has(bug::disarms_instead_of_waiting))) {
        out.acts |= act::disarm;
    }
    answer(out);
}

rejection slow_engine::rejected(u32 id) {
    bool const empty = count == 0 && !has(bug::silent_at_idle_becomes_entry);
    bool const kept_while_halted = state == engine_state::halted && has(bug::silent_stays_while_halted);
    bool const drained_mistake = state == engine_state::drained && has(bug::silent_retired_while_drained);
    newest_id = id;
    if (empty && !kept_while_halted && (state != engine_state::drained || drained_mistake)) {
        last = id;
        return rejection::completed;
    }
    list[count] = {{id, rejected_flag, 0, 0, {}}, true};
    ++count;
    if (state == engine_state::idle || state == engine_state::busy) {
        state = engine_state::busy;
        in_hardware = count;
    }
    return rejection::waiting;
}

model_outcome slow_engine::preempt(u32 id) {
    model_outcome out;
    switch (state) {
        case engine_state::halted:
            if (count != 0 && !has(bug::reports_while_halted)) {
                return out;
            }
            ask_outstanding = false;
            break;
        case engine_state::stopping:
        case engine_state::drained:
            if (!has(bug::second_request_ignored)) {
                request = id;
                requested = count;
                if (has(bug::second_request_moves_sent)) {
                    in_hardware = count;
                }
            }
            return out;
        case engine_state::busy:
        case engine_state::idle:
            if (state == engine_state::busy ? !has(bug::reports_before_the_stop) : has(bug::asks_idle_hardware)) {
                request = id;
                requested = count;
                ask_outstanding = true;
                state = engine_state::stopping;
                out.acts = act::ask;
                generation += has(bug::generation_not_changed) ? 0u : 1u;
                out.generation = generation;
                return out;
            }
            break;
        case engine_state::releasing:
        case engine_state::lost:
            break;
    }
    request = id;
    remove(count);
    if (state == engine_state::busy || (state == engine_state::releasing && !outside)) {
        state = engine_state::idle;
    }
    out.acts = act::preempted;
    out.request_id = id;
    out.last_completed_id = last;
    return out;
}

model_outcome slow_engine::completed(u32 serial) {
    model_outcome out;
    bool const runs = state == engine_state::busy || state == engine_state::stopping || state == engine_state::halted;
    u32 place = place_of(serial);
    if (runs && place == in_hardware && has(bug::completion_past_sent_accepted)) {
        place = serial - first < count ? serial - first : in_hardware;
    }
    if (runs && in_hardware != 0 && place == in_hardware && has(bug::stale_serial_accepted)) {
        place = 0;
    }
    if (!runs || place >= (has(bug::completion_past_sent_accepted) ? count : in_hardware)) {
        return out;
    }
    out.acts = act::completed;
    out.completed_id = list[place].p.fence_id;
    retire(place + 1);
    if (state != engine_state::halted) {
        settle(out);
    }
    return out;
}

model_outcome slow_engine::stopped(stop const& s) {
    model_outcome out;
    bool const current = s.generation == generation || has(bug::generation_ignored);
    if ((state != engine_state::stopping && state != engine_state::drained) || !current) {
        return out;
    }
    u32 const place = s.through_known && !has(bug::through_ignored) ? place_of(s.through) : in_hardware;
    if (place != in_hardware) {
        if (!has(bug::stop_drops_the_completion)) {
            out.acts = act::completed;
            out.completed_id = list[place].p.fence_id;
        }
        retire(place + 1);
    }
    if (s.next_is_half_run && !has(bug::half_run_not_told) && (in_hardware != 0 || has(bug::half_run_told_of_the_finished))) {
        out.acts |= act::half_run;
        out.half_run = list[0].p;
    }
    answer(out);
    return out;
}

model_outcome slow_engine::faulted(fault f) {
    model_outcome out;
    bool const known = f.kind != fault_kind::unknown;
    u32 const place = known ? place_of(f.serial) : 0;
    bool const runs = state == engine_state::busy || state == engine_state::stopping;
    if (!runs || place >= in_hardware) {
        return out;
    }
    out.acts = act::faulted | (known ? 0 : act::fault_unknown);
    if (known) {
        for (u32 i = 0; i != place; ++i) {
            if (!list[i].silent && !has(bug::no_completion_before_fault)) {
                out.acts |= act::completed;
                out.completed_id = list[i].p.fence_id;
            }
        }
        out.faulted_id = list[place].p.fence_id;
        if (has(bug::fault_keeps_last)) {
            remove(place + 1);
        } else if (f.kind == fault_kind::needs_reset && has(bug::silent_stays_while_halted)) {
            last = list[place].p.fence_id;
            remove(place + 1);
        } else {
            retire(place + 1);
        }
    } else if (has(bug::unknown_fault_moves_last)) {
        retire(1);
    }
    if (f.kind == fault_kind::runs_on || has(bug::fault_does_not_halt)) {
        settle(out);
    } else {
        state = engine_state::halted;
        if (!has(bug::silent_stays_while_halted)) {
            retire_silent();
        }
    }
    return out;
}

serial_range slow_engine::release() {
    if (state != engine_state::releasing) {
        return {first, 0};
    }
    state = count != 0 ? engine_state::busy : engine_state::idle;
    in_hardware = count;
    return {first, count};
}

model_reset slow_engine::engine_reset(executing e) {
    model_reset out{};
    bool const cannot_tell = e.kind == executing_kind::cannot_tell ||
                             (e.kind == executing_kind::nothing && has(bug::reset_names_oldest_when_nothing_ran));
    u32 const nameable = has(bug::reset_names_held) ? count : in_hardware;
    u32 place = e.kind == executing_kind::packet ? place_of(e.serial) : cannot_tell && nameable != 0 ? 0 : nameable;
    if (count != 0 && (has(bug::reset_names_newest) ||
                       (e.kind == executing_kind::nothing && has(bug::reset_names_newest_when_nothing_ran)))) {
        place = count - 1;
    }
    u32 const before = last;
    if (place < count && (place < nameable || has(bug::reset_names_newest) || has(bug::reset_names_newest_when_nothing_ran))) {
        out.aborted = true;
        out.packet_aborted = list[place].p;
        out.last_aborted_id = list[place].p.fence_id;
        retire(place + 1);
    }
    bool const named = out.aborted;
    if (state == engine_state::lost) {
        out.last_aborted_id = last;
        return out;
    }
    if (!has(bug::reset_keeps_request)) {
        ask_outstanding = false;
    }
    state = engine_state::busy;
    retire_silent();
    out.last_aborted_id = named ? out.last_aborted_id : last;
    if (!has(bug::reset_keeps_ring)) {
        remove(count);
    }
    if (has(bug::reset_changes_generation)) {
        ++generation;
    }
    if (has(bug::reset_keeps_last)) {
        last = before;
    }
    state = ask_outstanding ? engine_state::stopping : count != 0 ? engine_state::busy : engine_state::idle;
    return out;
}

u32 slow_engine::adapter_reset() {
    if (count != 0 && !has(bug::adapter_reset_keeps_last)) {
        last = list[count - 1].p.fence_id;
    }
    if (has(bug::adapter_reset_names_newest_ever)) {
        last = newest_id;
    }
    remove(count);
    ask_outstanding = false;
    state = engine_state::lost;
    return last;
}

bool slow_engine::restart() {
    if (state != engine_state::lost) {
        return false;
    }
    state = engine_state::idle;
    if (has(bug::restart_forgets_held)) {
        remove(count);
    }
    retire_silent();
    state = count != 0 ? engine_state::releasing : engine_state::idle;
    return count != 0;
}

}  // namespace preemption_test
