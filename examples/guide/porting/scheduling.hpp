// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "scheduling_by_hand.hpp"

#include <mutex>

/// The same functions around the library's machine. Hardware stops between DMA buffers, so that nothing comes back half-run;
/// preemption/driver.hpp has that, resets of single engines and faults as well.
namespace guide::with_machine {

using namespace wddmcore;
using preemption::action;
using by_hand::DXGKARG_PREEMPTCOMMAND, by_hand::DXGKARG_QUERYCURRENTFENCE, by_hand::DXGKARG_SUBMITCOMMANDVIRTUAL,
    by_hand::DXGKARGCB_NOTIFY_INTERRUPT_DATA, by_hand::CONTEXT;

inline constexpr u32 node_count = 2;

// region: cookie
/// What travels through the ring with a packet.
struct cookie {
    CONTEXT const* owner;
    u64 buffer;
};
using machine = preemption::engine<64, preemption::under_interrupt_lock, cookie>;
// end: cookie

struct scheduler {
    wddmcore_system_services const* dxgk = nullptr;
    wddmcore_gpu const* gpu = nullptr;
    CONTEXT const* paging = nullptr;
    machine nodes[node_count];
    DXGKARGCB_NOTIFY_INTERRUPT_DATA record{};  // under the interrupt lock
    std::mutex submission;                     // in a driver: a spin lock

    void start() {
        for (machine& node : nodes) {
            node.start({static_cast<preemption::stopping>(gpu->stopping), gpu->acknowledges_when_idle != 0});
        }
    }

    // region: locked
    /// DxgkCbSynchronizeExecution: nothing of it runs beside the interrupt routine.
    template <class Use>
    void synchronized(Use use) {
        dxgk->synchronize_execution(dxgk->system, call<Use>, &use, 0, nullptr);
    }
    template <class Use>
    static int WDDMCORE_DRIVER_CALL call(void* routine) {
        (*static_cast<Use*>(routine))();
        return 1;
    }
    // end: locked

    // region: submit
    ntstatus submit_command_virtual(DXGKARG_SUBMITCOMMANDVIRTUAL const& args) {
        CONTEXT const& context = args.hContext != nullptr ? *static_cast<CONTEXT const*>(args.hContext) : *paging;
        auto const& data = *static_cast<wddmcore_packet_private_data const*>(args.pDmaBufferPrivateData);
        u64 const buffer = args.DmaBufferVirtualAddress != 0 ? args.DmaBufferVirtualAddress : data.address;
        std::lock_guard const lock(submission);
        synchronized([&] {
            machine& node = nodes[context.Node];
            machine::packet const packet{
                {args.SubmissionFenceId}, args.Flags.Value, {0, args.DmaBufferSize}, {&context, buffer}};
            if (node.submit(packet).has(action::hand_over)) {
                write_ring(context.Node);
            }
        });
        return status::success;
    }

    /// Writes what the machine gives out. The fence of the hardware is its serial.
    void write_ring(u32 n) {
        while (auto const next = nodes[n].next()) {
            auto const& [owner, buffer] = next.packet->cookie;
            wddmcore_gpu_packet packet{next.number.n, 0, owner->SaveArea, buffer, 0, next.packet->window.end};
            if (preemption::is_context_switch(next.packet->flags)) {
                packet.context = 0;
                packet.flags = wddmcore_gpu_fence_only;
            } else if ((next.packet->flags & preemption::submit_flag::null_rendering) != 0 || packet.end == 0) {
                packet.flags = wddmcore_gpu_fence_only | wddmcore_gpu_keep_context;
            }
            gpu->enqueue(gpu->gpu, n, 0, &packet);
        }
    }
    // end: submit

    // region: interrupt
    bool interrupt_routine() {
        bool ours = false;
        bool reported = false;
        for (u32 n = 0; n != node_count; ++n) {
            wddmcore_gpu_status now{};
            gpu->read_status(gpu->gpu, n, 0, &now);  // this also dismisses the interrupt (INT-05)
            ours = ours || now.news != 0;
            reported = serve(n, now) || reported;
        }
        if (reported) {
            static_cast<void>(dxgk->queue_dpc(dxgk->system));
        }
        return ours;
    }

    /// Hardware's news become events, and what the events demand becomes records.
    bool serve(u32 n, wddmcore_gpu_status const& now) {
        bool reported = false;
        if ((now.news & wddmcore_gpu_completed) != 0) {
            reported = carry_out(n, nodes[n].completed({now.completed}));
        }
        if ((now.news & wddmcore_gpu_stopped) != 0) {
            preemption::serial const through{now.stopped_through};
            reported = carry_out(n, nodes[n].stopped({now.stopped_generation}, through, false)) || reported;
        }
        return reported;
    }

    bool carry_out(u32 n, preemption::actions demanded) {
        auto const notify = [this](auto& data) { dxgk->notify_interrupt(dxgk->system, &data); };
        bool reported = preemption::notify_records(demanded, nodes[n].report(), {n, 0}, {}, record, notify);
        if (demanded.has(action::disarm)) {
            gpu->disarm(gpu->gpu, n, 0);
            reported = carry_out(n, nodes[n].disarmed()) || reported;
        }
        return reported;
    }

    void dpc_routine() {
        dxgk->notify_dpc(dxgk->system);
        std::lock_guard const lock(submission);
        synchronized([&] {
            for (u32 n = 0; n != node_count; ++n) {
                write_ring(n);  // what was held back while a request was outstanding
            }
        });
    }
    // end: interrupt

    // region: preempt
    ntstatus preempt_command(DXGKARG_PREEMPTCOMMAND const& args) {
        std::lock_guard const lock(submission);
        synchronized([&] {
            u32 const n = args.NodeOrdinal;
            collect(n);
            auto const demanded = nodes[n].preempt({args.PreemptionFenceId});
            if (carry_out(n, demanded)) {
                static_cast<void>(dxgk->queue_dpc(dxgk->system));
            }
            if (demanded.has(action::ask)) {
                gpu->request_stop(gpu->gpu, n, 0, nodes[n].report().asked.n);
            }
        });
        return status::success;
    }

    ntstatus query_current_fence(DXGKARG_QUERYCURRENTFENCE& args) {
        synchronized([&] {
            collect(args.NodeOrdinal);
            args.CurrentFence = nodes[args.NodeOrdinal].last_completed().n;
        });
        return status::success;
    }

    /// Reports first what has finished and was not reported yet (INT-08).
    void collect(u32 n) {
        wddmcore_gpu_status now{};
        gpu->read_status(gpu->gpu, n, 0, &now);
        if (serve(n, now)) {
            static_cast<void>(dxgk->queue_dpc(dxgk->system));
        }
    }
    // end: preempt
};

}  // namespace guide::with_machine
