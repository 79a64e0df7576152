// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "policies.hpp"

#include <wddmcore/preemption/engine/engine.hpp>
#include <wddmcore/preemption/recovery/tdr.hpp>

/// One engine, its hardware and its system, which the agents share; what they do is checked against the order of
/// records.
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
    bool refused[most_packets];  ///< answered with invalid-parameter (PRE-30)
    bool halted;                 ///< hardware stands after a fault, until a reset
    bool begun;                  ///< ... inside a packet, not before one
    bool lost;                   ///< between adapter reset and restart
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

/// Refused packets complete when all before them has (PRE-30), but not ahead of the answer to a request that does not
/// cover them.
inline void complete_refused() {
    bool const held = shared.requested && !shared.halted;
    while (shared.length != 0 && shared.refused[shared.list[0]] && (!held || shared.covered != 0)) {
        shared.last = shared.list[0] + 1;
        shared.at[shared.list[0]] = place::done;
        drop_first(1);
    }
}

/// Ids are the packets plus one.
inline void hear_completed(u32 id) {
    u32 end = 0;
    for (u32 i = 0; i < shared.length; ++i) {
        end = shared.list[i] + 1 == id ? i + 1 : end;
    }
    require(end != 0, "PRE-13: a completed record names no packet that is out");
    for (u32 i = 0; i < end; ++i) {
        u32 const packet = shared.list[i];
        require(shared.executed[packet] == (shared.refused[packet] ? 0u : 1u),
                "PRE-12: a packet is reported completed that has not run once");
        shared.at[packet] = place::done;
    }
    require(end == 0 || !shared.refused[id - 1], "PRE-30: a refused packet is reported");
    shared.last = id;
    drop_first(end);
    complete_refused();
}

/// What is out comes back: it has not run.
inline void give_back(u32 count, char const* rule) {
    for (u32 i = 0; i < count; ++i) {
        require(shared.executed[shared.list[i]] == 0, rule);
        shared.at[shared.list[i]] = place::given_back;
    }
    drop_first(count);
}

/// Whether hardware is inside its oldest packet: always, but after a fault that took the one before.
inline bool executes() { return shared.given != 0 && (!shared.halted || shared.begun); }

/// The answer of DxgkDdiResetEngine: of what is out only the packet that was executing is over.
inline void hear_aborted(u32 id) {
    shared.requested = false;
    complete_refused();
    if (executes()) {
        require(id == shared.queue[0] + 1, "TDR-07: another packet than the executing one is named aborted");
        require(shared.length != 0 && shared.list[0] + 1 == id, "TDR-07: a packet before the aborted one is out");
        ++shared.executed[shared.queue[0]];
        shared.at[shared.queue[0]] = place::done;
        drop_first(shared.length != 0 ? 1 : 0);
    } else {
        require(id == shared.last, "TDR-06: a packet is named aborted though none was executing");
    }
    give_back(shared.length, "TDR-07: a packet that has run will be submitted again");
    shared.last = id;
    shared.armed = shared.halted = false;
    shared.given = 0;
}

/// DxgkDdiResetFromTimeout: the newest id that is out is the last completed one (TDR-07).
inline void lose_everything() {
    shared.last = shared.length != 0 ? shared.list[shared.length - 1] + 1 : shared.last;
    give_back(shared.length, "TDR-07: a packet that has run will be submitted again");
    shared.requested = shared.armed = shared.halted = false;
    shared.given = 0;
    shared.lost = true;
}

inline void hear_preempted(u32 id, u32 last) {
    require(shared.requested && id == 100, "PRE-11: a record without a request");
    require(last == shared.last, "PRE-13: the record names a completion that was not reported before it");
    give_back(shared.covered, "PRE-12: a packet that has run is given back");
    shared.requested = false;
    complete_refused();
}

/// The ring's capacity: 4, or what the policy says.
template <class Policy>
consteval u32 capacity_of() {
    if constexpr (requires { Policy::capacity; }) {
        return Policy::capacity;
    } else {
        return most_packets;
    }
}

