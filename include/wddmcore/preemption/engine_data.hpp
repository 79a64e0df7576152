// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/assert.hpp"
#include "../base/checked.hpp"
#include "outcome.hpp"
#include "scheduling_rules.hpp"
#include "serial.hpp"

/// What an engine machine keeps, and the steps that its events are made of.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Checks the parameters of an engine machine; a wrong one is one compile error.
template <u32 Capacity, class Policy>
consteval bool check_engine() {
    static_assert(is_power_of_two(Capacity) && Capacity <= most_packets,
                  "preemption::engine: `Capacity` must be a power of two from 1 to 128 packets");
    static_assert(word_policy<Policy>,
                  "preemption::engine: `Policy` must have `static wddmcore::u64 load(wddmcore::u64 const& at)`, `static "
                  "wddmcore::u64 exchange_add(wddmcore::u64& at, wddmcore::u64 value)` and `static constexpr bool "
                  "submits_outside`");
    return is_power_of_two(Capacity) && Capacity <= most_packets && word_policy<Policy>;
}

/// The data of an engine machine. Nobody but its own events changes it.
///
/// Three serials divide the ring: [head, sent) is in hardware, [sent, tail) is not. Without a request or a fault in the
/// way, all of it is in hardware, or, while held packets wait for release(), none of it.
template <u32 Capacity, class Policy, class Cookie>
class engine_data {
    static constexpr bool checked = check_engine<Capacity, Policy>();

protected:
    using policy = meta::conditional_t<checked, Policy, inside_interrupt_lock>;
    using packet_type = packet<Cookie>;
    static constexpr u32 capacity = checked ? Capacity : 1;

    /// The word, taken apart while an event is carried out.
    struct view {
        u32 head;
        u32 tail;
        u32 flags;
        u32 first;      ///< head and flags as they were loaded
        u32 old_flags;

        [[nodiscard]] constexpr bool has(u32 what) const noexcept { return (flags & what) != 0; }
        [[nodiscard]] constexpr u32 count() const noexcept { return distance(head, tail); }
    };

    alignas(8) u64 word_ = 0;       ///< see word.hpp; all else belongs to the interrupt lock
    u32 last_completed_ = 0;        ///< never the id of a preempted packet (PRE-14), so not the slot before head
    u32 generation_ = 0;            ///< of the newest request that hardware was asked for
    u32 request_ = 0;               ///< PreemptionFenceId of the newest request
    u32 reported_ = 0;              ///< LastCompletedFenceId of the last report: what was held has no part in it
    u32 mark_ = 0;                  ///< while stopping: what was submitted before it is preempted, what after it, held
    u32 sent_ = 0;                  ///< while stopping or halted: where hardware's packets end; see end_in_hardware
    u32 rejected_count_ = 0;        ///< entries in the ring that hardware never sees
    u32 ignored_count_ = 0;
    bool acknowledges_when_idle_ = false;
    packet_type ring_[capacity]{};  ///< by serial; written by submissions, read only up to a tail that was loaded

    [[nodiscard]] constexpr packet_type const& at(u32 serial) const noexcept { return ring_[serial & (capacity - 1)]; }
    [[nodiscard]] constexpr bool is_silent(u32 serial) const noexcept { return (at(serial).flags & rejected_flag) != 0; }

    [[nodiscard]] constexpr view look() const noexcept {
        u64 const value = policy::load(word_);
        u32 const head = word::tail_of(value) - word::count_of(value);
        return {head, word::tail_of(value), word::flags_of(value), head, word::flags_of(value)};
    }

    /// Adds what an event changed; returns the tail at that moment, which a submission may have moved meanwhile.
    constexpr u32 commit(view const& v) noexcept {
        u64 const change = u64{v.flags} - u64{v.old_flags} - u64{distance(v.first, v.head)};
        return change == 0 ? v.tail : word::tail_of(policy::exchange_add(word_, change));
    }

    /// Where hardware's packets end.
    [[nodiscard]] constexpr u32 end_in_hardware(view const& v) const noexcept {
        return v.has(word::stopping | word::halted) ? sent_ : v.has(word::releasing | word::lost) ? v.head : v.tail;
    }

    /// Takes packets from the front, without saying that they were done.
    constexpr void drop_to(view& v, u32 end) noexcept {
        for (; rejected_count_ != 0 && v.head != end; ++v.head) {
            rejected_count_ -= is_silent(v.head);
        }
        v.head = end;
        v.flags &= rejected_count_ == 0 ? ~word::silent : ~0u;
    }

    /// Rejected submissions whose turn has come are done, and the system does not ask for a record (PRE-30).
    constexpr void retire_silent(view& v, u32 end) noexcept {
        while (v.has(word::silent) && v.head != end && is_silent(v.head)) {
            last_completed_ = at(v.head).fence_id;
            drop_to(v, v.head + 1);
        }
    }

    /// A packet has finished or was given up, and everything before it with it (INT-07).
    constexpr void retire_through(view& v, u32 serial, u32 end) noexcept {
        last_completed_ = at(serial).fence_id;
        drop_to(v, serial + 1);
        retire_silent(v, end);
        if (v.has(word::halted) && v.head == end) {
            retire_held_silent(v);
        }
    }

    /// Nothing answers a request any more: what was rejected since has its turn now.
    constexpr void retire_held_silent(view& v) noexcept {
        retire_silent(v, v.tail);
        sent_ = v.head;
    }

    /// What was held since a request, or between reset and restart, may go to hardware: by release(), because hardware's
    /// ring belongs to the submit lock. A submission that this event does not see yet must wait for it too.
    constexpr void let_go(view& v) noexcept {
        retire_silent(v, v.tail);
        v.flags |= policy::submits_outside || v.head != v.tail ? word::releasing : 0u;
    }

    /// The outstanding request is answered: what was submitted before it is given back (PRE-15).
    constexpr void answer_request(view& v) noexcept {
        reported_ = last_completed_;
        drop_to(v, mark_);
        v.flags &= ~word::stopping;
        let_go(v);
    }

    /// Hardware that has finished all it had while a request is outstanding still answers, or the machine does.
    [[nodiscard]] constexpr u32 settle(view& v) noexcept {
        if (!v.has(word::stopping) || v.has(word::halted) || v.head != sent_ || acknowledges_when_idle_) {
            return 0;
        }
        answer_request(v);
        return act::disarm | act::preempted;
    }

    constexpr void ignore() noexcept { ++ignored_count_; }
};

}  // namespace wddmcore::preemption
