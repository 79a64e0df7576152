// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/bits.hpp"
#include "../../ddi/ntstatus.hpp"
#include "../../ddi/operation.hpp"
#include "../engine/engine.hpp"
#include "../engine/routing.hpp"
#include "../irql.hpp"

/// Timeout recovery around the engine machine: which nodes a reset takes along, what a reset may answer, and what may
/// touch the GPU meanwhile. The queries for progress are in engine_status.hpp.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The nodes that a reset of one node takes along: itself, always, and those that the hardware says (TDR-02).
///
/// @param node    the node asked about; the bit of one that the adapter does not have cannot be set
/// @param others  one bit for each other node of the same physical adapter that is reset with it
/// @param nodes   the nodes of a physical adapter, 1 to 64; bits of others are cut off
[[nodiscard]] constexpr u64 dependent_nodes(u32 node, u64 others, u32 nodes) noexcept {
    u64 const itself = node < most_nodes ? u64{1} << node : 0;
    return (itself | others) & low_mask<u64>(nodes);
}

/// Answers DxgkDdiQueryDependentEngineGroup (DXGKARG_QUERYDEPENDENTENGINEGROUP).
///
/// @param others  as in dependent_nodes()
/// @return success, always: the call may not fail (TDR-03), even for a node that the adapter does not have
/// IRQL: PASSIVE_LEVEL. From WDDM 1.2. Source: nc-d3dkmddi-dxgkddi_querydependentenginegroup.md (TDR-02).
template <class Args>
[[nodiscard]] constexpr ntstatus answer_dependent_engine_group(Args& args, u64 others, adapter_shape shape) noexcept {
    args.DependentNodeOrdinalMask = dependent_nodes(args.NodeOrdinal, others, shape.nodes);
    return status::success;
}

/// Whether the system accepts a LastAbortedFenceId: it lies in [last completed, last submitted] of its node, all modulo
/// 2^32 (TDR-05, AMB-18); any other bugchecks 0x119 with 0xA.
///
/// Source: tdr-changes-in-windows-8.md.
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
/// @return success: everything holds. unsuccessful: the reset was not finished; the system resets the whole adapter
[[nodiscard]] constexpr ntstatus engine_reset_status(engine_after_reset after) noexcept {
    return after.reset_done && after.queue_empty && after.ready ? status::success : status::unsuccessful;
}

/// Answers DxgkDdiResetEngine (DXGKARG_RESETENGINE), and tells the engine's machine.
///
/// The driver's order: halt hardware; run the interrupt routine's body once more, so that nothing that finished is
/// named aborted; reset hardware, which withdraws an armed request and clears a latched stop or fault, since nobody
/// answers them any more; then call this, whatever became of the reset.
///
/// The answer is judged before the machine is changed: after a refusal its packets are still in flight, and the adapter
/// reset that follows names the newest of them (TDR-07), which an aborted id that was taken over would hide. Until then
/// the machine hands over and completes nothing.
///
/// @param args     LastAbortedFenceId is written: aborted_by_reset(), or on failure last_completed()
/// @param after    what hardware looks like
/// @param machine  the engine of the node and engine that args names
/// @param ran      what hardware was executing when it was halted
/// @param on_leave  called with each packet that leaves the ring; of none on failure
/// @return as engine_reset_status(); also unsuccessful when the aborted id would bugcheck the system (TDR-05), as
///         that of a paging packet can that came back with its old id (PRE-16): an adapter reset is milder IRQL:
///         PASSIVE_LEVEL, with both locks of the machine. From WDDM 1.2. Source: nc-d3dkmddi-dxgkddi_resetengine.md,
///         tdr-changes-in-windows-8.md.
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

/// Whether an adapter reset follows an engine reset (TDR-08): after a failure, and after one that aborted a paging
/// packet, whose work cannot be left undone. The system sees both by itself; a driver need not fail the call for the
/// second.
///
/// @param status             what DxgkDdiResetEngine returned
/// @param aborted_is_paging  whether LastAbortedFenceId names a paging packet that was executing
[[nodiscard]] constexpr bool escalates_to_adapter_reset(ntstatus status, bool aborted_is_paging) noexcept {
    return !succeeded(status) || aborted_is_paging;
}

/// What DxgkDdiResetFromTimeout answers.
struct adapter_reset_answer {
    ntstatus status;  ///< success, always: any other bugchecks (TDR-11)
    bool may_return;  ///< false: do not return yet, cut the GPU off from memory first
};

/// What DxgkDdiResetFromTimeout may answer: success, and not before the GPU can access no memory (TDR-11).
///
/// @param gpu_can_access_memory  whether any engine, display included, can still reach memory
/// IRQL: PASSIVE_LEVEL. Source: nc-d3dkmddi-dxgkddi_resetfromtimeout.md.
[[nodiscard]] constexpr adapter_reset_answer answer_reset_from_timeout(bool gpu_can_access_memory) noexcept {
    return {status::success, !gpu_can_access_memory};
}

/// What DxgkDdiRestartFromTimeout may answer: success, always; any other bugchecks (TDR-11).
///
/// IRQL: PASSIVE_LEVEL. Source: nc-d3dkmddi-dxgkddi_restartfromtimeout.md.
[[nodiscard]] constexpr ntstatus answer_restart_from_timeout() noexcept { return status::success; }

/// Where an adapter is in its recovery.
enum class recovery_phase : u32 {
    running,  ///< no adapter reset is under way
    lost,     ///< between DxgkDdiResetFromTimeout and DxgkDdiRestartFromTimeout
};

/// Whether a driver may touch the GPU (TDR-12): not while it is lost. Interrupt routine and DPC still run then, and
/// must heed it as well.
///
/// Source: thread-synchronization-and-tdr.md.
[[nodiscard]] constexpr bool may_access_gpu(recovery_phase phase) noexcept { return phase == recovery_phase::running; }

/// Whether a paging operation arrives while the adapter is lost (TDR-12): transfers of no bytes, which only tell that
/// an allocation left its segment, and unmaps. Both are done without the GPU; a driver needs no other then.
///
/// @param transfer_size  bytes of the transfer (AMB-32); not looked at for other operations
/// Source: thread-synchronization-and-tdr.md.
[[nodiscard]] constexpr bool arrives_while_lost(paging_operation operation, bytes transfer_size) noexcept {
    switch (operation) {
        case paging_operation::transfer:
        case paging_operation::special_lock_transfer: return transfer_size == bytes{0};
        case paging_operation::unmap_aperture_segment: return true;
        default: return false;
    }
}

inline constexpr u32 video_tdr_timeout_detected = 0x117;     ///< the bugcheck code that stands for an adapter reset
inline constexpr u32 video_engine_timeout_detected = 0x141;  ///< the one that stands for an engine reset; from WDDM 1.2

/// The level at which DxgkDdiCollectDbgInfo runs (TDR-15): undefined, except for the two reasons of a timeout, for
/// which it is passive and must be pageable.
///
/// A driver has one function for all reasons: its common part is nonpaged and waits for nothing, and calls a pageable
/// part only where this says passive.
///
/// @param reason  the bugcheck code in the Reason member
/// Source: nc-d3dkmddi-dxgkddi_collectdbginfo.md.
[[nodiscard]] constexpr call_level collect_debug_info_level(u32 reason) noexcept {
    bool const timeout = reason == video_tdr_timeout_detected || reason == video_engine_timeout_detected;
    return timeout ? call_level::passive : call_level::undefined;
}

}  // namespace wddmcore::preemption
