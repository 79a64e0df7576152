// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "policies.hpp"

#include <wddmcore/preemption/engine.hpp>

/// One engine, its hardware and its system, which the agents share; what they do is checked against the order of records.
namespace preemption_interleave {
using namespace wddmcore::preemption;

inline constexpr u32 most_packets = 4;

/// A cookie whose copies into the ring and out of it are accesses to shared memory: it stands for a whole slot.
struct slot_cookie {
    u32 packet;

    slot_cookie() = default;
    constexpr explicit slot_cookie(u32 p) : packet{p} {}
    slot_cookie(slot_cookie const&) = default;
    slot_cookie& operator=(slot_cookie const& other) {
        preemption_interleave::store(packet, other.packet);
        return *this;
    }
};

enum class place : u32 { new_one, queued, done, given_back };

/// The system, the hardware and the driver's own variables: each changed in one step.
struct outside_world {
    place at[most_packets];
    u32 list[most_packets];
    u32 length;
    u32 covered;
    u32 submitted;
    bool requested;
    u32 last;
    bool due;       ///< a DPC is queued
    u32 due_count;  ///< how often: for the agent that waits for it
    u32 queue[most_packets];
    u32 numbers[most_packets];
    u32 given;
    u32 executed[most_packets];
    bool armed;
    u32 armed_with;
    u32 through;
    char const* broken;
};
inline outside_world shared{};

inline void require(bool holds, char const* what) {
    if (!holds && shared.broken == nullptr) {
        shared.broken = what;
    }
}

inline void drop_first(u32 count) {
    for (u32 i = count; i < shared.length; ++i) {
        shared.list[i - count] = shared.list[i];
    }
    shared.length -= count;
    shared.covered -= shared.covered < count ? shared.covered : count;
}

/// Ids are the packets plus one.
inline void hear_completed(u32 id) {
    u32 end = 0;
    for (u32 i = 0; i < shared.length; ++i) {
        end = shared.list[i] + 1 == id ? i + 1 : end;
    }
    require(end != 0, "PRE-13: a completed record names no packet that is out");
    for (u32 i = 0; i < end; ++i) {
        require(shared.executed[shared.list[i]] == 1, "PRE-12: a packet is reported completed that has not run once");
        shared.at[shared.list[i]] = place::done;
    }
    shared.last = id;
    drop_first(end);
}

inline void hear_preempted(u32 id, u32 last) {
    require(shared.requested && id == 100, "PRE-11: a record without a request");
    require(last == shared.last, "PRE-13: the record names a completion that was not reported before it");
    for (u32 i = 0; i < shared.covered; ++i) {
        require(shared.executed[shared.list[i]] == 0, "PRE-12: a packet that has run is given back");
        shared.at[shared.list[i]] = place::given_back;
    }
    drop_first(shared.covered);
    shared.requested = false;
}

template <class Policy>
struct rig {
    using machine = engine<4, Policy, slot_cookie>;
    using packet = typename machine::packet;

    static inline machine e{};

    struct nothing_twice {
        void operator()(packet const& p, fate) const {
            u32 const which = load(p.cookie.packet);
            require(which < most_packets, "a slot is read before it was written");
        }
    };

    static u64 hash() {
        u64 value = 1;
        unsigned char bytes[sizeof(machine) + sizeof(outside_world)];
        std::memcpy(bytes, &e, sizeof e);
        std::memcpy(bytes + sizeof e, &shared, sizeof shared);
        for (std::size_t i = 0; i + 8 <= sizeof bytes; i += 8) {
            u64 field;
            std::memcpy(&field, bytes + i, 8);
            value = mixed(value, field);
        }
        return value;
    }

    /// Records are told in the lock that they were made in; another agent may run between the two.
    static void perform(actions demanded) {
        if (!demanded.records() && demanded == actions{}) {
            return;
        }
        report const ids = e.report();
        pause();
        if (demanded.has(action::completed)) {
            hear_completed(ids.completed.n);
        }
        if (demanded.has(action::preempted)) {
            hear_preempted(ids.preemption.n, ids.last_completed.n);
        }
        if (demanded.has(action::disarm)) {
            shared.armed = false;
            perform(e.disarmed(nothing_twice{}));
        }
        if (demanded.has(action::ask)) {
            shared.armed = true;
            shared.armed_with = ids.asked.n;
        }
        if (demanded.has(action::hand_over)) {
            shared.due = true;
            ++shared.due_count;
        }
    }

    static void enter(bool interrupt) {
        acquire(lock::submission);
        if (interrupt) {
            acquire(lock::interrupt);
        }
    }
    static void leave_locks(bool interrupt) {
        if (interrupt) {
            release(lock::interrupt);
        }
        release(lock::submission);
    }

    static void hand_over() {
        while (auto const next = e.next()) {
            u32 const which = load(next.packet->cookie.packet);
            require(which < shared.submitted && shared.at[which] == place::queued, "another packet is handed over");
            require(!shared.armed, "F4: a packet is given to hardware that is asked to stop");
            require(shared.given < most_packets, "packets are handed over twice");
            if (shared.broken != nullptr) {
                return;
            }
            for (u32 i = 0; i < shared.given; ++i) {
                require(shared.queue[i] < which, "packets are handed over twice, or out of order");
            }
            shared.queue[shared.given] = which;
            shared.numbers[shared.given++] = next.number.n;
        }
    }

    static void submit() {
        enter(Policy::submits_inside);
        u32 const which = shared.submitted++;
        shared.at[which] = place::queued;
        shared.list[shared.length++] = which;
        actions const demanded = e.submit({{which + 1}, 0, {0, 8}, slot_cookie{which}});
        require(!demanded.has(action::full), "F11: the ring is full");
        if (demanded.has(action::hand_over)) {
            hand_over();
        }
        leave_locks(Policy::submits_inside);
    }

    static void preempt() {
        enter(Policy::preempts_inside);
        shared.requested = true;
        shared.covered = shared.length;
        perform(e.preempt({100}, nothing_twice{}));
        leave_locks(Policy::preempts_inside);
    }

    static void deferred() {
        enter(Policy::submits_inside);
        shared.due = false;
        hand_over();
        leave_locks(Policy::submits_inside);
    }

    /// Hardware finishes its oldest packet, and says so.
    static void completion() {
        acquire(lock::interrupt);
        if (shared.given != 0) {
            u32 const which = shared.queue[0];
            ++shared.executed[which];
            shared.through = shared.numbers[0];
            --shared.given;
            for (u32 i = 0; i < shared.given; ++i) {
                shared.queue[i] = shared.queue[i + 1];
                shared.numbers[i] = shared.numbers[i + 1];
            }
            perform(e.completed({shared.through}, nothing_twice{}));
        }
        release(lock::interrupt);
    }

    /// Hardware stops, if it was asked, and says so.
    static void stop(bool acknowledges_when_idle) {
        acquire(lock::interrupt);
        if (shared.armed && (shared.given != 0 || acknowledges_when_idle)) {
            shared.armed = false;
            shared.given = 0;
            perform(e.stopped({shared.armed_with}, {shared.through}, false, nothing_twice{}));
        }
        release(lock::interrupt);
    }
};

}  // namespace preemption_interleave
