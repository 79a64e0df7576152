// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "engine.hpp"

/// The events of an engine machine beside the two fast ones. What each does in which state: engine_state.hpp.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

template <u32 Capacity, class Policy, class Cookie>
constexpr auto engine<Capacity, Policy, Cookie>::preempt(u32 request_id) noexcept -> outcome_type {
    view v = this->look();
    outcome_type out;
    if (v.has(word::halted)) {
        // Nothing answers any more: the system resets, unless there is nothing left to stop (PRE-10).
        if (v.count() != 0) {
            this->ignore();
            return out;
        }
        v.flags &= ~word::stopping;
    } else if (v.has(word::stopping)) {
        // The system promises not to (PRE-23); should it, the newest id is answered, once (AMB-15).
        if (!in_constant_evaluation()) {
            WDDMCORE_ASSERT(!v.has(word::stopping));
        }
        this->request_ = request_id;
        this->mark_ = v.tail;
        return out;
    } else if (v.count() != 0 && !v.has(word::lost | word::releasing)) {
        this->request_ = request_id;
        v.flags |= word::stopping;
        this->sent_ = this->mark_ = this->commit(v);
        out.acts = act::ask;
        out.generation = ++this->generation_;
        return out;
    }
    // Hardware has nothing: it is not asked, and the system hears at once (PRE-10).
    this->request_ = request_id;
    this->reported_ = this->last_completed_;
    this->drop_to(v, v.tail);
    if (!policy::submits_outside) {
        v.flags &= ~word::releasing;
    }
    out.acts = act::preempted;
    static_cast<void>(this->commit(v));
    name_request(out);
    return out;
}

template <u32 Capacity, class Policy, class Cookie>
constexpr auto engine<Capacity, Policy, Cookie>::stopped(stop const& s) noexcept -> outcome_type {
    view v = this->look();
    outcome_type out;
    if (!v.has(word::stopping) || v.has(word::halted) || s.generation != this->generation_) {
        this->ignore();
        return out;
    }
    if (s.through_known && within(v.head, distance(v.head, this->sent_), s.through)) {
        out.acts = act::completed;
        out.completed_id = this->at(s.through).fence_id;
        this->retire_through(v, s.through, this->sent_);
    }
    if (s.next_is_half_run && v.head != this->sent_) {
        out.acts |= act::half_run;
        out.half_run = this->at(v.head);
    }
    out.acts |= act::preempted;
    this->answer_request(v);
    finish(v, out);
    return out;
}

template <u32 Capacity, class Policy, class Cookie>
constexpr auto engine<Capacity, Policy, Cookie>::faulted(fault f) noexcept -> outcome_type {
    view v = this->look();
    outcome_type out;
    u32 const end = this->end_in_hardware(v);
    bool const known = f.kind != fault_kind::unknown;
    if (v.has(word::halted) || v.head == end || (known && !within(v.head, distance(v.head, end), f.serial))) {
        this->ignore();
        return out;
    }
    out.acts = act::faulted | (known ? 0 : act::fault_unknown);
    if (known) {
        for (u32 before = f.serial; before != v.head && !out.has(act::completed);) {
            if (!this->is_silent(--before)) {
                out.acts |= act::completed;
                out.completed_id = this->at(before).fence_id;
            }
        }
        out.faulted_id = this->at(f.serial).fence_id;
        this->retire_through(v, f.serial, end);
    }
    if (f.kind == fault_kind::runs_on) {
        out.acts |= this->settle(v);
        finish(v, out);
        return out;
    }
    v.flags |= word::halted;
    bool const asked = v.has(word::stopping);
    if (asked && v.head == end) {
        this->retire_held_silent(v);
    }
    u32 const tail = this->commit(v);
    if (!asked) {
        // A submission that came between was still handed over.
        this->sent_ = tail;
    }
    return out;
}

template <u32 Capacity, class Policy, class Cookie>
constexpr rejection engine<Capacity, Policy, Cookie>::rejected(u32 fence_id) noexcept {
    view v = this->look();
    if (v.count() == 0 && !(v.has(word::stopping) && !v.has(word::halted))) {
        this->last_completed_ = fence_id;
        return rejection::completed;
    }
    if (v.count() >= data::capacity) {
        this->ignore();
        return rejection::full;
    }
    packet_type& slot = this->ring_[v.tail & (data::capacity - 1)];
    slot = {};
    slot.fence_id = fence_id;
    slot.flags = rejected_flag;
    ++this->rejected_count_;
    v.flags |= word::silent;
    static_cast<void>(policy::exchange_add(this->word_, word::one_submission + (v.flags - v.old_flags)));
    return rejection::waiting;
}

template <u32 Capacity, class Policy, class Cookie>
constexpr serial_range engine<Capacity, Policy, Cookie>::release() noexcept {
    view v = this->look();
    if (!v.has(word::releasing)) {
        return {v.head, 0};
    }
    v.flags &= ~word::releasing;
    return {v.head, distance(v.head, this->commit(v))};
}

template <u32 Capacity, class Policy, class Cookie>
constexpr auto engine<Capacity, Policy, Cookie>::engine_reset(executing e) noexcept -> reset_type {
    view v = this->look();
    reset_type out{};
    u32 const end = this->end_in_hardware(v);
    u32 const serial = e.kind == executing_kind::cannot_tell ? v.head : e.serial;
    out.aborted = e.kind != executing_kind::nothing && within(v.head, distance(v.head, end), serial);
    if (out.aborted) {
        out.packet_aborted = this->at(serial);
        this->retire_through(v, serial, end);
    }
    u32 const aborted_id = out.packet_aborted.fence_id;
    if (!v.has(word::lost)) {
        // What was rejected behind finished packets may count as completed already: never name an id below it (TDR-05).
        this->retire_silent(v, v.tail);
        this->drop_to(v, v.tail);
        v.flags = 0;
        static_cast<void>(this->commit(v));
    }
    out.last_aborted_id = out.aborted ? aborted_id : this->last_completed_;
    return out;
}

template <u32 Capacity, class Policy, class Cookie>
constexpr u32 engine<Capacity, Policy, Cookie>::adapter_reset() noexcept {
    view v = this->look();
    if (v.count() != 0) {
        this->retire_through(v, v.tail - 1, v.tail);
    }
    v.flags = word::lost;
    static_cast<void>(this->commit(v));
    return this->last_completed_;
}

template <u32 Capacity, class Policy, class Cookie>
constexpr bool engine<Capacity, Policy, Cookie>::restart() noexcept {
    view v = this->look();
    if (!v.has(word::lost)) {
        this->ignore();
        return false;
    }
    v.flags &= ~word::lost;
    this->retire_silent(v, v.tail);
    if (v.head != v.tail) {
        v.flags |= word::releasing;
    }
    static_cast<void>(this->commit(v));
    return v.has(word::releasing);
}

}  // namespace wddmcore::preemption
