// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpu.hpp"

/// In a real driver the included DDI header has it; here the mirror stands for that.
struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA : wddmcore::mirror::v3_2::dxgkargcb_notify_interrupt_data {};

#include <wddmcore/testing/scheduler_table.h>
#include <wddmcore/wdk/resident_functions.hpp>

#include <mutex>

/// What the library's DDI functions ask of the driver: locks, callbacks, registers, contexts.
///
/// In a real driver the mutex is a spin lock, and `new` allocates from the non-paged pool.
namespace wddmcore::examples::skeleton {

/// What the user-mode driver says about a context in its private data.
struct context_request {
    u64 save_area = 0;  ///< the GPU's address of its context allocation
};

/// What the driver keeps for a context; an engine loads the root with it.
struct own_context {
    u64 save_area;
    gpuva::root_table root{};
};

/// The hardware type, which is the driver's adapter too. wdk/functions/check.hpp says what each function is for.
struct adapter : gpu {
    resources found{};
    iommu::exclusive_access access{};
    std::mutex submission{};

    // Contexts: PASSIVE_LEVEL.

    [[nodiscard]] static void* allocate_nonpaged(usize size) noexcept { return ::operator new(size, std::nothrow); }
    static void release_nonpaged(void* memory) noexcept { ::operator delete(memory); }
    /// This driver keeps nothing for a device: hDevice is hAdapter.
    [[nodiscard]] static void* adapter_of_device(void* device) noexcept { return device; }
    template <class Args>
    [[nodiscard]] static ntstatus open_context(Args& args, void*& own) noexcept {
        u64 const save_area = args.PrivateDriverDataSize < sizeof(context_request)
                                  ? 0  // the system preempts a context without a save area where it ends
                                  : static_cast<context_request const*>(args.pPrivateDriverData)->save_area;
        own = new (std::nothrow) own_context{save_area};
        args.ContextInfo.DmaBufferSize = 64 * 1024;
        args.ContextInfo.DmaBufferPrivateDataSize = sizeof(packet_data);
        return own != nullptr ? status::success : status::no_memory;
    }
    static void close_context(void* own) noexcept { delete static_cast<own_context*>(own); }
    static void set_root(void* own, gpuva::root_table const& root) noexcept {
        static_cast<own_context*>(own)->root = root;
    }

    // Locks and callbacks.

    [[nodiscard]] wdk::irq_level take_submission_lock() noexcept {
        submission.lock();
        return 0;
    }
    void leave_submission_lock(wdk::irq_level) noexcept { submission.unlock(); }
    /// The routine goes through the calling convention of the simulator's table.
    void run_synchronized(wdk::synchronized_routine* routine, void* argument) noexcept {
        struct call {
            wdk::synchronized_routine* routine;
            void* argument;
            static int WDDMCORE_DRIVER_CALL run(void* c) {
                return static_cast<call*>(c)->routine(static_cast<call*>(c)->argument);
            }
        } wrapped{routine, argument};
        found.services->synchronize_execution(found.services->system, &call::run, &wrapped, 0, nullptr);
    }
    void notify_interrupt(_DXGKARGCB_NOTIFY_INTERRUPT_DATA& record) noexcept {
        found.services->notify_interrupt(found.services->system, &record);
    }
    void queue_dpc() noexcept { static_cast<void>(found.services->queue_dpc(found.services->system)); }
    void notify_dpc() noexcept { found.services->notify_dpc(found.services->system); }

    // Registers, and private data of packets: up to device IRQL.

    [[nodiscard]] static u64 address_of_packet(void const* data) noexcept {
        return static_cast<packet_data const*>(data)->address;
    }
    [[nodiscard]] static bool accepts_packet(void const* data) noexcept {
        return static_cast<packet_data const*>(data)->invalid == 0;
    }
    void write_packet(u32 n, wddmcore_packet const& packet) noexcept {
        auto const* const own = static_cast<own_context const*>(packet.context);
        // The default context of a node has nothing but its save area (PGB-15).
        u64 const save_area = own != nullptr ? own->save_area : found.save_areas[n];
        wddmcore_gpu_packet to{packet.serial, 0, save_area, packet.buffer, packet.start, packet.end};
        switch (packet.kind) {
            case wddmcore_packet_runs: break;
            case wddmcore_packet_resumes: to.flags = wddmcore_gpu_resume; break;
            case wddmcore_packet_only_fences: to.flags = wddmcore_gpu_fence_only | wddmcore_gpu_keep_context; break;
            case wddmcore_packet_leaves_context:
                to.context = 0;
                to.flags = wddmcore_gpu_fence_only;
                break;
        }
        registers().enqueue(registers().gpu, n, 0, &to);
    }
    /// Reading the status also dismisses the interrupt.
    void read_news(u32 n, wddmcore_engine_news& news) noexcept {
        wddmcore_gpu_status now{};
        registers().read_status(registers().gpu, n, 0, &now);
        news.completed = (now.news & wddmcore_gpu_completed) != 0;
        news.completed_serial = now.completed;
        news.stopped = (now.news & wddmcore_gpu_stopped) != 0;
        news.stopped_generation = now.stopped_generation;
        news.stopped_serial = now.stopped_through;
        news.half_run = now.stopped_half_run != 0;
        news.faulted = (now.news & wddmcore_gpu_faulted) != 0;
        news.fault_names_packet = now.fault_known != 0;
        news.faulted_serial = now.fault_serial;
        news.fault_halts = now.fault_needs_reset != 0;
        news.progress = now.progress;
    }
    void request_stop(u32 n, u32 generation) noexcept { registers().request_stop(registers().gpu, n, 0, generation); }
    void withdraw_stop(u32 n) noexcept { registers().disarm(registers().gpu, n, 0); }
    [[nodiscard]] wddmcore_halted halt(u32 n, u32& serial) noexcept {
        wddmcore_gpu_halted halted{};
        registers().halt(registers().gpu, n, 0, &halted);
        serial = halted.serial;
        return halted.what == wddmcore_gpu_nothing     ? wddmcore_halted_idle
               : halted.what == wddmcore_gpu_executing ? wddmcore_halted_in_packet
                                                       : wddmcore_halted_unknown;
    }
    [[nodiscard]] bool reset_node(u32 n) noexcept { return registers().reset(registers().gpu, n, 0) == 0; }
    [[nodiscard]] u64 nodes_reset_with(u32 n) noexcept { return registers().affected_nodes(registers().gpu, n); }

private:
    [[nodiscard]] wddmcore_gpu const& registers() const noexcept { return *found.registers; }
};
static_assert(wdk::check_device<adapter>());

}  // namespace wddmcore::examples::skeleton
