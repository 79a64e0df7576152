// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What the instruction gates count on the engine machine, ring included, one set of functions for each way of changing
// its word. A packet stands in memory before a submission, as DXGKARG_SUBMITCOMMAND does; answers are read by the caller.

#include <wddmcore/preemption.hpp>

#include <cstdlib>

namespace {

using namespace wddmcore;
using namespace wddmcore::preemption;

/// One locked exchange-add, as InterlockedExchangeAdd64 gives it.
struct exchange_adding {
    static constexpr bool submits_outside = true;
    static u64 load(u64 const& at) { return __atomic_load_n(&at, __ATOMIC_ACQUIRE); }
    static u64 exchange_add(u64& at, u64 value) { return __atomic_fetch_add(&at, value, __ATOMIC_SEQ_CST); }
};

/// A compare-exchange loop, for processors that have nothing else for 64 bits.
struct compare_exchanging {
    static constexpr bool submits_outside = true;
    static u64 load(u64 const& at) { return __atomic_load_n(&at, __ATOMIC_ACQUIRE); }
    static u64 exchange_add(u64& at, u64 value) {
        u64 old = __atomic_load_n(&at, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(&at, &old, old + value, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
        }
        return old;
    }
};

template <class Policy>
using machine = engine<64, Policy>;

packet<> const sample{0x1000, submit_flag::paging, 0x40, 0x80, {0xC0, 0xB0}};

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

/// Submitted, asked to stop, stopped inside, given back, submitted again and handed over.
template <class Policy>
[[gnu::always_inline]] inline u64 cycle(machine<Policy>& e, packet<> const& p, u32 request) {
    u64 const first = e.submit(p).packed;
    u32 const generation = e.preempt(request).generation;
    outcome<> const o = e.stopped({generation, 0, false, true});
    submitted const again = e.submit(p);
    if constexpr (Policy::submits_outside) {
        return first + o.acts + o.half_run.fence_id + e.release().count + again.packed;
    } else {
        return first + o.acts + o.half_run.fence_id + again.packed;
    }
}

}  // namespace

extern "C" {

[[gnu::noinline]] u64 measured_preempt_submit_locked(machine<inside_interrupt_lock>& e, packet<> const& p) {
    return e.submit(p).packed;
}
[[gnu::noinline]] u64 measured_preempt_submit(machine<exchange_adding>& e, packet<> const& p) { return e.submit(p).packed; }
[[gnu::noinline]] u64 measured_preempt_submit_cmpxchg(machine<compare_exchanging>& e, packet<> const& p) {
    return e.submit(p).packed;
}

[[gnu::noinline]] u64 measured_preempt_complete_locked(machine<inside_interrupt_lock>& e, u32 serial) {
    return e.completed(serial).packed;
}
[[gnu::noinline]] u64 measured_preempt_complete(machine<exchange_adding>& e, u32 serial) { return e.completed(serial).packed; }
[[gnu::noinline]] u64 measured_preempt_complete_cmpxchg(machine<compare_exchanging>& e, u32 serial) {
    return e.completed(serial).packed;
}

[[gnu::noinline]] u64 measured_preempt_cycle_locked(machine<inside_interrupt_lock>& e, packet<> const& p, u32 request) {
    return cycle(e, p, request);
}
[[gnu::noinline]] u64 measured_preempt_cycle(machine<exchange_adding>& e, packet<> const& p, u32 request) {
    return cycle(e, p, request);
}
[[gnu::noinline]] u64 measured_preempt_cycle_cmpxchg(machine<compare_exchanging>& e, packet<> const& p, u32 request) {
    return cycle(e, p, request);
}

}  // extern "C"

namespace {

constexpr u32 rounds = 1000;

template <class Policy, class Submit, class Complete, class Cycle>
void run(Submit submit_one, Complete complete_one, Cycle one_cycle) {
    static machine<Policy> e;
    e.start(true, 0, 0xFFFF'FF00u);
    packet<> p = sample;
    for (u32 i = 0; i != rounds; ++i) {
        p.fence_id = i;
        submitted const s{submit_one(e, p)};
        require(s.hand_over());
        completion const c{complete_one(e, s.serial())};
        require(c.usual() && c.completed_id() == i);
    }
    for (u32 i = 0; i != rounds; ++i) {
        static_cast<void>(one_cycle(e, p, i));
        require(e.queued().count == 1 && e.state() == engine_state::busy);
        require(e.completed(e.queued().first).usual());
    }
}

}  // namespace

int main() {
    run<inside_interrupt_lock>(measured_preempt_submit_locked, measured_preempt_complete_locked, measured_preempt_cycle_locked);
    run<exchange_adding>(measured_preempt_submit, measured_preempt_complete, measured_preempt_cycle);
    run<compare_exchanging>(measured_preempt_submit_cmpxchg, measured_preempt_complete_cmpxchg, measured_preempt_cycle_cmpxchg);
}
