// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ids.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// One thing that an event demands of the driver. Records are reported in the order of this list: completed, faulted,
/// preempted (PRE-13); then hardware is told, then packets are handed over.
enum class action : u32 {
    completed = 1,      ///< report DMA_COMPLETED with report().completed
    faulted = 2,        ///< report DMA_PAGE_FAULTED with report().faulted
    fault_unknown = 4,  ///< report DMA_PAGE_FAULTED with fence 0 and FENCE_INVALID: no packet is known
    preempted = 8,      ///< report DMA_PREEMPTED with report().preemption and report().last_completed
    interrupted =
        16,       ///< a packet was stopped half-run: on_leave was called with it, and its context's resume slot keeps
                  ///< it
    ask = 32,     ///< ask hardware to stop, with report().asked
    disarm = 64,  ///< withdraw that request from hardware, then call disarmed(), in the same interrupt lock
    /// Loop next() under the submission lock: now, or in the DPC that the records of this event queue. The next
    /// submission is too late: the system may wait for the held packets before it makes one.
    hand_over = 128,
    full = 256,  ///< nothing was taken: room() is 0
};

/// What an event demands, as a set.
struct actions {
    u32 bits;

    /// Whether the event demands one thing. Any IRQL, nonpaged.
    ///
    /// @return true: it is in the set
    [[nodiscard]] constexpr bool has(action a) const noexcept { return (bits & static_cast<u32>(a)) != 0; }

    /// Whether there is anything to report. Any IRQL, nonpaged.
    ///
    /// @return true: records are due, and one DPC before the interrupt routine is left (INT-01)
    [[nodiscard]] constexpr bool records() const noexcept {
        constexpr u32 any = static_cast<u32>(action::completed) | static_cast<u32>(action::faulted) |
                            static_cast<u32>(action::fault_unknown) | static_cast<u32>(action::preempted);
        return (bits & any) != 0;
    }

    friend constexpr bool operator==(actions, actions) = default;
};

/// One action as a set. Any IRQL, nonpaged.
///
/// @return the set with this action alone
[[nodiscard]] constexpr actions only(action a) noexcept { return {static_cast<u32>(a)}; }

/// The union of two sets. Any IRQL, nonpaged.
///
/// @return what either demands
[[nodiscard]] constexpr actions operator|(actions a, actions b) noexcept { return {a.bits | b.bits}; }

/// A set with one more action. Any IRQL, nonpaged.
///
/// @return what the set demands, and `b`
[[nodiscard]] constexpr actions operator|(actions a, action b) noexcept { return {a.bits | static_cast<u32>(b)}; }

/// The ids that belong to the actions of the last event. A member means something only if its action was returned.
struct report {
    fence_id completed;       ///< SubmissionFenceId
    fence_id faulted;         ///< FaultedFenceId
    fence_id preemption;      ///< PreemptionFenceId: the request that is answered
    fence_id last_completed;  ///< LastCompletedFenceId of that answer: never a preempted packet (PRE-14)
    serial interrupted;  ///< the packet that stopped half-run; for a trace, since its place in the ring may be reused
    generation asked;    ///< what hardware is to echo when it has stopped
    friend constexpr bool operator==(report const&, report const&) = default;
};

/// How a packet left the ring for good.
enum class fate : u32 {
    completed,  ///< it ran to its end
    rejected,   ///< a refused virtual submission whose turn came (PRE-30)
    faulted,    ///< a page fault was reported for it
    preempted,  ///< the system will submit it again; a refused one is dropped (AMB-50)
    half_run,   ///< as preempted, but it had begun and its state is saved: give it to the context's resume slot
    aborted,    ///< it was executing when the engine was reset
    lost,       ///< it was in the ring when the engine or the adapter was reset
};

}  // namespace wddmcore::preemption
