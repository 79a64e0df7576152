// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/wddmcore.hpp>
#include <wddmcore/wdk/resident_functions.hpp>

#include <wddmcore/wdk/pageable_functions.hpp>

namespace strict {

using namespace wddmcore;

/// What the functions of wdk/ ask of an adapter: it leads to nothing.
struct driven {
    void* memory;

    ntstatus answer_first(DXGKARG_QUERYADAPTERINFO const&) const noexcept { return status::not_supported; }
    result<segment::allocation> allocation_of(void const*, u32 size) const noexcept {
        return good(segment::allocation{.size = bytes{size}});
    }
    void* keep_allocation(segment::allocation const&) const noexcept { return memory; }
    void drop_allocation(void*) noexcept {}
    void* allocate_nonpaged(usize) const noexcept { return memory; }
    void release_nonpaged(void*) noexcept {}
    static void* adapter_of_device(void* device) noexcept { return device; }
    ntstatus open_context(DXGKARG_CREATECONTEXT&, void*&) const noexcept { return status::success; }
    void close_context(void*) noexcept {}
    void set_root(void*, gpuva::root_table const&) noexcept {}

    wdk::irq_level take_submission_lock() noexcept { return 0; }
    void leave_submission_lock(wdk::irq_level) noexcept {}
    void run_synchronized(wdk::synchronized_routine* routine, void* argument) noexcept { routine(argument); }
    void notify_interrupt(DXGKARGCB_NOTIFY_INTERRUPT_DATA&) noexcept {}
    void queue_dpc() noexcept {}
    void notify_dpc() noexcept {}
    void write_packet(u32, wddmcore_packet const&) noexcept {}
    void read_news(u32, wddmcore_engine_news&) noexcept {}
    void request_stop(u32, u32) noexcept {}
    void withdraw_stop(u32) noexcept {}
    wddmcore_halted halt(u32, u32&) noexcept { return wddmcore_halted_idle; }
    bool reset_node(u32) noexcept { return true; }
    u64 nodes_reset_with(u32) const noexcept { return 1; }
    static constexpr preemption::patch_rules patching{.slots = 1};
    template <class Args>
    ntstatus translate(void*, Args&, wdk::render_pass<Args>& pass) const noexcept {
        pass.done = pass.patches.add({}, pass.addresses) == preemption::patch_defect::none;
        return status::success;
    }
    ntstatus open_hw_queue(void*, auto&, void*&) const noexcept { return status::success; }
    void close_hw_queue(void*) noexcept {}
    ntstatus set_scheduling_properties(void*, auto const&) const noexcept { return status::success; }
    span<u8> room_in_hw_queue(void*, u32) const noexcept { return {static_cast<u8*>(memory), 16}; }
    void append_to_hw_queue(void*, preemption::queue_submission const&, u8 const*) noexcept {}
    void ask_suspend(wdk::context&, u64) noexcept {}
    void ask_resume(wdk::context&) noexcept {}
    bool was_on_engine(wdk::context&) const noexcept { return true; }
    bool reset_hw_engine(u32) noexcept { return true; }
    bool resume_hw_engine(u32) noexcept { return true; }
    void* system_adapter() const noexcept { return memory; }
    void invalidate_hw_context(_DXGKARGCB_INVALIDATEHWCONTEXT&) noexcept {}

    u64 address_of_packet(void const*) const noexcept { return 0; }
    bool accepts_packet(void const*) const noexcept { return true; }
};

}  // namespace strict
