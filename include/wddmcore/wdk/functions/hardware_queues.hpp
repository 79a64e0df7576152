// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../preemption/hardware_queues/context.hpp"
#include "../../preemption/hardware_queues/queue.hpp"
#include "engine_events.hpp"

struct _DXGKARGCB_INVALIDATEHWCONTEXT;

/// Hardware scheduling: queues that the hardware reads by itself, and contexts that are suspended and resumed.
///
/// All functions here: nonpaged, since submissions come at DISPATCH_LEVEL, and no page names the IRQL of most others
/// (IRQ-04, IRQ-09).
namespace wddmcore::inline WDDMCORE_ABI::wdk {

/// What hHwQueue points to.
struct hw_queue {
    context* of;  ///< constant
    void* own;    ///< what the driver's open_hw_queue gave; constant

    /// Constructs in memory that is there.
    /// @param at  memory of this size, aligned as pool is
    /// @return the same address
    static void* operator new(usize, void* at) noexcept { return at; }
};

namespace detail {

template <class Gpu>
concept has_queues = requires(Gpu& hw, void* own, preemption::queue_submission const& what, u8 const* data, u32 size) {
    { hw.close_hw_queue(own) } noexcept;
    { hw.room_in_hw_queue(own, size) } noexcept -> meta::same_as<span<u8>>;
    { hw.append_to_hw_queue(own, what, data) } noexcept;
};

template <class Gpu>
concept has_suspensions = requires(Gpu& hw, context& of, u64 fence) {
    { hw.ask_suspend(of, fence) } noexcept;
    { hw.ask_resume(of) } noexcept;
};

template <class Gpu>
concept has_engine_resets = requires(Gpu& hw, context& of, u32 n, _DXGKARGCB_INVALIDATEHWCONTEXT& args) {
    { hw.reset_hw_engine(n) } noexcept -> meta::same_as<bool>;
    { hw.was_on_engine(of) } noexcept -> meta::same_as<bool>;
    { hw.resume_hw_engine(n) } noexcept -> meta::same_as<bool>;
    { hw.system_adapter() } noexcept -> meta::same_as<void*>;
    { hw.invalidate_hw_context(args) } noexcept;
};

/// Notifies that a context is suspended, if that is demanded; the record exists from WDDM 2.4. Interrupt lock.
template <class Gpu>
[[nodiscard]] bool report_suspension(device<Gpu>& d, context const& of,
                                     preemption::hw_answer const& demanded) noexcept {
    bool const reports = demanded.has(preemption::hw_action::report);
    if constexpr (preemption::reports_suspensions<decltype(d.record)>) {
        if (reports) {
            preemption::fill_suspended(d.record, of.system, demanded.suspend_fence);  // AMB-62
            d.notify_interrupt(d.record);
        }
    }
    return reports;
}

/// Resets a node, and lets its contexts know. @return false: the reset failed, and nothing has changed
template <class Gpu>
[[nodiscard]] bool halt_contexts(device<Gpu>& d, u32 n) noexcept {
    submission_lock const lock(d);
    synchronized(d, [&d, n] { static_cast<void>(report_news(d, n)); });
    if (!d.reset_hw_engine(n)) {
        return false;
    }
    synchronized(d, [&d, n] {
        bool told = false;
        for (context* each = d.contexts; each != nullptr; each = each->next) {
            if (each->where.node == n) {
                preemption::hw_answer const demanded = each->hardware.engine_reset(d.was_on_engine(*each));
                told |= report_suspension(d, *each, demanded);
                each->is_caught |= demanded.has(preemption::hw_action::invalidate);
            }
        }
        if (told) {
            d.queue_dpc();
        }
    });
    return true;
}

/// @return the system's handle of a context that a reset has caught, each of them once; NULL: no other
template <class Gpu>
[[nodiscard]] void* next_caught(device<Gpu>& d) noexcept {
    submission_lock const lock(d);
    for (context* each = d.contexts; each != nullptr; each = each->next) {
        if (each->is_caught) {
            each->is_caught = false;
            return each->system;
        }
    }
    return nullptr;
}

/// Tells the system which contexts a reset has caught. Outside the locks, PASSIVE_LEVEL.
template <class Args, class Gpu>
void invalidate_caught(device<Gpu>& d) noexcept {
    while (void* const system = next_caught(d)) {
        Args args{};
        preemption::fill_invalidate_hw_context(args, d.system_adapter(), system);
        d.invalidate_hw_context(args);
    }
}

}  // namespace detail

/// What the functions here ask of a driver's adapter, besides check_device(). A driver with hardware scheduling asserts
/// it once. `n` is a node.
///
/// Nonpaged, called up to DISPATCH_LEVEL:
///
///     span<u8> room_in_hw_queue(own, size)       memory for a submission's private data, which stays until the
///                                                submission has completed (HWS-05); shorter: there is none. The next
///                                                call may give the same memory unless an append came between
///     void append_to_hw_queue(own, submission, data)  the hardware may execute it from here on
///
/// Nonpaged, called in the interrupt lock:
///
///     void ask_suspend(context&, u64 fence)      the hardware suspends the context and then echoes the fence, which
///                                                the driver gives to context_suspended()
///     void ask_resume(context&)                  the hardware may run the context
///     bool was_on_engine(context&)               whether the last reset discarded work of it; true: cannot tell
///
/// Nonpaged, called in the submission lock:
///
///     bool reset_hw_engine(n)                    runs nothing until it is resumed; false: it failed
///     bool resume_hw_engine(n)                   schedules again; false: it cannot
///
/// Nonpaged, called at PASSIVE_LEVEL:
///
///     ntstatus open_hw_queue(own of the context, args, void*& own)   DXGKARG_CREATEHWQUEUE
///     void close_hw_queue(own)
///     ntstatus set_scheduling_properties(own of the context, args)   DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES; at the
///                                                level that the system chooses (IRQ-09)
///     void* system_adapter()                     DeviceHandle of DXGKRNL_INTERFACE
///     void invalidate_hw_context(args)           DxgkCbInvalidateHwContext, with DXGKARGCB_INVALIDATEHWCONTEXT
///
/// @return true, or it does not compile: the error names the group of what is missing, has other types or may throw
template <class Gpu>
consteval bool check_hw_queues() {
    static_assert(detail::has_queues<Gpu>,
                  "wdk: the adapter needs close_hw_queue, room_in_hw_queue and append_to_hw_queue, noexcept");
    static_assert(detail::has_suspensions<Gpu>, "wdk: the adapter needs ask_suspend and ask_resume, noexcept");
    static_assert(detail::has_engine_resets<Gpu>,
                  "wdk: the adapter needs reset_hw_engine, was_on_engine, resume_hw_engine, system_adapter and "
                  "invalidate_hw_context, noexcept");
    return true;
}

/// DxgkDdiCreateHwQueue: a queue of a context.
///
/// @param handle  hHwContext: what create_context() made
/// @param args    DXGKARG_CREATEHWQUEUE; hHwQueue is the system's until it is overwritten
/// @return success. no_memory, or what else the driver's `open_hw_queue` found
/// PASSIVE_LEVEL, nonpaged. WDDM 2.2. Source: nc-d3dkmddi-dxgkddi_createhwqueue.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus create_hw_queue(void* handle, Args* args) noexcept {
    context* const of = detail::context_of(handle);
    Gpu& hw = adapter_of<Gpu>(of->adapter);
    void* const memory = hw.allocate_nonpaged(sizeof(hw_queue));
    if (memory == nullptr) {
        return status::no_memory;
    }
    void* own = nullptr;
    ntstatus const opened = hw.open_hw_queue(of->own, *args, own);
    if (!succeeded(opened)) {
        hw.release_nonpaged(memory);
        return opened;
    }
    args->hHwQueue = new (memory) hw_queue{of, own};
    return status::success;
}

