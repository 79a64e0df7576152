// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// stack-limit: 128
//
// The preemption path of a driver: it runs at device IRQL, on whatever stack the interrupt found.

#include <wddmcore/preemption.hpp>

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace preemption_path {

/// Submissions outside the interrupt lock, with what the compilers have instead of the WDK's functions.
struct submit_outside {
    static u64 load(u64 const& word) {
        if constexpr (sizeof(void*) == 4) {
            // 32-bit x86 loads 64 bits at once with the x87 or not at all (IRQ-10).
            return __atomic_fetch_add(const_cast<u64*>(&word), 0, __ATOMIC_ACQ_REL);
        } else {
            return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
        }
    }
    static u64 add(u64& word, u64 amount) { return __atomic_fetch_add(&word, amount, __ATOMIC_ACQ_REL); }
    static u32 load(u32 const& cell) { return __atomic_load_n(&cell, __ATOMIC_ACQUIRE); }
    static void store(u32& cell, u32 value) { __atomic_store_n(&cell, value, __ATOMIC_RELEASE); }
};

/// What a driver keeps with a packet, and with a context.
struct driver_packet {
    resume_slot* slot;
    u64 buffer;
};

/// The driver's own bookkeeping of packets that leave.
struct bookkeeping {
    void operator()(submission<driver_packet> const& p, fate why) const {
        packet_identity const same{p.cookie.buffer, p.window};
        if (why == fate::half_run) {
            p.cookie.slot->keep(same);
        } else if (why != fate::preempted && why != fate::lost) {
            p.cookie.slot->finished(same);
        }
    }
};

template <class Engine>
struct events {
    static actions submit(Engine& e, typename Engine::packet const& p) { return e.submit(p); }
    static bool hand_over(Engine& e) { return static_cast<bool>(e.next()); }
    static actions reject(Engine& e, typename Engine::packet const& p) { return e.reject(p, bookkeeping{}); }
    static actions preempt(Engine& e, fence_id request) { return e.preempt(request, bookkeeping{}); }
    static actions completed(Engine& e, serial s) { return e.completed(s, bookkeeping{}); }
    static actions stopped(Engine& e, generation g, serial s, bool half) {
        return e.stopped(g, s, half, bookkeeping{});
    }
    static actions faulted(Engine& e, serial s, after_fault then) { return e.faulted(s, then, bookkeeping{}); }
    static actions disarmed(Engine& e) { return e.disarmed(bookkeeping{}); }
    static actions faulted_unknown(Engine& e) { return e.faulted_unknown(); }
    static actions query(Engine& e, serial s) { return e.query_fence(s, bookkeeping{}); }
    static fence_id reset(Engine& e, executing ran) { return e.engine_reset(ran, bookkeeping{}); }
    static fence_id aborted(Engine const& e, executing ran) { return e.aborted_by_reset(ran); }
    static void reset_failed(Engine& e) { e.engine_reset_failed(); }
    static bool has_room(Engine const& e, u32 cap) { return e.room() != 0 && e.has_room_to_reject(cap); }
    static void reset_adapter(Engine& e) { e.adapter_reset(bookkeeping{}); }
    static actions restart(Engine& e) { return e.restart(bookkeeping{}); }
    static void start(Engine& e) { e.start({stopping::inside_a_buffer, true}); }
};

template struct events<engine<64, under_interrupt_lock, driver_packet>>;
template struct events<engine<16, submit_outside, driver_packet>>;

}  // namespace preemption_path