template <class Policy>
struct rig {
    using machine = engine<capacity_of<Policy>(), Policy, slot_cookie>;
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
        if (demanded.has(action::faulted)) {
            hear_completed(ids.faulted.n);  // INT-09: it counts as completed, and implies what is before it
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
            tell(channel::hardware);
        }
        if (demanded.has(action::hand_over)) {
            shared.due = true;
            ++shared.due_count;
            tell(channel::deferred);
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
            // A fault may halt hardware while a submission that needs no interrupt lock writes to its ring: nothing
            // runs it.
            require(!shared.lost && (!shared.halted || !Policy::submits_inside),
                    "AMB-53: a packet is given to hardware that waits for a reset");
            require(!shared.refused[which], "PRE-30: a refused packet is handed over");
            require(shared.given < most_packets, "packets are handed over twice");
            if (shared.broken != nullptr) {
                return;
            }
            for (u32 i = 0; i < shared.given; ++i) {
                require(shared.queue[i] < which, "packets are handed over twice, or out of order");
            }
            tell(channel::hardware);
            shared.queue[shared.given] = which;
            shared.numbers[shared.given++] = next.number.n;
        }
    }

    /// @param if_there_is_room  do nothing where the ring is full
    static void submit(bool if_there_is_room = false) {
        enter(Policy::submits_inside);
        if (if_there_is_room && e.room() == 0) {
            leave_locks(Policy::submits_inside);
            return;
        }
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

    /// A virtual submission that is answered with invalid-parameter: both locks.
    static void reject() {
        enter(Policy::rejects_inside);
        u32 const which = shared.submitted++;
        shared.at[which] = place::queued;
        shared.refused[which] = true;
        shared.list[shared.length++] = which;
        require(e.reject({{which + 1}, 0, {0, 8}, slot_cookie{which}}, nothing_twice{}) == actions{},
                "PRE-30: a refused packet demands something");
        complete_refused();
        leave_locks(Policy::rejects_inside);
    }

    /// DxgkDdiResetEngine: hardware has been halted, and everything that it finished is reported.
    static void reset_engine() {
        enter(Policy::resets_inside);
        struct {
            u32 LastAbortedFenceId;
        } args{};
        executing const ran = executes() ? executing::one({shared.numbers[0]}) : executing::nothing();
        require(answer_reset_engine(args, {true, true, true}, e, ran, nothing_twice{}) == status::success,
                "TDR-05: a reset is refused, though ids rise here");
        hear_aborted(args.LastAbortedFenceId);
        leave_locks(Policy::resets_inside);
    }

    /// DxgkDdiResetFromTimeout.
    static void reset_adapter() {
        enter(Policy::resets_inside);
        e.adapter_reset(nothing_twice{});
        lose_everything();
        leave_locks(Policy::resets_inside);
    }

    /// DxgkDdiRestartFromTimeout.
    static void restart() {
        enter(Policy::resets_inside);
        shared.lost = false;
        perform(e.restart(nothing_twice{}));
        leave_locks(Policy::resets_inside);
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
        hear(channel::deferred);
        shared.due = false;
        hand_over();
        leave_locks(Policy::submits_inside);
    }

    static bool runs() { return shared.given != 0 && !shared.halted; }

    /// The oldest packet leaves hardware; its serial.
    static u32 finish() {
        u32 const number = shared.numbers[0];
        ++shared.executed[shared.queue[0]];
        --shared.given;
        for (u32 i = 0; i < shared.given; ++i) {
            shared.queue[i] = shared.queue[i + 1];
            shared.numbers[i] = shared.numbers[i + 1];
        }
        return number;
    }

    /// Hardware finishes its oldest packet, and says so.
    static void completion() {
        acquire(lock::interrupt);
        hear(channel::hardware);
        if (runs()) {
            shared.through = finish();
            perform(e.completed({shared.through}, nothing_twice{}));
        }
        release(lock::interrupt);
    }

    /// Hardware gives its oldest packet up, and goes on or waits for a reset.
    static void fault(after_fault then) {
        acquire(lock::interrupt);
        hear(channel::hardware);
        if (runs()) {
            u32 const number = finish();
            shared.halted = then == after_fault::needs_reset;
            shared.begun = false;
            perform(e.faulted({number}, then, nothing_twice{}));
        }
        release(lock::interrupt);
    }

    /// A fault that hardware cannot attribute: it stands where it was.
    static void fault_of_nobody() {
        acquire(lock::interrupt);
        hear(channel::hardware);
        if (runs()) {
            shared.halted = shared.begun = true;
            perform(e.faulted_unknown());
        }
        release(lock::interrupt);
    }

    /// Hardware stops, if it was asked, and says so.
    static void stop(bool acknowledges_when_idle) {
        acquire(lock::interrupt);
        hear(channel::hardware);
        if (shared.armed && !shared.halted && (shared.given != 0 || acknowledges_when_idle)) {
            shared.armed = false;
            shared.given = 0;
            perform(e.stopped({shared.armed_with}, {shared.through}, false, nothing_twice{}));
        }
        release(lock::interrupt);
    }
};

}  // namespace preemption_interleave