/// DxgkDdiDestroyHwQueue: nothing of it is executed any more.
///
/// @param handle  hHwQueue
/// @return success
/// PASSIVE_LEVEL, nonpaged. WDDM 2.2. Source: nc-d3dkmddi-dxgkddi_destroyhwqueue.md.
template <class Gpu>
[[nodiscard]] ntstatus destroy_hw_queue(void* handle) noexcept {
    auto* const gone = static_cast<hw_queue*>(handle);
    Gpu& hw = adapter_of<Gpu>(gone->of->adapter);
    hw.close_hw_queue(gone->own);
    hw.release_nonpaged(gone);
    return status::success;
}

/// DxgkDdiSubmitCommandToHwQueue: a DMA buffer is appended to a queue, with a copy of its private data, since the
/// system frees its own when this returns (HWS-05).
///
/// A suspended context takes submissions; they wait in the queue. The system does not call twice for one queue at once.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_SUBMITCOMMANDTOHWQUEUE, of header build 17763 or later
/// @return success. invalid_device_state: the context has no scheduling properties yet (HWS-04), or an engine reset has
///         invalidated it (HWS-08). invalid_parameter: private data that is NULL or longer than what the driver has
///         room for. On a failure nothing is appended
/// PASSIVE_LEVEL or DISPATCH_LEVEL (IRQ-04), nonpaged. WDDM 2.2. Source:
/// nc-d3dkmddi-dxgkddi_submitcommandtohwqueue.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus submit_command_to_hw_queue(void* handle, Args const* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    hw_queue const& queue = *static_cast<hw_queue*>(args->hHwQueue);
    bool is_open = false;
    detail::synchronized(d, [&is_open, &queue] { is_open = queue.of->hardware.takes_submissions(); });
    if (!is_open) {
        return status::invalid_device_state;
    }
    span<u8> const room = d.room_in_hw_queue(queue.own, args->DmaBufferPrivateDataSize);
    auto const taken = preemption::take_queue_submission(*args, room);
    if (!taken.ok()) {
        return status::invalid_parameter;
    }
    d.append_to_hw_queue(queue.own, taken.get(), room.data);
    return status::success;
}

