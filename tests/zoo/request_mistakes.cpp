// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What drivers do wrong with packets, preemption and interrupts.
#include "scheduled.hpp"

#include <utility>

namespace zoo {

namespace {

constexpr char const* announced_only = "preemption announced but never reported, or fence query wrong";
constexpr char const* one_fence = "a single last-completed fence for all nodes";
constexpr char const* queue = "submit-side";

using enum sound_driver;
using fence_args = mirror::v3_2::dxgkarg_querycurrentfence;

/// The newest submission of each of the two nodes.
[[nodiscard]] u64& newest_of(u32 node) { return node == 0 ? kept.first : kept.last; }
void remember_newest(submit_args& a) {
    auto const* const own = static_cast<wddmcore_packet_private_data const*>(a.pDmaBufferPrivateData);
    if (own == nullptr || own->invalid == 0) {
        newest_of(a.NodeOrdinal) = a.SubmissionFenceId;
    }
}

void remember_every(submit_args& a) { newest_of(a.NodeOrdinal) = a.SubmissionFenceId; }

bool names_newest_as_last(record& r) {
    if (r.InterruptType == preempted && r.DmaPreempted.LastCompletedFenceId < newest_of(r.DmaPreempted.NodeOrdinal)) {
        r.DmaPreempted.LastCompletedFenceId = static_cast<u32>(newest_of(r.DmaPreempted.NodeOrdinal));
    }
    return true;
}
/// Nodes with a request outstanding are bits of `kept.calls`.
bool request_is_over(record& r) {
    kept.calls &= r.InterruptType == preempted ? ~(u64{1} << r.DmaPreempted.NodeOrdinal) : ~u64{0};
    return true;
}
/// Preemptions inside the interrupt routine are lost.
bool outside_interrupt(record& r) { return kept.calls == 0 || r.InterruptType != preempted; }

/// A completion that waits for the next record, which overtakes it when it is a preemption.
record waiting{};
void tell_waiting(void* system) {
    if (waiting.InterruptType != 0) {
        record const told = waiting;
        waiting = {};
        kept.services.notify_interrupt(system, &told);
    }
}
void WDDMCORE_DRIVER_CALL preemption_first(void* system, void const* data) {
    auto const& r = *static_cast<record const*>(data);
    if (r.InterruptType != preempted) {
        tell_waiting(system);
    }
    if (r.InterruptType == completed) {
        waiting = r;
        return;
    }
    kept.services.notify_interrupt(system, data);
    tell_waiting(system);
}

/// Whether a packet of the node is not reported yet.
[[nodiscard]] bool is_busy(void* d, u32 node) {
    fence_args now{0, node, 0};
    static_cast<void>(sound.query_current_fence(d, &now));
    return newest_of(node) != 0 && now.CurrentFence != newest_of(node);
}

/// A packet that has commands to execute, and is no paging packet.
[[nodiscard]] bool is_ordinary(submit_args const& a) {
    auto const* const own = static_cast<wddmcore_packet_private_data const*>(a.pDmaBufferPrivateData);
    return own->invalid == 0 && a.DmaBufferSize != 0 && a.Flags.NullRendering == 0 && a.Flags.ContextSwitch == 0 &&
           a.Flags.Paging == 0;
}

constexpr mistake request_rows[] = {
    {"preempt says success and does nothing while the engine is idle", announced_only, "PRE-10", scheduled,
     [](wddmcore_driver_table& t) {
         submits<remember_every>(t);
         t.preempt_command = [](void* d, void const* args) WDDMCORE_DRIVER_CALL -> int {
             bool const busy = is_busy(d, static_cast<preempt_args const*>(args)->NodeOrdinal);
             return busy ? sound.preempt_command(d, args) : status::success;
         };
     }},
    {"the engine's answer to a stop is lost", announced_only, "PRE-08", scheduled,
     [](wddmcore_driver_table& t) {
         notifies<outside_interrupt>(t);
         t.interrupt_routine = [](void* d, unsigned message) WDDMCORE_DRIVER_CALL -> int {
             kept.calls = 1;
             int const own = sound.interrupt_routine(d, message);
             kept.calls = 0;
             return own;
         };
     }},
    {"preempt fails while the engine is busy", announced_only, "PRE-09", scheduled,
     [](wddmcore_driver_table& t) {
         t.preempt_command = [](void* d, void const* args) WDDMCORE_DRIVER_CALL -> int {
             sound.preempt_command(d, args);
             return static_cast<int>(0x80000011);
         };
     }},
    {"a preemption names another request", announced_only, "PRE-11", scheduled, notifies<[](record& r) {
         r.DmaPreempted.PreemptionFenceId += r.InterruptType == preempted ? 1 : 0;
         return true;
     }>},
    {"a preemption is reported twice", announced_only, "PRE-11", scheduled, serves<[](wddmcore_system_services& s) {
         s.notify_interrupt = [](void* system, void const* data) WDDMCORE_DRIVER_CALL {
             kept.services.notify_interrupt(system, data);
             if (static_cast<record const*>(data)->InterruptType == preempted) {
                 kept.services.notify_interrupt(system, data);
             }
         };
     }>},
    {"a preemption is reported before the completion that it names", announced_only, "PRE-13", scheduled,
     serves<[](wddmcore_system_services& s) {
         s.notify_interrupt = preemption_first;
         s.queue_dpc = [](void* system) WDDMCORE_DRIVER_CALL {
             tell_waiting(system);
             return kept.services.queue_dpc(system);
         };
     }>},
    {"the last completed packet of a preemption is the newest submitted one", announced_only, "PRE-14", scheduled,
     [](wddmcore_driver_table& t) {
         notifies<names_newest_as_last>(t);
         submits<remember_newest>(t);
     }},
    {"every record is for node 0", one_fence, "PRE-27", scheduled, notifies<[](record& r) {
         if (r.InterruptType == completed) {
             r.DmaCompleted.NodeOrdinal = 0;
         } else if (r.InterruptType == preempted) {
             r.DmaPreempted.NodeOrdinal = 0;
         }
         return true;
     }>},
    {"a record is for engine 1 of its node", one_fence, "LDA-04", scheduled, notifies<[](record& r) {
         r.DmaCompleted.EngineOrdinal += r.InterruptType == completed ? 1 : 0;
         return true;
     }>},
    {"the current fence is always 0", announced_only, "INT-08", scheduled,
     [](wddmcore_driver_table& t) {
         t.query_current_fence = [](void* d, void* args) WDDMCORE_DRIVER_CALL -> int {
             int const status = sound.query_current_fence(d, args);
             static_cast<fence_args*>(args)->CurrentFence = 0;
             return status;
         };
     }},
    {"the fence query is not supported", announced_only, "INT-08", scheduled,
     [](wddmcore_driver_table& t) {
         t.query_current_fence = [](void*, void*) WDDMCORE_DRIVER_CALL -> int { return status::not_supported; };
     }},
    {"no DPC is queued", "records without a DPC", "INT-01", scheduled,
     serves<[](wddmcore_system_services& s) { s.queue_dpc = [](void*) WDDMCORE_DRIVER_CALL { return 1; }; }>},
    {"the DPC does not tell the scheduler", "records without a DPC", "INT-01", scheduled,
     serves<[](wddmcore_system_services& s) { s.notify_dpc = [](void*) WDDMCORE_DRIVER_CALL {}; }>},
    {"records are notified at dispatch level", "the interrupt lock not taken", "INT-03", scheduled,
     serves<[](wddmcore_system_services& s) {
         s.synchronize_execution = [](void*, int(WDDMCORE_DRIVER_CALL * routine)(void*), void* context, unsigned, int*)
                                       WDDMCORE_DRIVER_CALL -> int {
             static_cast<void>(routine(context));
             return status::success;
         };
     }>},
    {"the interrupt routine takes every interrupt for its own", "shared interrupts not looked at", "INT-05", scheduled,
     [](wddmcore_driver_table& t) {
         t.interrupt_routine = [](void* d, unsigned message) WDDMCORE_DRIVER_CALL -> int {
             static_cast<void>(sound.interrupt_routine(d, message));
             return 1;
         };
     }},
    {"the interrupt routine takes no interrupt for its own", "shared interrupts not looked at", "INT-05", scheduled,
     [](wddmcore_driver_table& t) {
         t.interrupt_routine = [](void* d, unsigned message) WDDMCORE_DRIVER_CALL -> int {
             static_cast<void>(sound.interrupt_routine(d, message));
             return 0;
         };
     }},
    {"a null-rendering packet is executed", queue, "PRE-29", scheduled,
     submits<[](submit_args& a) { a.Flags.NullRendering = 0; }>},
    {"a full queue is an error", "submit returns INSUFFICIENT_DMA_BUFFER on a full queue", "PRE-30", scheduled,
     [](wddmcore_driver_table& t) {
         t.submit_command_virtual = [](void* d, void const* args) WDDMCORE_DRIVER_CALL -> int {
             bool const full = is_ordinary(*static_cast<submit_args const*>(args)) && ++kept.calls % 9 == 0;
             return full ? status::graphics_insufficient_dma_buffer : sound.submit_command_virtual(d, args);
         };
     }},
    {"a packet that is refused is executed all the same", queue, "PRE-30", scheduled,
     [](wddmcore_driver_table& t) {
         t.submit_command_virtual = [](void* d, void const* args) WDDMCORE_DRIVER_CALL -> int {
             submit_args a = *static_cast<submit_args const*>(args);
             auto own = *static_cast<wddmcore_packet_private_data const*>(a.pDmaBufferPrivateData);
             bool const refused = std::exchange(own.invalid, 0) != 0;
             a.pDmaBufferPrivateData = &own;
             int const status = sound.submit_command_virtual(d, &a);
             return refused ? status::invalid_parameter : status;
         };
     }},
    {"ids have to rise", "ids compared by size", "PRE-18", scheduled,
     [](wddmcore_driver_table& t) {
         t.submit_command_virtual = [](void* d, void const* args) WDDMCORE_DRIVER_CALL -> int {
             auto const& a = *static_cast<submit_args const*>(args);
             u64& newest = newest_of(a.NodeOrdinal);
             if (a.SubmissionFenceId < newest && a.Flags.Paging != 0) {
                 return status::invalid_parameter;
             }
             newest = a.SubmissionFenceId;
             return sound.submit_command_virtual(d, args);
         };
     }},
    {"an empty packet is an invalid parameter", queue, "CTX-05", scheduled,
     [](wddmcore_driver_table& t) {
         t.submit_command_virtual = [](void* d, void const* args) WDDMCORE_DRIVER_CALL -> int {
             auto const& a = *static_cast<submit_args const*>(args);
             return a.DmaBufferSize == 0 ? status::invalid_parameter : sound.submit_command_virtual(d, args);
         };
     }},
    {"what is submitted while a request is outstanding is dropped", queue, "AMB-45", scheduled,
     [](wddmcore_driver_table& t) {
         notifies<request_is_over>(t);
         t.preempt_command = [](void* d, void const* args) WDDMCORE_DRIVER_CALL -> int {
             kept.calls |= u64{1} << static_cast<preempt_args const*>(args)->NodeOrdinal;
             return sound.preempt_command(d, args);
         };
         t.submit_command_virtual = [](void* d, void const* args) WDDMCORE_DRIVER_CALL -> int {
             bool const outstanding = (kept.calls >> static_cast<submit_args const*>(args)->NodeOrdinal & 1) != 0;
             bool const drops = outstanding && is_ordinary(*static_cast<submit_args const*>(args));
             return drops ? status::success : sound.submit_command_virtual(d, args);
         };
     }},
};

}  // namespace

std::span<mistake const> request_mistakes() { return request_rows; }

}  // namespace zoo
