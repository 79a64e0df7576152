// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/preemption/engine/engine.hpp>
#include <wddmcore/preemption/engine/resume_slot.hpp>
#include <wddmcore/preemption/recovery/tdr.hpp>

/// A scheduler, a hand-advanced engine and a thin driver around the library's machine, small enough that all of their
/// histories can be visited.
namespace preemption_explore {
using namespace wddmcore;
using namespace wddmcore::preemption;

inline constexpr u32 most_packets = 4;
inline constexpr u32 none = 7;

/// One packet of a pool: what the system wants to have executed once.
struct packet_kind {
    u32 context;           ///< 0 and 1 render, 2 the system's own
    u32 flags;             ///< submit_flag bits
    packet_window window;  ///< empty: it cannot stop inside
    u32 buffer;            ///< portions of a split buffer share it
    bool rejected;         ///< answered with invalid-parameter (PRE-30)
    u32 waits_for;         ///< a packet that hardware must have finished before it begins this one, or none
};

struct pool {
    char const* name;
    u32 count;
    packet_kind packets[most_packets];
};

constexpr packet_kind render(u32 context, u32 buffer) { return {context, 0, {0, 64}, buffer, false, none}; }
constexpr packet_kind paging(u32 buffer) { return {2, submit_flag::paging, {0, 64}, buffer, false, none}; }
constexpr packet_kind portion(u32 context, u32 buffer, u32 start) {
    return {context, 0, {start, start + 32}, buffer, false, none};
}
constexpr packet_kind switch_to(u32 context, u32 flags, u32 buffer) {
    return {context, submit_flag::context_switch | flags, {0, 0}, buffer, false, none};
}
constexpr packet_kind null_rendering(u32 context, u32 buffer) {
    return {context, submit_flag::null_rendering, {8, 8}, buffer, false, none};
}
constexpr packet_kind rejected(u32 context, u32 buffer) { return {context, 0, {0, 64}, buffer, true, none}; }
constexpr packet_kind waiting(u32 context, u32 buffer, u32 for_packet) {
    return {context, 0, {0, 64}, buffer, false, for_packet};
}

inline constexpr pool pools[] = {
    {"A A B", 3, {render(0, 0), render(0, 1), render(1, 2)}},
    {"A P B", 3, {render(0, 0), paging(1), render(1, 2)}},
    {"P P A", 3, {paging(0), paging(1), render(0, 2)}},
    {"A switch B", 3, {render(0, 0), switch_to(1, 0, 1), render(1, 2)}},
    {"A switch+P B", 3, {render(0, 0), switch_to(2, submit_flag::paging, 1), render(1, 2)}},
    {"wait A B", 3, {waiting(0, 0, 1), render(1, 1), render(1, 2)}},
    {"A reject B", 3, {render(0, 0), rejected(0, 1), render(1, 2)}},
    {"reject reject A", 3, {rejected(0, 0), rejected(1, 1), render(1, 2)}},
    {"portion portion B", 3, {portion(0, 0, 0), portion(0, 0, 32), render(1, 2)}},
    {"A null P", 3, {render(0, 0), null_rendering(0, 1), paging(2)}},
    {"A B", 2, {render(0, 0), render(1, 1)}},
    {"A P reject", 3, {render(0, 0), paging(1), rejected(1, 2)}},
    {"A B reject P", 4, {render(0, 0), render(1, 1), rejected(1, 2), paging(3)}},
};
inline constexpr u32 pool_count = sizeof(pools) / sizeof(pools[0]);
inline constexpr u32 large_pools = 1;  // at the end

/// What goes wrong, or is done besides submitting, preempting and completing.
enum class trouble : u32 {
    plain,
    silent_stop,  ///< the answer to a request does not say what was completed
    query,        ///< DxgkDdiQueryCurrentFence at any time
    coalesced,    ///< a second request while one is outstanding (AMB-15)
    cancelled,    ///< DxgkDdiCancelCommand for packets that came back
    fault_runs_on,
    fault_reset,
    fault_unknown,
    engine_reset,
    late,         ///< after an engine reset, stale completions and answers
    reset_fails,  ///< an engine reset does not succeed
    cannot_tell,  ///< hardware does not know what it was executing
    adapter_reset,
};
inline constexpr u32 troubles = 13;
inline constexpr char const* trouble_names[] = {
    "plain",          "silent stop",  "query", "coalesced",   "cancelled",   "fault, runs on", "fault, reset",
    "fault, unknown", "engine reset", "late",  "reset fails", "cannot tell", "adapter reset"};

/// A mistake of the driver, to see that the explorer would find it.
enum class mistake : u32 {
    no,
    no_collecting,        ///< an engine reset without the interrupt routine's body before it
    completion_first,     ///< a completion before the fault of the same interrupt
    completed_by_os_id,   ///< hardware writes the system's id, the driver looks for it in the ring
    no_disarm,            ///< the demand to withdraw a request is ignored
    slot_not_kept,        ///< a packet that stopped half-run is not remembered
    slot_kept_too_long,   ///< a packet that finished is still remembered
    no_hand_over,         ///< packets that are released are not handed over
    reset_before_judged,  ///< the machine is told of an engine reset before its answer is judged
    refusal_not_told,     ///< the machine is not told that an engine reset failed
};

struct options {
    pool const* packets;
    engine_kind kind;
    trouble what;
    bool submits_meanwhile;  ///< also while a request is outstanding or the adapter is being reset (AMB-45, AMB-53)
    bool delayed;            ///< packets are handed over one by one, later: by a DPC
    u32 requests;
    u32 engine_resets;
    u32 adapter_resets;
    u32 faults;
    u32 cancels;
    /// The system's snapshot before an engine reset is taken after the collecting: then it hears those records.
    /// Otherwise it ignores them (TDR-10). Only the first is free of contradictions where a rejected submission is
    /// held: an answer to the request that is collected and ignored would let the rejected one complete ahead of
    /// packets that come back.
    bool hears_collected = false;
    bool endless = false;  ///< requests and resets are not used up
    mistake wrong = mistake::no;
    u32 first_serial = 0xFFFF'FFFEu;
    u32 first_id = 0xFFFF'FFFEu;
};

/// The numbers of requests and of troubles bound the histories of a configuration.
constexpr options configure(pool const& packets, engine_kind kind, trouble what, bool submits_meanwhile, bool delayed) {
    options o{&packets, kind, what, submits_meanwhile, delayed, 2, 0, 0, 0, 0};
    for (packet_kind const& packet : packets.packets) {
        o.hears_collected = o.hears_collected || (packet.rejected && submits_meanwhile);
    }
    switch (what) {
        case trouble::plain:
        case trouble::silent_stop:
        case trouble::query:
        case trouble::coalesced: break;
        case trouble::cancelled: o.cancels = 1; break;
        case trouble::fault_runs_on: o.faults = 1; break;
        case trouble::fault_reset:
        case trouble::fault_unknown:
            o.adapter_resets = what == trouble::fault_unknown ? 1 : 0;
            o.requests = 1;
            o.faults = 1;
            o.engine_resets = 1;
            break;
        case trouble::late:
            o.requests = delayed ? 1 : 2;
            o.engine_resets = 1;
            break;
        case trouble::engine_reset:
        case trouble::reset_fails:
        case trouble::cannot_tell:
            o.requests = 1;
            o.engine_resets = 1;
            break;
        case trouble::adapter_reset:
            o.requests = 1;
            o.adapter_resets = 1;
            break;
    }
    return o;
}

}  // namespace preemption_explore
