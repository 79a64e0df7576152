// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

/// The canonical form of a state: serials and generations relative to the machine's, ids as the packets that they name.
namespace preemption_explore {

struct mixer {
    u64 value = 0x9E37'79B9'7F4A'7C15u;

    void add(u32 field) {
        value = (value ^ field) * 0xFF51'AFD7'ED55'8CCDu;
        value ^= value >> 32;
    }
    /// Up to eight small fields at once.
    void add(u32 a, u32 b, u32 c, u32 d, u32 e = 0, u32 f = 0, u32 g = 0, u32 h = 0) {
        add(a | b << 4 | c << 8 | d << 12 | e << 16 | f << 20 | g << 24 | h << 28);
    }
};

/// A distance that may lie a little on both sides; far away is all the same.
constexpr u32 near_to(u32 number, u32 reference) {
    u32 const shifted = number - reference + 7;
    return shifted < 15 ? shifted : 15;
}

constexpr u32 bit(bool b) { return b ? 1u : 0u; }

inline u32 kept(world const& w, u32 context) {
    if (!w.slots[context].taken) {
        return none;
    }
    for (u32 packet = 0; packet < w.how->packets->count; ++packet) {
        if (identity(w.kind(packet)) == w.slots[context].packet) {
            return packet;
        }
    }
    return none + 1;
}

inline void add_machine(mixer& m, world const& w) {
    engine_snapshot const e = w.engine.snapshot();
    bool const waits = e.state == engine_state::stopping || e.state == engine_state::drained;
    m.add(static_cast<u32>(e.state), before(e.handed, e.oldest) ? 0 : near_to(e.handed.n, e.oldest.n),
          waits ? e.mark.n - e.oldest.n : 0, w.engine.count(), bit(e.answer_due), kept(w, 0), kept(w, 1), kept(w, 2));
}

inline void add_hardware(mixer& m, world const& w) {
    hardware const& g = w.gpu;
    u32 const oldest = w.engine.oldest().n;
    u32 const asked = w.engine.snapshot().asked.n;
    for (u32 i = 0; i < g.length; ++i) {
        m.add(g.queue[i].packet, near_to(g.queue[i].number, oldest), 0, 1);
    }
    m.add(g.length, bit(g.running) | bit(g.written) << 1 | bit(g.armed) << 2 | bit(g.stopped) << 3,
          near_to(g.through, oldest), g.armed ? near_to(g.armed_with, asked) : 0,
          g.stopped ? near_to(g.stopped_with, asked) : 0, g.stopped_half,
          bit(g.halted) | bit(g.late_write) << 1 | bit(g.late_answer) << 2, g.faults);
    m.add(g.fault, g.fault == none ? 0 : near_to(g.fault_number, oldest),
          g.late_write || g.late_answer ? near_to(g.late_number, oldest) : 0,
          g.late_answer ? near_to(g.late_generation, asked) : 0);
}

inline u64 key(world const& w) {
    mixer m;
    scheduler const& s = w.system;
    add_machine(m, w);
    add_hardware(m, w);
    for (u32 packet = 0; packet < w.how->packets->count; ++packet) {
        m.add(static_cast<u32>(s.at[packet]), bit(s.returned[packet]) | bit(w.handed[packet]) << 1,
              static_cast<u32>(w.gpu.did[packet]), packet < s.length ? s.list[packet] : none);
    }
    m.add(s.length, s.covered, bit(s.requested) | bit(s.halted) << 1 | bit(s.lost) << 2 | bit(s.escalates) << 3,
          s.requests, s.engine_resets | bit(s.refused) << 2, s.adapter_resets, s.cancels, bit(w.hand_over_due));
    return m.value;
}

}  // namespace preemption_explore
