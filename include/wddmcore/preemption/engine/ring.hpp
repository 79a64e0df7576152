// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/preemption_model.hpp"
#include "engine_kind.hpp"
#include "state.hpp"
#include "submission.hpp"
#include "word.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The default for a callback that learns of each packet that leaves the ring, and why: it does nothing.
struct nobody {
    /// Any IRQL, nonpaged.
    template <class Packet>
    constexpr void operator()(Packet const&, fate) const noexcept {}
};

/// A packet to write to hardware.
template <class Cookie>
struct handed_over {
    serial number;                     ///< what hardware writes when it has finished the packet
    submission<Cookie> const* packet;  ///< NULL when there is nothing to hand over

    /// Whether there is one. Any IRQL, nonpaged. @return false: there is nothing to hand over
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return packet != nullptr; }
};

namespace detail {

[[nodiscard]] constexpr bool ring_capacity_fits(u32 capacity) noexcept {
    return capacity != 0 && (capacity & (capacity - 1)) == 0 && capacity <= hw::most_ring_capacity;
}

/// Says what is wrong with an engine's parameters, as one compile error. Always true.
template <bool CapacityFits, bool PolicyFits>
consteval bool ring_sentence() {
    static_assert(CapacityFits,
                  "preemption::engine: the capacity must be a power of two from 1 to 32768 (see engine_for)");
    static_assert(
        PolicyFits || !CapacityFits,
        "preemption::engine: the policy needs `static wddmcore::u64 load(wddmcore::u64 const& word)`, `static "
        "wddmcore::u64 add(wddmcore::u64& word, wddmcore::u64 amount)`, which gives the value before, `static "
        "wddmcore::u32 load(wddmcore::u32 const& cell)` and `static void store(wddmcore::u32& cell, "
        "wddmcore::u32 value)`");
    return true;
}

/// The packets of an engine, oldest first, in a fixed ring: the storage below `engine`.
///
/// Three ranges follow each other: what hardware has, what was released but not handed over yet, what is held back.
/// Invariant: while nothing is held back, the oldest entry was not refused.
template <u32 Capacity, class Policy, class Cookie>
class ring {
    static_assert(ring_sentence<ring_capacity_fits(Capacity), word_policy<Policy>>());
    // The sentence is to be the only error, so the rest compiles with a capacity and a policy that fit.
    static constexpr u32 capacity = ring_capacity_fits(Capacity) ? Capacity : 1;
    using policy = meta::conditional_t<word_policy<Policy>, Policy, under_interrupt_lock>;

public:
    using packet = submission<Cookie>;

    /// Whether the ring holds as many packets as the system demands (INT-14); if not, the device must not start. Any
    /// IRQL, nonpaged. Source page: ns-dispmprt-_dxgk_start_info.md.
    ///
    /// @param required_entries  packets: RequiredDmaQueueEntry of DXGK_START_INFO
    /// @return true: it does
    [[nodiscard]] static constexpr bool holds(u32 required_entries) noexcept { return required_entries <= Capacity; }

    /// The packet of a serial. Submission or interrupt lock.
    ///
    /// @param number  from oldest() to before next_serial(): any other gives some packet that has left
    /// @return the packet, which stays at its place until it leaves the ring
    [[nodiscard]] constexpr packet const& at(serial number) const noexcept { return slots_[number.n & last_slot]; }

    /// How many packets are in the ring, refused ones included. Either lock; with `under_interrupt_lock` the
    /// interrupt lock.
    /// @return packets, at most the capacity
    [[nodiscard]] constexpr u32 count() const noexcept { return word().tail() - head(); }

    /// How many more packets it takes before submit() says `full`. Submission lock.
    /// @return packets, at most the capacity
    [[nodiscard]] constexpr u32 room() const noexcept { return capacity - count(); }

    /// Whether one more refused submission (PRE-30) leaves room for all that the system may still submit.
    ///
    /// The system counts its own packets only: refused ones that wait for a long packet to finish take places that it
    /// does not know of. Ask before you answer a submission with invalid-parameter. On false, take the packet with
    /// submit() as one that executes nothing (PRE-29) and answer success: then the system counts it. Both locks.
    ///
    /// @param packet_cap  packets: HwQueuePacketCap, or what the system keeps in flight where that is 0
    /// @return true: reject() will not say full
    [[nodiscard]] constexpr bool has_room_to_reject(u32 packet_cap) const noexcept {
        u32 taken = 0;
        for (u32 number = head(), end = word().tail(); number != end; ++number) {
            taken += is_refused(number) ? 1u : 0u;
        }
        return packet_cap <= capacity && taken < capacity - packet_cap;
    }

    /// The newest submission that was neither completed nor preempted: the highest id that the system accepts from a
    /// reset (TDR-05). Both locks.
    /// @return its fence id; that of the last completed packet when the ring is empty
    [[nodiscard]] constexpr fence_id newest_submitted() const noexcept {
        return count() != 0 ? at({word().tail() - 1}).fence : last_completed_;
    }

