// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/assert.hpp"
#include "../../ddi/ntstatus.hpp"
#include "../engine/actions.hpp"
#include "notify.hpp"

/// From what an engine demands to the records that the system sees: one fixed order, and one DPC.
///
/// IRQL: device, in the interrupt routine or DxgkCbSynchronizeExecution, nonpaged; never while DxgkCbNotifyInterrupt
/// runs (INT-03).
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The default of notify_in_order(): there are no records of the display.
struct no_display_records {
    /// @return false: nothing was notified
    template <class Notify>
    [[nodiscard]] constexpr bool operator()(Notify&&) const noexcept {
        return false;
    }
};

/// Notifies the records of one engine without queuing the DPC. It is for an interrupt that serves several engines, each
/// with its own actions: queue one DPC for all of them before the routine is left.
///
/// The order is completed, faulted, preempted: completions come before the fault that implies them (INT-02) and
/// before the preempted record that names them (PRE-13).
///
/// @param demanded  what the engine's event returned
/// @param ids       the engine's report() after that event
/// @param details   what the driver knows of a fault, if there is one
/// @param scratch   room for a record: the driver's DXGKARGCB_NOTIFY_INTERRUPT_DATA, best one in the adapter's memory,
///                  which the interrupt lock guards; a local one adds 80 bytes or more to the caller's frame
/// @param notify    `void(Data&)`: calls DxgkCbNotifyInterrupt, which takes a pointer to non-constant data
/// @return true: something was notified, so a DPC is due
/// Source: nc-d3dkmddi-dxgkcb_notify_interrupt.md, submitting-a-command-buffer.md.
template <class Data, class Notify>
constexpr bool notify_records(actions demanded, report const& ids, engine_id id, fault_details const& details,
                              Data& scratch, Notify&& notify) noexcept {
    bool notified = false;
    if (demanded.has(action::completed)) {
        fill_completed(scratch, ids.completed, id);
        notify(scratch);
        notified = true;
    }
    if constexpr (reports_page_faults<Data>) {
        if (demanded.has(action::faulted)) {
            fill_faulted(scratch, ids.faulted, details, id);
            notify(scratch);
            notified = true;
        }
        if (demanded.has(action::fault_unknown)) {
            fill_fault_unknown(scratch, details, id);
            notify(scratch);
            notified = true;
        }
    } else {
        // Before WDDM 2.0 no record tells of a fault: such a driver gives the engine machine no fault events (INT-10).
        promise(!demanded.has(action::faulted) && !demanded.has(action::fault_unknown));
    }
    if (demanded.has(action::preempted)) {
        fill_preempted(scratch, ids.preemption, ids.last_completed, id);
        notify(scratch);
        notified = true;
    }
    return notified;
}

/// Notifies everything that one interrupt has to tell, then queues exactly one DPC if there was anything (INT-01).
///
/// The other parameters are those of notify_records().
///
/// @param queue_dpc  `void()`: calls DxgkCbQueueDpc; the DPC calls DxgkCbNotifyDpc
/// @param display    `bool(notify)`: notifies vsyncs and the like, after the DMA records (INT-02); true if it did
/// @return true: something was notified, and the DPC queued
/// Source: nc-d3dkmddi-dxgkcb_notify_interrupt.md, submitting-a-command-buffer.md.
template <class Data, class Notify, class QueueDpc, class Display = no_display_records>
constexpr bool notify_in_order(actions demanded, report const& ids, engine_id id, fault_details const& details,
                               Data& scratch, Notify&& notify, QueueDpc&& queue_dpc, Display&& display = {}) noexcept {
    bool const dma = notify_records(demanded, ids, id, details, scratch, notify);
    bool const other = display(notify);
    if (dma || other) {
        queue_dpc();
    }
    return dma || other;
}

/// Answers DxgkDdiQueryCurrentFence (DXGKARG_QUERYCURRENTFENCE).
///
/// Before it, in the same synchronised routine, call the machine's query_fence() and notify its records: a completion
/// that was not reported yet is reported first, and only then (INT-08).
///
/// @param args            CurrentFence is written
/// @param last_completed  the engine machine's, after that event
/// @return success, always
/// IRQL: the routine at device IRQL, this function any. Source: nc-d3dkmddi-dxgkddi_querycurrentfence.md.
template <class Args>
[[nodiscard]] constexpr ntstatus answer_query_current_fence(Args& args, fence_id last_completed) noexcept {
    args.CurrentFence = last_completed.n;
    return status::success;
}

}  // namespace wddmcore::preemption
