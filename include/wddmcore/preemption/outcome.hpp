// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "packet.hpp"
#include "word.hpp"

/// What an event makes a driver do, by value.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What there is to do; a mask. Records come first and in this order, then hardware.
namespace act {
inline constexpr u32 completed = 1u << 0;      ///< report completed_id (DMA_COMPLETED)
inline constexpr u32 faulted = 1u << 1;        ///< report faulted_id (DMA_PAGE_FAULTED)
inline constexpr u32 fault_unknown = 1u << 2;  ///< with faulted: no fence is valid, id 0, FENCE_INVALID
inline constexpr u32 preempted = 1u << 3;      ///< report request_id and last_completed_id (DMA_PREEMPTED)
inline constexpr u32 half_run = 1u << 4;       ///< half_run begins its context's resume slot
inline constexpr u32 ask = 1u << 5;            ///< ask hardware to stop, with generation
inline constexpr u32 disarm = 1u << 6;         ///< take the request back before anything else is handed over
inline constexpr u32 release = 1u << 7;        ///< held packets wait: call release() under the submit lock
inline constexpr u32 records = completed | faulted | preempted;
}  // namespace act

/// The answer to a submission.
struct submitted {
    u64 packed;

    /// What hardware writes when this packet has finished.
    [[nodiscard]] constexpr u32 serial() const noexcept { return word::tail_of(packed); }
    /// Write it to the hardware's ring now, before the submit lock is left.
    [[nodiscard]] constexpr bool hand_over() const noexcept { return (packed & word::holding) == 0; }
    /// Nothing was kept: more packets than HwQueuePacketCap allows, a protocol fault without an answer in the DDI.
    [[nodiscard]] constexpr bool full() const noexcept { return (packed & word::full) != 0; }
    /// Packets held before this one wait as well: call release() and hand over what it returns.
    [[nodiscard]] constexpr bool release_due() const noexcept { return (packed & word::releasing) != 0; }

    friend constexpr bool operator==(submitted, submitted) = default;
};

/// The answer to a completion: zero when it was stale.
struct completion {
    u64 packed;

    [[nodiscard]] constexpr u32 acts() const noexcept { return static_cast<u32>(packed >> 32); }
    [[nodiscard]] constexpr bool has(u32 what) const noexcept { return (acts() & what) != 0; }
    /// The fence id to report; meaningful with act::completed.
    [[nodiscard]] constexpr u32 completed_id() const noexcept { return static_cast<u32>(packed); }
    /// A completed record and nothing else.
    [[nodiscard]] constexpr bool usual() const noexcept { return acts() == act::completed; }

    friend constexpr bool operator==(completion, completion) = default;
};

/// The answer to any other event: at most one record of each kind, always reported as completed, faulted, preempted.
template <class Cookie = packet_origin>
struct outcome {
    u32 acts = 0;
    u32 completed_id = 0;
    u32 faulted_id = 0;
    u32 request_id = 0;         ///< PreemptionFenceId
    u32 last_completed_id = 0;  ///< LastCompletedFenceId
    u32 generation = 0;         ///< with act::ask: hardware echoes it
    packet<Cookie> half_run{};

    [[nodiscard]] constexpr bool has(u32 what) const noexcept { return (acts & what) != 0; }

    friend constexpr bool operator==(outcome const&, outcome const&) = default;
};

/// What hardware says when it stopped.
struct stop {
    u32 generation;        ///< of the request that it answers
    u32 through;           ///< the serial of the last packet that finished; meaningful with through_known
    bool through_known;    ///< false: completions are reported apart from this
    bool next_is_half_run; ///< the packet after that one was stopped inside its buffer, and its state is saved
};

/// How far a fault reaches.
enum class fault_kind : u32 {
    runs_on,      ///< the packet is given up, the engine goes on with the next
    needs_reset,  ///< the packet is known, the engine stands
    unknown,      ///< nobody knows the packet, the engine stands
};

/// What hardware says about a fault.
struct fault {
    fault_kind kind;
    u32 serial;  ///< meaningless for unknown
};

/// What hardware was executing when it was stopped for a reset.
enum class executing_kind : u32 { nothing, packet, cannot_tell };

struct executing {
    executing_kind kind;
    u32 serial;  ///< meaningful for packet
};

/// The answer to an engine reset.
template <class Cookie = packet_origin>
struct reset_outcome {
    u32 last_aborted_id;       ///< LastAbortedFenceId
    bool aborted;              ///< a packet was given up: its context's resume slot ends
    packet<Cookie> packet_aborted;

    friend constexpr bool operator==(reset_outcome const&, reset_outcome const&) = default;
};

/// The answer to a rejected virtual submission.
enum class rejection : u32 {
    completed,  ///< its turn has come already
    waiting,    ///< it is last completed when everything before it has finished
    full,       ///< no room: a protocol fault
};

}  // namespace wddmcore::preemption
