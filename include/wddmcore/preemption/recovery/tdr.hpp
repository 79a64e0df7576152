// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/bits.hpp"
#include "../engine/engine.hpp"
#include "../engine/routing.hpp"

/// Timeout recovery around the engine machine: which nodes a reset takes along, and what it may answer.
/// engine_status.hpp has the queries for progress.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.2.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The nodes that a reset of one node takes along: itself, always, and those that the hardware says (TDR-02).
///
/// @param node    the node asked about
/// @param others  one bit for each other node of the same physical adapter that is reset with it
/// @param nodes   how many nodes a physical adapter has, 1 to 64
/// @return one bit a node; none for a node that the adapter does not have
[[nodiscard]] constexpr u64 dependent_nodes(u32 node, u64 others, u32 nodes) noexcept {
    u64 const itself = node < hw::most_nodes ? u64{1} << node : 0;
    return (itself | others) & low_mask<u64>(nodes);
}

/// Answers DxgkDdiQueryDependentEngineGroup (DXGKARG_QUERYDEPENDENTENGINEGROUP).
///
/// @param args    NodeOrdinal is read, DependentNodeOrdinalMask written
/// @param others  as in dependent_nodes()
/// @param shape   the adapter's
/// @return success, always: the call may not fail (TDR-03), even for a node that the adapter does not have
/// IRQL: PASSIVE_LEVEL. From WDDM 1.2. Source: nc-d3dkmddi-dxgkddi_querydependentenginegroup.md (TDR-02).
template <class Args>
[[nodiscard]] constexpr ntstatus answer_dependent_engine_group(Args& args, u64 others, adapter_shape shape) noexcept {
    args.DependentNodeOrdinalMask = dependent_nodes(args.NodeOrdinal, others, shape.nodes);
    return status::success;
}

/// Whether the system accepts a LastAbortedFenceId (TDR-05). Source: tdr-changes-in-windows-8.md.
///
/// @return true: it lies in [last completed, last submitted] of its node, modulo 2^32 (AMB-18); any other id bugchecks
///         0x119 with 0xA
[[nodiscard]] constexpr bool aborted_id_is_legal(fence_id aborted, fence_id last_completed,
                                                 fence_id last_submitted) noexcept {
    return detail::lies_within(aborted, last_completed, last_submitted);
}

/// What hardware looks like when DxgkDdiResetEngine is about to return.
struct engine_after_reset {
    bool reset_done;   ///< the hardware confirmed the reset
    bool queue_empty;  ///< nothing of what was submitted is left in it
    bool ready;        ///< it takes packets again
};

/// Whether an engine reset may be reported as done (TDR-04).
///
/// @return success: all three hold. unsuccessful: one does not; the system then resets the whole adapter (TDR-08)
[[nodiscard]] constexpr ntstatus engine_reset_status(engine_after_reset after) noexcept {
    return after.reset_done && after.queue_empty && after.ready ? status::success : status::unsuccessful;
}

/// Answers DxgkDdiResetEngine (DXGKARG_RESETENGINE), and tells the engine's machine.
///
/// The driver's order: halt hardware; run the interrupt routine's body once more, so that nothing that finished is
/// named aborted; reset hardware, which withdraws an armed request and clears a latched stop or fault, since nothing
/// answers them any more; then call this, whether the reset worked or not.
///
/// The answer is judged before the machine changes: after a refusal the packets are still in flight, and the adapter
/// reset that follows reports the newest of them (TDR-07), which an aborted id in its place would hide. Until then
/// the machine hands over and completes nothing.
///
/// @param args      LastAbortedFenceId is written: aborted_by_reset(), or on failure last_completed()
/// @param after     what hardware looks like
/// @param machine   the engine of the node and engine that args names
/// @param ran       what hardware was executing when it was halted
/// @param on_leave  called with each packet that leaves the ring; with none on failure
/// @return as engine_reset_status(). Also unsuccessful when the aborted id would bugcheck the system (TDR-05), as
///         that of a paging packet can that came back with its old id (PRE-16): an adapter reset is milder
/// IRQL: PASSIVE_LEVEL, with both locks of the machine. From WDDM 1.2. Source: nc-d3dkmddi-dxgkddi_resetengine.md,
/// tdr-changes-in-windows-8.md.
template <class Args, class Engine, class OnLeave = nobody>
[[nodiscard]] constexpr ntstatus answer_reset_engine(Args& args, engine_after_reset after, Engine& machine,
                                                     executing ran, OnLeave on_leave = {}) noexcept {
    fence_id const completed = machine.last_completed();
    bool const legal = aborted_id_is_legal(machine.aborted_by_reset(ran), completed, machine.newest_submitted());
    ntstatus const answer = legal ? engine_reset_status(after) : status::unsuccessful;
    if (succeeded(answer)) {
        args.LastAbortedFenceId = machine.engine_reset(ran, on_leave).n;
    } else {
        machine.engine_reset_failed();
        args.LastAbortedFenceId = completed.n;
    }
    return answer;
}

inline constexpr u32 video_tdr_timeout_detected = 0x117;     ///< the bugcheck code that stands for an adapter reset
inline constexpr u32 video_engine_timeout_detected = 0x141;  ///< the one that stands for an engine reset; from WDDM 1.2

/// Whether DxgkDdiCollectDbgInfo runs at PASSIVE_LEVEL and must be pageable for a reason (TDR-15).
///
/// A driver has one function for all reasons: its common part is nonpaged and waits for nothing, and calls a pageable
/// part only where this is true. DDI: WDDM 1.0. Source: nc-d3dkmddi-dxgkddi_collectdbginfo.md.
///
/// @param reason  the bugcheck code in the Reason member
/// @return true: for the two reasons of a timeout; false: at any level, nothing may be assumed
[[nodiscard]] constexpr bool collects_debug_info_at_passive_level(u32 reason) noexcept {
    return reason == video_tdr_timeout_detected || reason == video_engine_timeout_detected;
}

}  // namespace wddmcore::preemption
