// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What the instruction gates count of the preemption machine: each event as a driver calls it, from outside.

#include <wddmcore/preemption/engine/engine.hpp>

#include <cstdlib>

namespace {

using namespace wddmcore;
using namespace wddmcore::preemption;

struct shared_cells {
    static u64 load(u64 const& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
    static u32 load(u32 const& cell) { return __atomic_load_n(&cell, __ATOMIC_ACQUIRE); }
    static void store(u32& cell, u32 value) { __atomic_store_n(&cell, value, __ATOMIC_RELEASE); }
};

struct exchange_add : shared_cells {
    static u64 add(u64& word, u64 amount) { return __atomic_fetch_add(&word, amount, __ATOMIC_ACQ_REL); }
};

struct compare_exchange : shared_cells {
    static u64 add(u64& word, u64 amount) {
        u64 before = load(word);
        while (
            !__atomic_compare_exchange_n(&word, &before, before + amount, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        }
        return before;
    }
};

constexpr u32 rounds = 4096;
u32 faults = 0;

template <class Policy>
using machine = engine<64, Policy>;

void expect(bool holds) { faults += holds ? 0 : 1; }

}  // namespace

// The counted functions: a call of the machine each, the loops around them are not counted.
#define MEASURED(name) extern "C" [[gnu::noinline]] actions name

MEASURED(measured_submit_add)(machine<exchange_add>& e, submission<> const& p) { return e.submit(p); }
MEASURED(measured_submit_locked)(machine<under_interrupt_lock>& e, submission<> const& p) { return e.submit(p); }
MEASURED(measured_submit_loop)(machine<compare_exchange>& e, submission<> const& p) { return e.submit(p); }
MEASURED(measured_complete_add)(machine<exchange_add>& e, serial s) { return e.completed(s); }
MEASURED(measured_complete_locked)(machine<under_interrupt_lock>& e, serial s) { return e.completed(s); }
MEASURED(measured_complete_loop)(machine<compare_exchange>& e, serial s) { return e.completed(s); }

template <class Policy>
void each(actions (*submit_one)(machine<Policy>&, submission<> const&),
          actions (*complete_one)(machine<Policy>&, serial)) {
    static machine<Policy> e;
    e.start({stopping::inside_a_buffer, true});
    for (u32 i = 0; i != rounds; ++i) {
        expect(submit_one(e, {{i}, 0, {0, 4096}, i}).has(action::hand_over));
        auto const p = e.next();
        expect(complete_one(e, p.number) == only(action::completed));
    }
}

/// Handing over is the driver's loop, and has its own entry.
extern "C" [[gnu::noinline]] u32 measured_cycle_uncounted_next(machine<exchange_add>& e) { return e.next().number.n; }
extern "C" [[gnu::noinline]] u32 measured_next(machine<exchange_add>& e) { return e.next().number.n; }
extern "C" [[gnu::noinline]] u32 measured_cycle(machine<exchange_add>& e, submission<> const& p) {
    u32 seen = e.submit(p).bits;
    serial const first{measured_cycle_uncounted_next(e)};
    seen |= e.preempt({7}).bits;
    seen |= e.stopped(e.report().asked, {first.n - 1}, true).bits;
    seen |= e.submit(p).bits;
    return seen;
}

/// An event's byte is its row: twice the event, plus one if it leaves something to wait for.
extern "C" [[gnu::noinline]] u32 measured_table(unsigned char const* event, unsigned char const* end) {
    auto state = engine_state::idle;
    for (; event != end; ++event) {
        state = preemption::detail::next_state(state, u32{*event});
    }
    return static_cast<u32>(state);
}

int main() {
    each<exchange_add>(measured_submit_add, measured_complete_add);
    each<under_interrupt_lock>(measured_submit_locked, measured_complete_locked);
    each<compare_exchange>(measured_submit_loop, measured_complete_loop);

    static machine<exchange_add> e;
    e.start({stopping::inside_a_buffer, true});
    for (u32 i = 0; i != rounds; ++i) {
        u32 const seen = measured_cycle(e, {{i}, 0, {0, 4096}, i});
        expect((seen & static_cast<u32>(action::interrupted)) != 0);
        expect(measured_next(e) != 0);
        expect(e.completed({e.next_serial().n - 1}) == only(action::completed));
    }

    static unsigned char events[rounds];
    u64 random = 88172645463325252u;
    for (unsigned char& event : events) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        event = static_cast<unsigned char>(random % (2 * engine_events));
    }
    expect(measured_table(events, events + rounds) < engine_states);
    return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
