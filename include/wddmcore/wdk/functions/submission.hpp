// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "engine_events.hpp"

/// Packets come in, and are wanted back. All functions here: nonpaged. DDI: WDDM 1.0, where none says another one.
namespace wddmcore::inline WDDMCORE_ABI::wdk {

namespace detail {

/// The packets that the system keeps in a node (AMB-54).
template <class Gpu>
inline constexpr u32 packet_cap =
    Gpu::scheduling.hw_queue_packet_cap != 0 ? Gpu::scheduling.hw_queue_packet_cap : hw::usual_ring_capacity;

/// @param refused  the driver does not accept its commands: then it takes a place in the ring that the system does not
///                 know of, or, where there is none, executes nothing (PRE-30)
template <class Gpu, class Args>
[[nodiscard]] ntstatus submit(device<Gpu>& d, Args const& args, u64 buffer, preemption::packet_window window,
                              bool refused) noexcept {
    context* const named = context_of(args.hContext);
    auto const where = preemption::engine_of_submission(args, named != nullptr ? &named->where : nullptr, d.shape(),
                                                        Gpu::scheduling.paging_node);
    if (!where.ok()) {
        return status::invalid_parameter;
    }
    u32 const n = where.get().node;
    submission_lock const lock(d);
    context* const by_default = &d.nodes[n].by_default;
    context* const owner = named != nullptr ? named : by_default;
    preemption::submission<packet_cookie> p{
        {args.SubmissionFenceId}, args.Flags.Value, window, {owner, buffer, owner->own}};
    synchronized(d, [&d, &p, &refused, n, by_default] {
        auto& machine = d.nodes[n].machine;
        if (refused) {
            p.cookie.owner->half_run.finished(identity_of(p));
            refused = machine.has_room_to_reject(packet_cap<Gpu>);
            // Refused, it is over for the system when the one before it is, which may be before it leaves the ring.
            p.cookie.owner = refused ? by_default : p.cookie.owner;
            p.flags |= refused ? 0 : preemption::submit_flag::null_rendering;
        }
        auto const demanded = refused ? machine.reject(p, packet_leaves{}) : machine.submit(p);
        // The system keeps HwQueuePacketCap, and the DDI has no answer for more (PRE-30).
        promise(!demanded.has(preemption::action::full));
        if (demanded.has(preemption::action::hand_over)) {
            write_ring(d, n);
        }
    });
    return refused ? status::invalid_parameter : status::success;
}

}  // namespace detail

/// DxgkDdiSubmitCommand: a packet of a context with physical addresses.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_SUBMITCOMMAND
/// @return success: it is in the ring, or held back until a preemption is over. invalid_parameter: no such node, or the
///         context's node is another one. A packet that names no context has the node's default one (PGB-15)
/// DISPATCH_LEVEL (IRQ-02), nonpaged. Source: nc-d3dkmddi-dxgkddi_submitcommand.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus submit_command(void* handle, Args const* args) noexcept {
    return detail::submit(detail::device_of<Gpu>(handle), *args,
                          static_cast<u64>(args->DmaBufferPhysicalAddress.QuadPart),
                          {args->DmaBufferSubmissionStartOffset, args->DmaBufferSubmissionEndOffset}, false);
}

/// DxgkDdiSubmitCommandVirtual: a packet of a context with GPU virtual addresses.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_SUBMITCOMMANDVIRTUAL
/// @return as submit_command(); invalid_parameter also when the driver's `accepts_packet` says so, or when there are
///         commands and neither their address nor private data: the packet's id then completes in its turn (PRE-30).
///         But success, with none of its commands executed, when the ring has to keep its last places for what the
///         system may still submit: always, where HwQueuePacketCap is 0 and `ring_capacity` the usual one (AMB-54)
/// DISPATCH_LEVEL (IRQ-02, IRQ-09), nonpaged. WDDM 2.0. Source: nc-d3dkmddi-dxgkddi_submitcommandvirtual.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus submit_command_virtual(void* handle, Args const* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    void const* const own = args->pDmaBufferPrivateData;
    u64 buffer = args->DmaBufferVirtualAddress;
    if (own == nullptr) {  // of a switch to the null context (CTX-01), or of a driver without private data
        return detail::submit(d, *args, buffer, {0, args->DmaBufferSize}, buffer == 0 && args->DmaBufferSize != 0);
    }
    // A paging buffer comes without its address (OBS-08).
    buffer = buffer != 0 ? buffer : d.address_of_packet(own);
    return detail::submit(d, *args, buffer, {0, args->DmaBufferSize}, !d.accepts_packet(own));
}