    /// The oldest packet in the ring. Either lock; with `under_interrupt_lock` the interrupt lock.
    /// @return its serial; next_serial() when the ring is empty
    [[nodiscard]] constexpr serial oldest() const noexcept { return {head()}; }

    /// What the next submission will be numbered. Either lock; with `under_interrupt_lock` the interrupt lock.
    /// @return its serial
    [[nodiscard]] constexpr serial next_serial() const noexcept { return {word().tail()}; }

    /// What the engine is doing. Either lock; with `under_interrupt_lock` the interrupt lock.
    /// @return the state as of the last event
    [[nodiscard]] constexpr engine_state state() const noexcept { return seen().state(); }

    /// What DxgkDdiQueryCurrentFence answers. Interrupt lock.
    /// @return the last completed fence id, never that of a preempted packet (PRE-14)
    [[nodiscard]] constexpr fence_id last_completed() const noexcept { return last_completed_; }

    /// How many events did not apply: stale serials, answers to older requests. Interrupt lock.
    /// @return events since start(), modulo 2^32
    [[nodiscard]] constexpr u32 ignored() const noexcept { return ignored_; }

protected:
    /// What an event finds.
    struct view {
        engine_word word;
        u32 head;
        u32 tail;

        [[nodiscard]] constexpr bool is(engine_state held) const noexcept {
            return word.state() == static_cast<u32>(held);
        }
        [[nodiscard]] constexpr bool is_released() const noexcept { return (word.low() & engine_word::released) != 0; }
        [[nodiscard]] constexpr bool is_busy() const noexcept { return is_released() && head != tail; }
        [[nodiscard]] constexpr engine_state state() const noexcept {
            if (!is_released()) {
                return static_cast<engine_state>(word.state());
            }
            return head == tail ? engine_state::idle : engine_state::busy;
        }
    };

    constexpr void begin(fence_id last_completed, serial first) noexcept {
        word_ = u64{first.n} << 32 | engine_word::released;
        oldest_ = handed_ = first.n;
        ignored_ = 0;
        last_completed_ = last_completed;
    }

    [[nodiscard]] constexpr view seen() const noexcept {
        engine_word const w = word();
        return {w, head(), w.tail()};
    }

    constexpr actions ignore() noexcept {
        ++ignored_;
        return {};
    }

    [[nodiscard]] constexpr serial hardware_end() const noexcept { return {handed_}; }

    constexpr void set_last_completed(fence_id id) noexcept { last_completed_ = id; }

    /// Publishes a state and the oldest entry. Interrupt lock.
    constexpr void publish(view const& v, engine_state next, u32 head) noexcept {
        publish_low(v, next <= engine_state::busy ? engine_word::released : static_cast<u32>(next), head);
    }

    /// The same for a state in which nothing is held back; returns the word that it replaces.
    constexpr engine_word publish_released(view const& v, u32 head) noexcept {
        return publish_low(v, engine_word::released, head);
    }

    constexpr actions take_in(packet const& p) noexcept {
        engine_word const now = word();
        if (now.tail() - head() == capacity) [[unlikely]] {
            return only(action::full);
        }
        promise((p.flags & refused_flag) == 0);
        slots_[now.tail() & last_slot] = p;
        engine_word const before{policy::add(word_, engine_word::one_submission)};
        return {before.low() & engine_word::released};
    }

    constexpr actions take_in_refused(packet const& p, auto& on_leave) noexcept {
        view const v = seen();
        bool const answers_in_order = v.is(engine_state::stopping) || v.is(engine_state::drained);
        if (v.head == v.tail && !answers_in_order) {
            last_completed_ = p.fence;
            on_leave(p, fate::rejected);
            return {};
        }
        if (v.tail - v.head == capacity) {
            return only(action::full);
        }
        packet& entry = slots_[v.tail & last_slot];
        entry = p;
        entry.flags |= refused_flag;
        policy::add(word_, engine_word::one_submission + v.word.to(v.word.low() | engine_word::refused_inside));
        return {};
    }

    constexpr handed_over<Cookie> hand_over() noexcept {
        engine_word const now = word();
        if ((now.low() & engine_word::released) == 0) {
            return {};
        }
        catch_up(head());
        if (!now.is_plain()) {
            while (handed_ != now.tail() && is_refused(handed_)) {
                ++handed_;
            }
        }
        if (handed_ == now.tail()) {
            return {};
        }
        u32 const number = handed_++;
        return {{number}, &slots_[number & last_slot]};
    }

    /// Retires [oldest, through]; false when packets are held back or refused, or `through` is not in the ring.
    constexpr bool retire_plainly(serial through, auto& on_leave) noexcept {
        engine_word const now = word();
        u32 const first = head();
        if (through.n - first >= now.tail() - first || !now.is_plain()) {
            return false;
        }
        last_completed_ = at(through).fence;
        depart(first, through.n + 1, fate::completed, on_leave);
        policy::store(oldest_, through.n + 1);
        return true;
    }

    /// What hardware has cannot begin before the oldest entry. Submission lock.
    constexpr void catch_up(u32 head) noexcept {
        if (before({handed_}, {head})) {
            handed_ = head;
        }
    }

