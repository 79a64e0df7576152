// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What an engine is doing, as the system may see it.
enum class engine_state : u32 {
    idle,      ///< nothing is in the ring
    busy,      ///< packets are in hardware, or may be handed to it
    stopping,  ///< a preempt request is outstanding and packets are in hardware; later submissions are held
    drained,   ///< everything completed before hardware stopped; its acknowledgement of the request is still to come
    halted,    ///< a fault stopped the engine, or its reset failed: it waits for a reset
    lost,      ///< between adapter reset and restart
};
inline constexpr u32 engine_states = 6;  ///< how many there are

/// What can happen to an engine.
enum class engine_event : u32 {
    submitted,      ///< DxgkDdiSubmitCommand(Virtual)
    rejected,       ///< a virtual submission answered with invalid-parameter
    preempt,        ///< DxgkDdiPreemptCommand
    completed,      ///< hardware finished packets; also when the current fence is queried
    stopped,        ///< hardware answered the request, or needs not answer it
    faulted,        ///< a page fault; hardware runs on
    fatal_fault,    ///< a page fault; hardware waits for a reset
    engine_reset,   ///< DxgkDdiResetEngine
    reset_failed,   ///< DxgkDdiResetEngine with another answer than success
    adapter_reset,  ///< DxgkDdiResetFromTimeout
    restarted,      ///< DxgkDdiRestartFromTimeout
};
inline constexpr u32 engine_events = 11;  ///< how many there are

namespace detail {

/// The next state of each of the six, from idle to lost.
struct next_states {
    engine_state of[engine_states];
};

/// Every state × event pair, packed: one 64-bit word for an event that leaves nothing to wait for, one for an event
/// that leaves something; byte s of a word is the next state of state s.
struct transition_table {
    u64 row[2 * engine_events];

    constexpr void set(engine_event event, next_states nothing_left, next_states something_left) noexcept {
        usize const first = usize{2} * static_cast<u32>(event);
        for (u32 s = 0; s != engine_states; ++s) {
            row[first] |= static_cast<u64>(nothing_left.of[s]) << (8 * s);
            row[first + 1] |= static_cast<u64>(something_left.of[s]) << (8 * s);
        }
    }
};

/// The table as a reader wants it: one row an event, from each state; twice where it matters whether something is left.
[[nodiscard]] consteval transition_table state_transitions() {
    using enum engine_state;
    using enum engine_event;
    constexpr next_states same{{idle, busy, stopping, drained, halted, lost}};
    transition_table table{};
    //                        from:  idle  busy      stopping  drained  halted  lost
    table.set(submitted, same, {{busy, busy, stopping, drained, halted, lost}});
    table.set(rejected, same, same);
    table.set(preempt, {{idle, idle, stopping, drained, halted, lost}},
              {{idle, stopping, stopping, drained, halted, lost}});
    table.set(completed, {{idle, idle, drained, drained, halted, lost}}, same);
    table.set(stopped, {{idle, busy, idle, idle, halted, lost}}, {{idle, busy, busy, busy, halted, lost}});
    table.set(faulted, {{idle, idle, drained, drained, halted, lost}}, same);
    table.set(fatal_fault, {{idle, halted, halted, drained, halted, lost}},
              {{idle, halted, halted, drained, halted, lost}});
    table.set(engine_reset, {{idle, idle, idle, idle, idle, lost}}, {{idle, idle, idle, idle, idle, lost}});
    table.set(reset_failed, {{halted, halted, halted, halted, halted, lost}},
              {{halted, halted, halted, halted, halted, lost}});
    table.set(adapter_reset, {{lost, lost, lost, lost, lost, lost}}, {{lost, lost, lost, lost, lost, lost}});
    table.set(restarted, {{idle, busy, stopping, drained, halted, idle}},
              {{idle, busy, stopping, drained, halted, busy}});
    return table;
}

/// The tests hold every step of the machine against it.
inline constexpr transition_table transitions = state_transitions();

/// The next state by a row of the table: twice the event, plus one if it leaves something to wait for.
[[nodiscard]] constexpr engine_state next_state(engine_state from, u32 row) noexcept {
    return static_cast<engine_state>(transitions.row[row] >> (8 * static_cast<u32>(from)) & 7u);
}

}  // namespace detail

/// The state after an event that was taken. An event that is ignored (a stale serial, another generation) changes
/// nothing, and is not asked about here.
///
/// Any IRQL, nonpaged.
///
/// @param from            the state before the event
/// @param event           what happened
/// @param something_left  whether the event leaves anything to wait for: after a completion or a fault, packets in
///                        hardware (without a request outstanding, in the ring); after a stop or a restart, packets
///                        that were held back; after a preempt request, packets in hardware; after a submission, always
/// @return the state after it
[[nodiscard]] constexpr engine_state next_state(engine_state from, engine_event event, bool something_left) noexcept {
    return detail::next_state(from, 2 * static_cast<u32>(event) + (something_left ? 1 : 0));
}

}  // namespace wddmcore::preemption
