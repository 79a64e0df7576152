// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/mirror.hpp>
#include <wddmcore/testing/scheduler_table.h>
#include <wddmcore/wddmcore.hpp>

/// A driver's scheduling as it is written by hand: fences are reported, preemption is announced and forgotten.
namespace guide::by_hand {

using namespace wddmcore;

using DXGKARG_SUBMITCOMMANDVIRTUAL = mirror::v2_0::dxgkarg_submitcommandvirtual;
using DXGKARG_PREEMPTCOMMAND = mirror::v2_0::dxgkarg_preemptcommand;
using DXGKARG_QUERYCURRENTFENCE = mirror::v2_0::dxgkarg_querycurrentfence;
using DXGKARGCB_NOTIFY_INTERRUPT_DATA = mirror::v2_0::dxgkargcb_notify_interrupt_data;

struct CONTEXT {
    u32 Node;
    u64 SaveArea;
};

// region: scheduling by hand
struct SCHEDULER {
    wddmcore_system_services const* Dxgk;
    wddmcore_gpu const* Gpu;
    CONTEXT* Paging;
    u32 CompletedFence;  // of whichever node completed something last

    ntstatus SubmitCommandVirtual(DXGKARG_SUBMITCOMMANDVIRTUAL const* pArgs) {
        auto* const Context = pArgs->hContext != nullptr ? static_cast<CONTEXT*>(pArgs->hContext) : Paging;
        auto const& Data = *static_cast<wddmcore_packet_private_data const*>(pArgs->pDmaBufferPrivateData);
        u64 const Buffer = pArgs->DmaBufferVirtualAddress != 0 ? pArgs->DmaBufferVirtualAddress : Data.address;
        wddmcore_gpu_packet const Packet{pArgs->SubmissionFenceId, 0, Context->SaveArea, Buffer, 0,
                                         pArgs->DmaBufferSize};
        Gpu->enqueue(Gpu->gpu, Context->Node, 0, &Packet);
        return status::success;
    }

    bool InterruptRoutine() {
        bool Ours = false;
        for (u32 Node = 0; Node < Gpu->node_count; Node++) {
            wddmcore_gpu_status Status{};
            Gpu->read_status(Gpu->gpu, Node, 0, &Status);
            if ((Status.news & wddmcore_gpu_completed) != 0) {
                CompletedFence = Status.completed;
                DXGKARGCB_NOTIFY_INTERRUPT_DATA Data{};
                Data.InterruptType = 1;  // DXGK_INTERRUPT_DMA_COMPLETED
                Data.DmaCompleted.SubmissionFenceId = Status.completed;
                Data.DmaCompleted.NodeOrdinal = Node;
                Dxgk->notify_interrupt(Dxgk->system, &Data);
                Dxgk->queue_dpc(Dxgk->system);
            }
            Ours = Ours || Status.news != 0;
        }
        return Ours;
    }

    static ntstatus PreemptCommand(DXGKARG_PREEMPTCOMMAND const*) {
        return status::success;  // "the engine is fast enough"
    }

    ntstatus QueryCurrentFence(DXGKARG_QUERYCURRENTFENCE* pArgs) const {
        pArgs->CurrentFence = CompletedFence;
        return status::success;
    }
};
// end: scheduling by hand

}  // namespace guide::by_hand