    /// Whether hardware has anything at or after an entry. Both locks; the interrupt lock is enough while packets are
    /// held back, since nothing is handed over then.
    [[nodiscard]] constexpr bool hardware_holds(u32 head) const noexcept { return before({head}, {handed_}); }

    /// Whether an entry was handed over and is not older than `head`. Both locks.
    [[nodiscard]] constexpr bool was_handed(u32 number, u32 head) const noexcept {
        return hardware_holds(head) && number - head < handed_ - head;
    }

    /// Whether hardware may report this serial. Interrupt lock: what was handed over is known only while packets are
    /// held back; otherwise everything released counts.
    [[nodiscard]] constexpr bool lies_in_hardware(u32 number, view const& v) const noexcept {
        if (v.is_busy()) {
            return number - v.head < v.tail - v.head;
        }
        return v.is(engine_state::stopping) && was_handed(number, v.head);
    }

    [[nodiscard]] constexpr bool is_refused(u32 number) const noexcept {
        return (at({number}).flags & refused_flag) != 0;
    }

    /// The newest entry before this one that hardware had. There is one: the oldest entry was not refused.
    [[nodiscard]] constexpr u32 newest_real_before(u32 number) const noexcept {
        do {
            --number;
        } while (is_refused(number));
        return number;
    }

    /// Calls on_leave with each packet of [from, to).
    template <class OnLeave>
    constexpr void depart(u32 from, u32 to, fate why, OnLeave& on_leave) noexcept {
        if constexpr (!meta::is_same<OnLeave, nobody>) {
            for (; from != to; ++from) {
                on_leave(at({from}), why == fate::completed && is_refused(from) ? fate::rejected : why);
            }
        }
    }

    /// Completes refused entries whose turn has come, unreported (PRE-30); returns the first other entry, at most
    /// `end`.
    constexpr u32 retire_refused(u32 head, u32 end, auto& on_leave) noexcept {
        u32 const next = past_refused(head, end);
        if (next != head) {
            last_completed_ = at({next - 1}).fence;
            depart(head, next, fate::completed, on_leave);
        }
        return next;
    }

    /// The first entry from `head` on that was not refused, at most `end`.
    [[nodiscard]] constexpr u32 past_refused(u32 head, u32 end) const noexcept {
        while (head != end && is_refused(head)) {
            ++head;
        }
        return head;
    }

    /// A newer request covers refused entries that wait for nothing but the answer to the older one: they complete now,
    /// so that the result is the same whether the answer or the newer request came first (AMB-61). Past an entry that
    /// hardware holds none is completed.
    constexpr void complete_overtaken(view const& v, u32 mark, auto& on_leave) noexcept {
        publish(v, v.state(), retire_refused(v.head, mark, on_leave));
    }

    /// What a reset of the engine finishes: the entries before `end`. The last of them is aborted, or none is.
    struct cut {
        u32 end;
        u32 aborted;  ///< 1 or 0
    };

    /// Hardware that cannot tell what it was executing gives up the oldest that it held (AMB-47).
    [[nodiscard]] constexpr cut cut_of(view const& v, executing ran) const noexcept {
        u32 const victim = ran.what == executing::kind::packet ? ran.packet.n : v.head;
        if (ran.what != executing::kind::nothing && was_handed(victim, v.head)) {
            return {victim + 1, 1};
        }
        // The system counts a refused packet as completed as soon as everything before it is (PRE-30, TDR-05).
        return {past_refused(v.head, v.tail), 0};
    }

    /// Empties the ring.
    constexpr void empty(view const& v, u32 head, engine_state next, auto& on_leave) noexcept {
        depart(head, v.tail, fate::lost, on_leave);
        handed_ = v.tail;
        publish(v, next, v.tail);
    }

private:
    constexpr engine_word publish_low(view const& v, u32 low, u32 head) noexcept {
        // The bit stays set until the ring is empty: while it is set, each entry's own flag is looked at.
        u32 const refused = head != v.tail ? v.word.low() & engine_word::refused_inside : 0;
        policy::store(oldest_, head);
        return {policy::add(word_, v.word.to(low | refused))};
    }

    static constexpr u32 last_slot = capacity - 1;
    static constexpr u32 refused_flag = 0x8000'0000u;

    [[nodiscard]] constexpr engine_word word() const noexcept { return {policy::load(word_)}; }

    [[nodiscard]] constexpr u32 head() const noexcept { return policy::load(oldest_); }

    // What the two locks write lies apart, with the packets between, so that a processor that submits and one that
    // completes take from each other's caches only what they have to tell.
    u64 word_;    // shared: engine_word; the rest of it is interrupt lock
    u32 handed_;  // end of what hardware has; submission lock
    packet slots_[capacity];
    u32 oldest_;               // shared: written in the interrupt lock
    u32 ignored_;              // interrupt lock
    fence_id last_completed_;  // interrupt lock
};

}  // namespace detail

}  // namespace wddmcore::preemption