/// DxgkDdiSetContextSchedulingProperties: priorities and times go to the driver; from the first of them on, the queues
/// of the context take submissions (HWS-04).
///
/// @param handle  hAdapter
/// @param args    DXGKARG_SETCONTEXTSCHEDULINGPROPERTIES
/// @return what the driver's `set_scheduling_properties` returned
/// Any IRQL that the system chooses (IRQ-09), nonpaged. WDDM 2.4. Source:
/// nc-d3dkmddi-dxgkddi_setcontextschedulingproperties.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus set_context_scheduling_properties(void* handle, Args const* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    context& of = *detail::context_of(args->hContext);
    ntstatus const set = d.set_scheduling_properties(of.own, *args);
    if (succeeded(set)) {
        detail::synchronized(d, [&of] { of.hardware.properties_set(); });
    }
    return set;
}

/// DxgkDdiSuspendContext: the hardware leaves a context, and forgets it.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_SUSPENDCONTEXT
/// @return success: nothing on the GPU refers to it. pending: context_suspended() will report it, with this fence
///         (HWS-01, HWS-02)
/// Any IRQL that the system chooses (IRQ-09), nonpaged. WDDM 2.4. Source: nc-d3dkmddi-dxgkddi_suspendcontext.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus suspend_context(void* handle, Args const* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    context& of = *detail::context_of(args->hContext);
    ntstatus answer = status::success;
    detail::synchronized(d, [&d, &of, &answer, fence = args->contextSuspendFence] {
        preemption::hw_answer const demanded = of.hardware.suspend(fence);
        if (demanded.has(preemption::hw_action::ask_suspend)) {
            d.ask_suspend(of, demanded.suspend_fence);
        }
        answer = demanded.status;
    });
    return answer;
}

/// DxgkDdiResumeContext: the hardware may run a context again; a suspension that is under way ends (HWS-02).
///
/// @param handle  hAdapter
/// @param args    DXGKARG_RESUMECONTEXT
/// @return success, always
/// Any IRQL that the system chooses (IRQ-09), nonpaged. WDDM 2.4. Source: nc-d3dkmddi-dxgkddi_resumecontext.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus resume_context(void* handle, Args const* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    context& of = *detail::context_of(args->hContext);
    detail::synchronized(d, [&d, &of] {
        if (of.hardware.resume().has(preemption::hw_action::ask_resume)) {
            d.ask_resume(of);
        }
    });
    return status::success;
}

/// The hardware has suspended a context. A driver calls it from its `read_news`, or beside interrupt_routine(), for
/// each acknowledgement that it finds. The record goes out with a DPC, unless a newer request has overtaken it
/// (HWS-02).
///
/// @param of     the context that `ask_suspend` was called with, which the system has not destroyed
/// @param fence  what the hardware echoed
/// @return whether it was reported
/// Device IRQL, in the interrupt lock, nonpaged. WDDM 2.4. Source: nc-d3dkmddi-dxgkddi_suspendcontext.md.
template <class Gpu>
bool context_suspended(context& of, u64 fence) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(of.adapter);
    bool const reported = detail::report_suspension(d, of, of.hardware.acknowledged(fence));
    if (reported) {
        d.queue_dpc();
    }
    return reported;
}

/// DxgkDdiResetHwEngine: a node is reset and stands still; the system learns which contexts it was working on.
///
/// What the node still had to say is reported before. A suspension that waited is reported, since the reset took every
/// reference away.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_RESETHWENGINE
/// @return success; unsuccessful: the reset failed; invalid_parameter for a node that is not there
/// PASSIVE_LEVEL, since it calls DxgkCbInvalidateHwContext, nonpaged for its lock. WDDM 2.2, header build 17134.
/// Source: nc-d3dkmddi-dxgkddi_resethwengine.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus reset_hw_engine(void* handle, Args const* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    u32 const n = args->NodeOrdinal;
    if (!preemption::contains(d.shape(), {n, args->EngineOrdinal})) {
        return status::invalid_parameter;
    }
    if (!detail::halt_contexts(d, n)) {
        return status::unsuccessful;
    }
    detail::invalidate_caught<_DXGKARGCB_INVALIDATEHWCONTEXT>(d);
    return status::success;
}

/// DxgkDdiResumeHwEngine: a node that was reset runs again what the reset did not catch (HWS-08).
///
/// @param handle  hAdapter
/// @param args    DXGKARG_RESUMEHWENGINE
/// @return success; unsuccessful: the node does not schedule, and the system resets the adapter; invalid_parameter for
///         a node that is not there
/// Any IRQL that the system chooses up to DISPATCH_LEVEL (IRQ-09), nonpaged. WDDM 2.4. Source:
/// nc-d3dkmddi-dxgkddi_resumehwengine.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus resume_hw_engine(void* handle, Args const* args) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    u32 const n = args->NodeOrdinal;
    if (!preemption::contains(d.shape(), {n, args->EngineOrdinal})) {
        return status::invalid_parameter;
    }
    detail::submission_lock const lock(d);
    bool const runs = d.resume_hw_engine(n);
    if (runs) {
        detail::synchronized(d, [&d, n] { detail::let_contexts_run(d, n); });
    }
    return preemption::resume_hw_engine_status(runs);
}

}  // namespace wddmcore::wdk
