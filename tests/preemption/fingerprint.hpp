// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

#include <vector>

/// States as 64-bit fingerprints: of ten million states, two share one with a probability of some 3 in a million.
namespace preemption_test {

class mixer {
public:
    void add(u64 value) {
        u64 x = (state_ ^ value) * 0x9E37'79B9'7F4A'7C15u;
        x ^= x >> 32;
        state_ = x * 0xD6E8'FEB8'6659'FD93u + 0x2545'F491'4F6C'DD1Du;
    }
    [[nodiscard]] u64 value() const { return state_ ^ state_ >> 29; }

private:
    u64 state_ = 0x243F'6A88'85A3'08D3u;
};

inline void add(mixer& m, slow_engine const& e) {
    m.add(static_cast<u64>(e.state) | u64{e.count} << 8 | u64{e.in_hardware} << 16 | u64{e.requested} << 24 |
          u64{e.ask_outstanding} << 32);
    m.add(static_cast<u64>(e.last) << 32 | e.generation);
    m.add(static_cast<u64>(e.request) << 32 | e.first);
    m.add(e.newest_id);
    for (u32 i = 0; i != e.count; ++i) {
        m.add(static_cast<u64>(e.list[i].p.fence_id) << 32 | e.list[i].p.flags << 16 | u32{e.list[i].p.cookie.number} << 8 |
              u32{e.list[i].silent});
    }
}

inline void add(mixer& m, system_model const& s) {
    m.add(static_cast<u64>(s.next_id) << 32 | s.last);
    m.add(static_cast<u64>(s.request) << 32 | u32{s.before_request} << 28 | u32{s.before_first_request} << 24 | u32{s.sent_count} << 16 | u32{s.preempts} << 12 |
          u32{s.resets} << 8 | u32{s.adapter_resets} << 4 | u32{s.outstanding} << 3 | u32{s.reset_due} << 2 |
          u32{s.adapter_reset_due} << 1 | u32{s.down});
    for (u32 p = 0; p != most_packets_of_a_pool; ++p) {
        m.add(static_cast<u64>(s.ids[p]) << 32 | static_cast<u32>(s.fates[p]) << 24 | u32{s.came_back[p]} << 20 |
              u32{s.handed_over[p]} << 16 | u32{s.effects[p]} << 8 | s.sent[p]);
    }
}

inline void add(mixer& m, hardware_model const& h) {
    for (u32 i = 0; i != h.count; ++i) {
        m.add(static_cast<u64>(h.ring[i].name) << 32 | u32{h.ring[i].number} << 8 | u32{h.ring[i].resumed});
    }
    m.add(static_cast<u64>(h.memory) << 32 | u32{h.count} << 24 | u32{h.faults} << 16 | u32{h.running} << 8 |
          u32{h.armed} << 7 | u32{h.stands} << 6 | u32{h.completion_pending} << 5 | u32{h.stop_pending} << 4 |
          u32{h.fault_pending} << 3 | u32{h.stale_stop} << 2 | u32{h.late_write} << 1);
    m.add(static_cast<u64>(h.armed ? h.armed_generation : 0) << 32 | (h.stale_stop ? h.stale_generation : 0));
    m.add(static_cast<u64>(h.late_write ? h.late_name : 0) << 32 | (h.fault_pending ? h.pending_fault.serial : 0));
    if (h.stop_pending) {
        m.add(static_cast<u64>(h.pending_stop.generation) << 32 | h.pending_stop.through);
    }
    m.add(static_cast<u64>(h.pending_fault.kind) << 1 | u64{h.pending_stop.next_is_half_run});
}

template <class Machine>
u64 fingerprint(world<Machine> const& w) {
    mixer m;
    add(m, w.machine.slow);
    add(m, w.sys);
    add(m, w.hardware);
    u64 slots = w.deferred_call;
    for (u32 c = 0; c != contexts; ++c) {
        u64 which = 0;
        for (u32 p = 0; p != w.s->pool.size(); ++p) {
            pool_packet const& q = w.s->pool[p];
            u32 const start = 64u * q.window;
            u32 const end = is_switch(q.what) ? start : start + 64;
            if (q.context == c && w.slots[c].holds({0, 0, start, end, {0, q.place}})) {
                which = p + 1;
            }
        }
        m.add(u64{w.slots[c].serial()} << 1 | u64{w.slots[c].handed_over()});
        slots = slots << 8 | which << 1 | u64{w.slots[c].occupied()};
    }
    m.add(slots);
    return m.value();
}

/// A set of fingerprints; none of them is ever taken out.
class fingerprint_set {
public:
    bool insert(u64 value) {
        value += value == 0;
        if (used_ * 2 >= cells_.size()) {
            grow();
        }
        u64& cell = find(value);
        if (cell == value) {
            return false;
        }
        cell = value;
        ++used_;
        return true;
    }

private:
    u64& find(u64 value) {
        std::size_t at = value & (cells_.size() - 1);
        while (cells_[at] != 0 && cells_[at] != value) {
            at = (at + 1) & (cells_.size() - 1);
        }
        return cells_[at];
    }

    void grow() {
        std::vector<u64> old(cells_.size() * 4, 0);
        old.swap(cells_);
        for (u64 const value : old) {
            if (value != 0) {
                find(value) = value;
            }
        }
    }

    std::vector<u64> cells_ = std::vector<u64>(1024, 0);
    std::size_t used_ = 0;
};

}  // namespace preemption_test
