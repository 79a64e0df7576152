// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "hardware_model.hpp"

namespace preemption_test {

bool hardware_model::holds(u32 number) const {
    for (u32 i = 0; i != count; ++i) {
        if (ring[i].number == number) {
            return true;
        }
    }
    return false;
}

bool hardware_model::blocked(setup const& s, system_model const& sys) const {
    if (count == 0 || running || stands || s.pool[ring[0].number].what != kind::wait) {
        return false;
    }
    u32 const awaited = s.pool[ring[0].number].waits_for;
    return sys.effects[awaited] != system_model::all && sys.fates[awaited] != fate::given_up;
}

bool hardware_model::may_start(setup const& s, system_model const& sys) const {
    return count != 0 && !running && !stands && !blocked(s, sys);
}

/// Nowhere: only when there is nothing to stop. Between buffers: not while one runs, nor while one waits if that cannot
/// be interrupted (PRE-22). Inside: a zero-length packet has no inside.
bool hardware_model::may_stop(setup const& s) const {
    if (!armed || stands || stop_pending) {
        return false;
    }
    if (count == 0) {
        return s.acknowledges;
    }
    kind const front = s.pool[ring[0].number].what;
    switch (s.stops) {
        case hw::stopping_class::nowhere: return false;
        case hw::stopping_class::between_buffers: return !running && (front != kind::wait || s.stops_waiting);
        case hw::stopping_class::inside_buffer:
            return running ? !is_switch(front) : front != kind::wait || s.stops_waiting;
    }
    return false;
}

void hardware_model::start(setup const&, system_model& sys) {
    u8& effect = sys.effects[ring[0].number];
    if (ring[0].resumed) {
        sys.check(effect == system_model::first_half, "AMB-52: a packet goes on that was not half run");
    } else {
        sys.check(effect == system_model::nothing, "PRE-15: a packet begins twice");
    }
    effect = system_model::first_half;
    running = true;
}

void hardware_model::finish(setup const& s, system_model& sys) {
    u8 const number = ring[0].number;
    for (u32 q = 0; q != number; ++q) {
        bool const over = sys.effects[q] == system_model::all || sys.effects[q] == system_model::faulted ||
                          sys.fates[q] == fate::given_up || sys.fates[q] == fate::done;
        sys.check(s.pool[q].context != s.pool[number].context || s.pool[q].what == kind::rejected || over,
                  "PRE-17: packets of one context ran out of order");
    }
    sys.effects[number] = system_model::all;
    memory = ring[0].name;
    // Fence writes keep their order: what lands late lands before this one or never.
    late_write = false;
    completion_pending = true;
    running = false;
    for (u32 i = 1; i < count; ++i) {
        ring[i - 1] = ring[i];
    }
    ring[--count] = {};
}

void hardware_model::clear_ring() {
    ring = {};
    count = 0;
    running = false;
}

void hardware_model::stop_now(setup const& s, system_model&) {
    stop_pending = true;
    pending_stop = {armed_generation, memory, s.through_known, running};
    armed = false;
    clear_ring();
}

void hardware_model::fail(fault_kind what, system_model& sys) {
    fault_pending = true;
    pending_fault = {what, what == fault_kind::unknown ? 0 : ring[0].name};
    --faults;
    stands = what != fault_kind::runs_on;
    if (what == fault_kind::unknown) {
        return;
    }
    sys.effects[ring[0].number] = system_model::faulted;
    running = false;
    for (u32 i = 1; i < count; ++i) {
        ring[i - 1] = ring[i];
    }
    ring[--count] = {};
}

void hardware_model::reset(bool stale, bool keeps_fault_latch) {
    if (stale && (armed || stop_pending)) {
        stale_stop = true;
        stale_generation = stop_pending ? pending_stop.generation : armed_generation;
    }
    if (stale && running) {
        late_write = true;
        late_name = ring[0].name;
    }
    clear_ring();
    armed = false;
    stands = false;
    completion_pending = false;
    stop_pending = false;
    pending_stop = {};
    fault_pending = fault_pending && keeps_fault_latch;
    pending_fault = fault_pending ? pending_fault : fault{};
}

}  // namespace preemption_test
