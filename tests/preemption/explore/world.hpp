// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "options.hpp"

namespace preemption_explore {

using machine = engine<4, under_interrupt_lock, u32>;

/// Where the system believes a packet to be.
enum class place : u32 {
    waiting,  ///< to be submitted, for the first time or again
    queued,   ///< submitted
    done,
    faulted,
    aborted,
    dropped,  ///< cancelled, or rejected and preempted before its turn
};

/// What hardware really did with a packet.
enum class truth : u32 { untouched, begun, finished, given_up };

/// The GPU scheduler's side of one engine.
struct scheduler {
    place at[most_packets];
    bool returned[most_packets];  ///< was preempted or lost: comes back
    u32 id[most_packets];
    u32 list[most_packets];  ///< submitted packets, oldest first
    u32 length;
    u32 covered;  ///< of those, how many the outstanding request asks back
    bool requested;
    u32 request;
    u32 next_id;
    u32 last;        ///< the last completed id
    bool halted;     ///< a fault that needs a reset was reported
    bool lost;       ///< between adapter reset and restart
    bool deaf;       ///< a reset has begun: interrupts of the engine are ignored (TDR-10)
    bool escalates;  ///< a paging packet was caught in an engine reset, or that has failed (TDR-08)
    bool refused;    ///< it has failed
    u32 requests;
    u32 engine_resets;
    u32 adapter_resets;
    u32 cancels;
};

/// One packet in the hardware's queue.
struct queued {
    u32 number;
    u32 packet;
};

/// The engine, advanced by hand.
struct hardware {
    queued queue[most_packets];
    u32 length;
    bool running;  ///< the first one has begun
    truth did[most_packets];
    u32 through;   ///< what it wrote last: a serial
    u32 wrote_id;  ///< that packet's id, for the driver that uses it
    bool written;  ///< since the last interrupt
    bool armed;    ///< a request to stop
    u32 armed_with;
    bool stopped;  ///< its answer
    u32 stopped_with;
    u32 stopped_half;  ///< the packet that was running, or none
    u32 fault;         ///< the packet of a fault that was not read yet, or none
    u32 fault_number;
    bool halted;
    u32 faults;
    bool late_write;  ///< something stale may still arrive
    u32 late_number;
    u32 late_id;
    bool late_answer;
    u32 late_generation;
};

struct world {
    options const* how;
    machine engine;
    scheduler system;
    hardware gpu;
    resume_slot slots[3];
    bool hand_over_due;
    bool in_ring[most_packets];
    bool handed[most_packets];
    u32 number[most_packets];
    u32 halfway;  ///< the packet whose half-run stop is being reported, or none
    bool told_halfway;
    u32 executing;  ///< during a reset: what ran, or none
    bool resetting;
    char const* broken;

    [[nodiscard]] packet_kind const& kind(u32 packet) const { return how->packets->packets[packet]; }
    [[nodiscard]] bool ended(u32 packet) const {
        return system.at[packet] != place::waiting && system.at[packet] != place::queued;
    }
};

/// The first violation of a history is the one that is shown.
inline void require(world& w, bool holds, char const* what) {
    if (!holds && w.broken == nullptr) {
        w.broken = what;
    }
}

inline packet_identity identity(packet_kind const& kind) { return {kind.buffer + 1, kind.window}; }

inline world begin(options const& o) {
    world w{};
    w.how = &o;
    w.engine.start(o.kind, {o.first_id}, {o.first_serial});
    w.system.next_id = o.first_id + 1;
    w.system.last = o.first_id;
    w.system.requests = o.requests;
    w.system.engine_resets = o.engine_resets;
    w.system.adapter_resets = o.adapter_resets;
    w.system.cancels = o.cancels;
    w.gpu.through = o.first_serial - 1;
    w.gpu.stopped_half = w.gpu.fault = w.halfway = w.executing = none;
    w.gpu.faults = o.faults;
    return w;
}

}  // namespace preemption_explore
