// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "slow_engine.hpp"

/// The shipped machine beside the slow one: the same events go to both, and every answer and the whole state must agree.
namespace preemption_test {

/// The word changed as if submissions ran outside the interrupt lock; alone, so nothing has to be atomic.
struct outside_alone : inside_interrupt_lock {
    static constexpr bool submits_outside = true;
};

/// The shipped machine with its data in sight.
template <class Policy, u32 Capacity = 4>
class watched_engine : public engine<Capacity, Policy, model_cookie> {
public:
    [[nodiscard]] bool agrees_with(slow_engine const& slow) const {
        serial_range const queued = this->queued();
        bool const asked = slow.state == engine_state::stopping || slow.state == engine_state::drained;
        bool same = this->state() == slow.state && this->last_completed_ == slow.last && queued.first == slow.first &&
                    queued.count == slow.count && this->generation_ == slow.generation &&
                    (!(asked || slow.state == engine_state::halted) || this->sent_ == slow.first + slow.in_hardware) &&
                    (!asked || (this->request_ == slow.request && this->mark_ == slow.first + slow.requested));
        u32 silent = 0;
        for (u32 i = 0; i != queued.count && same; ++i) {
            model_packet const& p = this->entry(queued.first + i);
            slow_engine::entry const& q = slow.list[i];
            silent += q.silent;
            same = p == q.p && p.cookie.number == q.p.cookie.number && this->is_silent(queued.first + i) == q.silent;
        }
        return same && this->rejected_count_ == silent &&
               ((this->word_ & word::silent) != 0) == (silent != 0);
    }
};

inline bool same(model_outcome const& a, model_outcome const& b) {
    return a == b && a.half_run.cookie.number == b.half_run.cookie.number;
}

/// Only the slow machine, for mistakes.
struct slow_alone {
    slow_engine slow;
    static constexpr bool differs = false;

    void start(bool acknowledges, bool outside, bug mistake, u32 last, u32 serial) {
        slow = {};
        slow.acknowledges = acknowledges;
        slow.outside = outside;
        slow.mistake = mistake;
        slow.last = last;
        slow.newest_id = last;
        slow.first = serial;
    }
    model_submitted submit(model_packet const& p) { return slow.submit(p); }
    void rejected(u32 id) { static_cast<void>(slow.rejected(id)); }
    model_outcome preempt(u32 id) { return slow.preempt(id); }
    model_outcome completed(u32 serial) { return slow.completed(serial); }
    model_outcome stopped(stop const& s) { return slow.stopped(s); }
    model_outcome faulted(fault f) { return slow.faulted(f); }
    model_reset engine_reset(executing e) { return slow.engine_reset(e); }
    serial_range release() { return slow.release(); }
    void adapter_reset() { slow.adapter_reset(); }
    bool restart() { return slow.restart(); }
};

/// Both.
template <class Policy, u32 Capacity = 4>
struct lockstep {
    slow_engine slow;
    watched_engine<Policy, Capacity> fast;
    bool differs = false;

    void start(bool acknowledges, bool, bug mistake, u32 last, u32 serial) {
        slow_alone fresh;
        fresh.start(acknowledges, Policy::submits_outside, mistake, last, serial);
        slow = fresh.slow;
        fast.start(acknowledges, last, serial);
    }

    template <class Slow>
    Slow both(Slow expected, bool answers_agree) {
        differs = differs || !answers_agree || !fast.agrees_with(slow);
        return expected;
    }

    model_submitted submit(model_packet const& p) {
        model_submitted const a = slow.submit(p);
        submitted const b = fast.submit(p);
        return both(a, a.serial == b.serial() && a.hand_over == b.hand_over() && a.release_due == b.release_due() && !b.full());
    }
    rejection rejected(u32 id) {
        rejection const a = slow.rejected(id);
        return both(a, a == fast.rejected(id));
    }
    model_outcome preempt(u32 id) {
        model_outcome const a = slow.preempt(id);
        return both(a, same(a, fast.preempt(id)));
    }
    model_outcome completed(u32 serial) {
        model_outcome const a = slow.completed(serial);
        return both(a, same(a, fast.outcome_of(fast.completed(serial))));
    }
    model_outcome stopped(stop const& s) {
        model_outcome const a = slow.stopped(s);
        return both(a, same(a, fast.stopped(s)));
    }
    model_outcome faulted(fault f) {
        model_outcome const a = slow.faulted(f);
        return both(a, same(a, fast.faulted(f)));
    }
    model_reset engine_reset(executing e) {
        model_reset const a = slow.engine_reset(e);
        return both(a, a == fast.engine_reset(e));
    }
    serial_range release() {
        serial_range const a = slow.release();
        serial_range const b = fast.release();
        return both(a, a == b);
    }
    u32 adapter_reset() {
        u32 const a = slow.adapter_reset();
        return both(a, a == fast.adapter_reset());
    }
    bool restart() {
        bool const a = slow.restart();
        return both(a, a == fast.restart());
    }
};

}  // namespace preemption_test
