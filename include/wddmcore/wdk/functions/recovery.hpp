// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../preemption/recovery/tdr.hpp"
#include "engine_events.hpp"

/// Start, and recovery from a timeout.
///
/// All functions here: PASSIVE_LEVEL (IRQ-01), nonpaged, since most of them hold the submission lock.
/// DDI: WDDM 1.0, where a function does not say another one.
namespace wddmcore::inline WDDMCORE_ABI::wdk {

namespace detail {

/// Halts a node. @return what it was executing
template <class Gpu>
[[nodiscard]] preemption::executing halt(device<Gpu>& d, u32 n) noexcept {
    u32 number = 0;
    switch (d.halt(n, number)) {
        case wddmcore_halted_idle: return preemption::executing::nothing();
        case wddmcore_halted_in_packet: return preemption::executing::one({number});
        default: return preemption::executing::unknown();
    }
}

}  // namespace detail

/// DxgkDdiStartDevice, the half of it that is scheduling: hardware comes to rest, what it had to say is dismissed, and
/// the machines begin. The driver's half has found its registers and placed its segments before. After a
/// DxgkDdiStopDevice, the same again.
///
/// @param handle  MiniportDeviceContext
/// @return success; unsuccessful: a node cannot be reset, and the device must not start
/// Source: nc-dispmprt-dxgkddi_start_device.md.
template <class Gpu>
[[nodiscard]] ntstatus start_scheduling(void* handle) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    d.exclusive = 0;
    for (u32 n = 0; n != d.shape().nodes; ++n) {
        node<Gpu>& each = d.nodes[n];
        if (!d.reset_node(n)) {
            return status::unsuccessful;
        }
        wddmcore_engine_news unread{};
        d.read_news(n, unread);
        each.machine.start(preemption::kind_of(Gpu::engines[n]));
        each.status.start({unread.progress});
        each.by_default.half_run.forget();
    }
    return status::success;
}

/// DxgkDdiQueryEngineStatus: whether a node has moved since it was asked to stop.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_QUERYENGINESTATUS
/// @return success, always (TDR-03); a node that is not there is not responsive
/// WDDM 1.2. Source: nc-d3dkmddi-dxgkddi_queryenginestatus.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus query_engine_status(void* handle, Args* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    u32 const n = args->NodeOrdinal;
    args->EngineStatus.Value = 0;
    if (preemption::contains(d.shape(), {n, args->EngineOrdinal})) {
        detail::synchronized(
            d, [&d, args, n] { static_cast<void>(d.nodes[n].status.answer(*args, detail::report_news(d, n))); });
    }
    return status::success;
}

/// DxgkDdiQueryDependentEngineGroup: the nodes that a reset of this one disturbs.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_QUERYDEPENDENTENGINEGROUP
/// @return success, always (TDR-03); no node for one that is not there
/// WDDM 1.2. Source: nc-d3dkmddi-dxgkddi_querydependentenginegroup.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus query_dependent_engine_group(void* handle, Args* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    u32 const n = args->NodeOrdinal;
    u64 const others = n < d.shape().nodes ? d.nodes_reset_with(n) : 0;
    return preemption::answer_dependent_engine_group(*args, others, d.shape());
}

/// DxgkDdiResetEngine: halts a node, reports what has finished, resets it.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_RESETENGINE
/// @return success; unsuccessful: the reset failed, and the system resets the adapter (TDR-08); invalid_parameter for a
///         node that is not there
/// WDDM 1.2. Source: nc-d3dkmddi-dxgkddi_resetengine.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus reset_engine(void* handle, Args* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    u32 const n = args->NodeOrdinal;
    if (!preemption::contains(d.shape(), {n, args->EngineOrdinal})) {
        return status::invalid_parameter;
    }
    detail::submission_lock const lock(d);
    auto const running = detail::halt(d, n);
    detail::synchronized(d, [&d, n] { static_cast<void>(detail::report_news(d, n)); });
    bool const done = d.reset_node(n);
    ntstatus answer = status::unsuccessful;
    detail::synchronized(d, [&] {
        answer =
            preemption::answer_reset_engine(*args, {done, done, done}, d.nodes[n].machine, running, packet_leaves{});
        if (done) {
            d.nodes[n].status.start(detail::report_news(d, n));
        }
    });
    return answer;
}

/// DxgkDdiResetFromTimeout: every node is halted, every packet lost.
///
/// @param handle  hAdapter
/// @return success, always (TDR-11): the driver's `halt` leaves no node that touches memory
/// Source: nc-d3dkmddi-dxgkddi_resetfromtimeout.md.
template <class Gpu>
[[nodiscard]] ntstatus reset_from_timeout(void* handle) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    detail::submission_lock const lock(d);
    for (u32 n = 0; n != d.shape().nodes; ++n) {
        static_cast<void>(detail::halt(d, n));
        detail::synchronized(d, [&d, n] { d.nodes[n].machine.adapter_reset(packet_leaves{}); });
    }
    for (u32 n = 0; n != d.shape().nodes; ++n) {
        d.nodes[n].by_default.half_run.forget();
    }
    for (context* each = d.contexts; each != nullptr; each = each->next) {
        each->half_run.forget();
    }
    return status::success;
}

/// DxgkDdiRestartFromTimeout: every node works again and gets what was submitted since the reset.
///
/// @param handle  hAdapter
/// @return success, always (TDR-11)
/// Source: nc-d3dkmddi-dxgkddi_restartfromtimeout.md.
template <class Gpu>
[[nodiscard]] ntstatus restart_from_timeout(void* handle) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    detail::submission_lock const lock(d);
    for (u32 n = 0; n != d.shape().nodes; ++n) {
        static_cast<void>(d.reset_node(n));
        detail::synchronized(d, [&d, n] {
            d.nodes[n].status.start(detail::report_news(d, n));
            static_cast<void>(d.nodes[n].machine.restart(packet_leaves{}));
            detail::write_ring(d, n);
            if constexpr (requires(context& of) { d.ask_resume(of); }) {
                detail::let_contexts_run(d, n);  // DxgkDdiResumeHwEngine may have failed before
            }
        });
    }
    return status::success;
}

}  // namespace wddmcore::wdk