/// DxgkDdiPreemptCommand: the system wants back what a node has not finished.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_PREEMPTCOMMAND
/// @return success, always (PRE-09); for a node that is not there nothing is done
/// DISPATCH_LEVEL (IRQ-02), nonpaged. Source: nc-d3dkmddi-dxgkddi_preemptcommand.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus preempt_command(void* handle, Args const* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    u32 const n = args->NodeOrdinal;
    if (preemption::contains(d.shape(), {n, args->EngineOrdinal})) {
        detail::submission_lock const lock(d);
        detail::synchronized(d, [&d, n, id = args->PreemptionFenceId] {
            auto& node = d.nodes[n];
            node.status.start(detail::report_news(d, n));  // what has finished is reported ahead of the preemption
            auto const demanded = node.machine.preempt({id}, packet_leaves{});
            if (detail::carry_out(d, n, demanded)) {
                d.queue_dpc();
            }
            if (demanded.has(preemption::action::ask)) {
                d.request_stop(n, node.machine.report().asked.n);
            }
        });
    }
    return status::success;
}

/// DxgkDdiCancelCommand: a packet that hardware does not have will not come back, so its saved state is useless.
///
/// It is recognised by its virtual address, and by what the driver's `address_of_packet` says of its private data.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_CANCELCOMMAND; hContext is NULL for some paging packets: it may be one of any node then
/// @return success, always (TDR-14)
/// PASSIVE_LEVEL (IRQ-01), nonpaged for its lock. WDDM 1.2. Source: nc-d3dkmddi-dxgkddi_cancelcommand.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus cancel_command(void* handle, Args const* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    preemption::packet_window const window{args->DmaBufferSubmissionStartOffset, args->DmaBufferSubmissionEndOffset};
    void const* const own = args->pDmaBufferPrivateData;
    u64 const by_data = own != nullptr ? d.address_of_packet(own) : 0;
    u64 by_address = by_data;
    if constexpr (requires { args->DmaBufferVirtualAddress; }) {
        by_address = args->DmaBufferVirtualAddress;
    }
    context* const named = detail::context_of(args->hContext);
    detail::synchronized(d, [&d, window, by_data, by_address, named] {
        for (u32 n = 0; n != d.shape().nodes; ++n) {
            preemption::resume_slot& slot = named != nullptr ? named->half_run : d.nodes[n].by_default.half_run;
            slot.finished(detail::identity_of(by_data, window));
            slot.finished(detail::identity_of(by_address, window));
        }
    });
    return status::success;
}

/// DxgkDdiQueryCurrentFence: what has finished is reported, then named (INT-08).
///
/// @param handle  hAdapter
/// @param args    DXGKARG_QUERYCURRENTFENCE
/// @return success; invalid_parameter for a node that is not there
/// PASSIVE_LEVEL (IRQ-01), nonpaged for its lock. Source: nc-d3dkmddi-dxgkddi_querycurrentfence.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus query_current_fence(void* handle, Args* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    u32 const n = args->NodeOrdinal;
    if (!preemption::contains(d.shape(), {n, args->EngineOrdinal})) {
        return status::invalid_parameter;
    }
    detail::synchronized(d, [&d, args, n] {
        static_cast<void>(detail::report_news(d, n));
        static_cast<void>(preemption::answer_query_current_fence(*args, d.nodes[n].machine.last_completed()));
    });
    return status::success;
}

}  // namespace wddmcore::wdk
