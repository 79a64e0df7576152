// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "adapter.h"
#include "example_gpu.hpp"

/// The hardware type of a driver in C. It begins with the C adapter, so that hAdapter is a `struct adapter *` in C; what the
/// library asks of an adapter is a C function each.
struct gpu : adapter, example_gpu {
    // Memory: PASSIVE_LEVEL.

    [[nodiscard]] static wddmcore::ntstatus answer_first(DXGKARG_QUERYADAPTERINFO const& args) noexcept {
        return AnswerFirst(&args);
    }
    /// The handle has to be something that is this allocation's alone.
    [[nodiscard]] static void* keep_allocation(wddmcore::segment::allocation const&) noexcept {
        return AllocateMemory(sizeof(u64));
    }
    static void drop_allocation(void* handle) noexcept { ReleaseMemory(handle); }

    [[nodiscard]] static void* allocate_nonpaged(usize size) noexcept { return AllocateMemory(size); }
    static void release_nonpaged(void* memory) noexcept { ReleaseMemory(memory); }
    [[nodiscard]] static void* adapter_of_device(void* device) noexcept {
        return static_cast<own_device*>(device)->Adapter;
    }
    [[nodiscard]] static wddmcore::ntstatus open_context(DXGKARG_CREATECONTEXT& args, void*& own) noexcept {
        own_context* made = nullptr;
        wddmcore::ntstatus const opened = OpenContext(&args, &made);
        own = made;
        return opened;
    }
    static void close_context(void* own) noexcept { ReleaseMemory(own); }
    static void set_root(void* own, wddmcore::gpuva::root_table const& root) noexcept {
        auto& of = *static_cast<own_context*>(own);
        of.RootSegment = root.segment.n;
        of.RootEntries = root.entries;
        of.RootOffset = root.offset.n;
    }

    // Scheduling: nonpaged, up to device IRQL.

    [[nodiscard]] wddmcore::wdk::irq_level take_submission_lock() noexcept { return TakeSubmissionLock(this); }
    void leave_submission_lock(wddmcore::wdk::irq_level before) noexcept { LeaveSubmissionLock(this, before); }
    void run_synchronized(wddmcore::wdk::synchronized_routine* routine, void* argument) noexcept {
        RunSynchronized(this, routine, argument);
    }
    void notify_interrupt(DXGKARGCB_NOTIFY_INTERRUPT_DATA& record) noexcept { NotifyInterrupt(this, &record); }
    void queue_dpc() noexcept { QueueDpc(this); }
    void notify_dpc() noexcept { NotifyDpc(this); }

    // region: ring
    void write_packet(u32 node, wddmcore_packet const& packet) noexcept { WritePacket(this, node, &packet); }
    void read_news(u32 node, wddmcore_engine_news& news) noexcept { ReadNews(this, node, &news); }
    // end: ring
    void request_stop(u32 node, u32 generation) noexcept { RequestStop(this, node, generation); }
    void withdraw_stop(u32 node) noexcept { WithdrawStop(this, node); }
    [[nodiscard]] wddmcore_halted halt(u32 node, u32& serial) noexcept { return Halt(this, node, &serial); }
    [[nodiscard]] bool reset_node(u32 node) noexcept { return ResetNode(this, node) != 0; }
    [[nodiscard]] u64 nodes_reset_with(u32 node) noexcept { return NodesResetWith(this, node); }
};
