// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

/// The engine's own steps. Each says whether it can be taken now.
namespace preemption_explore {

inline void pop(hardware& g) {
    for (u32 i = 1; i < g.length; ++i) {
        g.queue[i - 1] = g.queue[i];
    }
    --g.length;
    g.running = false;
}

inline void give(world& w, u32 number, u32 packet, bool resume) {
    hardware& g = w.gpu;
    require(w, !g.armed && !g.stopped, "F4: a packet is given to hardware that is still asked to stop");
    require(w, resume == (g.did[packet] == truth::begun), "AMB-52: a packet begins twice, or goes on without a state");
    g.queue[g.length++] = {number, packet};
}

inline bool can_start(world const& w) {
    hardware const& g = w.gpu;
    if (g.length == 0 || g.running || g.halted) {
        return false;
    }
    u32 const first = w.kind(g.queue[0].packet).waits_for;
    return first == none || w.ended(first) || g.did[first] == truth::finished || g.did[first] == truth::given_up;
}

inline void start(world& w) {
    hardware& g = w.gpu;
    g.running = true;
    g.did[g.queue[0].packet] = truth::begun;
}

inline bool can_finish(world const& w) { return w.gpu.running && !w.gpu.halted; }

inline void finish(world& w) {
    hardware& g = w.gpu;
    queued const one = g.queue[0];
    require(w, g.did[one.packet] == truth::begun, "a packet runs twice");
    g.did[one.packet] = truth::finished;
    g.through = one.number;
    g.wrote_id = w.system.id[one.packet];
    g.written = true;
    pop(g);
}

/// Whether hardware may stop for a request here.
inline bool can_stop(world const& w) {
    hardware const& g = w.gpu;
    if (!g.armed || g.halted) {
        return false;
    }
    if (g.length == 0) {
        return w.how->kind.acknowledges_when_idle;
    }
    bool const divisible = w.kind(g.queue[0].packet).window.start != w.kind(g.queue[0].packet).window.end;
    return !g.running || (divisible && w.how->kind.stops == stopping::inside_a_buffer);
}

inline void stop(world& w) {
    hardware& g = w.gpu;
    g.armed = false;
    g.stopped = true;
    g.stopped_with = g.armed_with;
    g.stopped_half = g.running ? g.queue[0].packet : none;
    g.length = 0;
    g.running = false;
}

inline bool can_fault(world const& w) {
    return w.gpu.faults != 0 && w.gpu.running && !w.gpu.halted && w.gpu.fault == none;
}

inline void fault(world& w) {
    hardware& g = w.gpu;
    queued const one = g.queue[0];
    --g.faults;
    g.fault = one.packet;
    g.fault_number = one.number;
    if (w.how->what == trouble::fault_runs_on) {
        g.did[one.packet] = truth::given_up;
        pop(g);
        return;
    }
    if (w.how->what == trouble::fault_reset) {
        g.did[one.packet] = truth::given_up;
        pop(g);
    }
    g.halted = true;
}

inline bool interrupts(world const& w) { return w.gpu.written || w.gpu.stopped || w.gpu.fault != none; }

/// A reset: nothing is left, except what is on its way already.
inline void clear(world& w) {
    hardware& g = w.gpu;
    if (w.how->what == trouble::late) {
        g.late_write = g.length != 0 || g.stopped;
        if (g.length != 0) {
            g.late_number = g.queue[g.length - 1].number;
            g.late_id = w.system.id[g.queue[g.length - 1].packet];
        } else {
            g.late_number = g.through;
            g.late_id = g.wrote_id;
        }
        g.late_answer = g.armed || g.stopped;
        g.late_generation = g.stopped ? g.stopped_with : g.armed_with;
    }
    g.length = 0;
    g.running = g.written = g.armed = g.stopped = g.halted = false;
    g.stopped_half = g.fault = none;
}

}  // namespace preemption_explore
