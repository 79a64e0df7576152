// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "adapter.h"

#include <hardware/cpu_memory.hpp>

/// The hardware type of a driver in C: the encoders, page tables and memory of an example, and how its nodes are scheduled.
/// It begins with the C adapter, so that hAdapter is a `struct adapter *` in C; what the library asks of an adapter is a C
/// function each.
struct gpu : adapter, wddmcore::examples::cpu::virtual_processor<wddmcore::examples::cpu::processor_memory::claims>,
             wddmcore::examples::cpu::processor_memory {
    using u32 = wddmcore::u32;
    using u64 = wddmcore::u64;
    using usize = wddmcore::usize;

    static constexpr wddmcore::preemption_engine engines[NODES] = {
        {.graphics = {wddmcore::graphics_preemption_granularity::primitive_boundary, 64 * wddmcore::kib},
         .acknowledges_when_idle = true},
        {.other = {wddmcore::other_preemption_granularity::inside_dma_buffer, 4 * wddmcore::kib},
         .acknowledges_when_idle = true}};
    static constexpr wddmcore::scheduling_capabilities scheduling{.multi_engine_aware = wddmcore::claim::yes,
                                                                  .preemption_aware = wddmcore::claim::yes,
                                                                  .cancel_command_aware = wddmcore::claim::yes,
                                                                  .virtual_addressing = wddmcore::claim::yes,
                                                                  .hw_queue_packet_cap = 8,
                                                                  .support_per_engine_tdr = wddmcore::claim::yes,
                                                                  .recovery = wddmcore::recovery_functions::per_engine,
                                                                  .paging_node = 1};

    // Memory: PASSIVE_LEVEL.

    static constexpr wddmcore::bytes record_bytes{sizeof(packet_data)};
    static constexpr wddmcore::bytes paging_private_data_size = 4 * wddmcore::kib;
    u64 commands_at = 0;  ///< of the pass that is being built

    [[nodiscard]] bool place_memory() noexcept {
        places = layout;
        bool const placed = places.place(local, {.size = wddmcore::bytes{Found.MemoryBytes}, .cpu = {Found.BarAddress}}) ==
                            wddmcore::segment::no_rule_broken;
        processor::segments[window.n - 1] = {place_of(places.all(), window), true};
        processor::segments[local.n - 1] = {place_of(places.all(), local), false};
        system_base = Found.SystemBase;
        entries = static_cast<wddmcore::examples::cpu::aperture_entry*>(Found.ApertureEntries);
        return placed;
    }
    [[nodiscard]] wddmcore::segment::view segments(u32) const noexcept { return places.all(); }
    [[nodiscard]] wddmcore::gpuva::paging_space_request paging_space(u32) const noexcept {
        return {.largest_local_segment = place(local).size, .whole = 1 * wddmcore::mib};
    }
    void begin_paging_buffer(void const* commands) noexcept { commands_at = reinterpret_cast<usize>(commands); }
    void encode_record(void* at, wddmcore::paging_record const&) const noexcept {
        *static_cast<packet_data*>(at) = {0, 0, commands_at};
    }
    [[nodiscard]] static wddmcore::ntstatus answer_first(DXGKARG_QUERYADAPTERINFO const& args) noexcept {
        return AnswerFirst(&args);
    }
    [[nodiscard]] static wddmcore::result<wddmcore::segment::allocation> allocation_of(void const* data, u32 size) noexcept {
        namespace segment = wddmcore::segment;
        if (size < sizeof(allocation_request)) {
            return wddmcore::refused<segment::allocation>(wddmcore::errc::out_of_range);
        }
        auto const& wanted = *static_cast<allocation_request const*>(data);
        segment::allocation a{.size = wddmcore::bytes{wanted.Size},
                              .supported = segment::set_of(local, window),
                              .eviction = segment::set_of(window),
                              .preferred = segment::prefer(local, window)};
        if (wanted.CpuVisible != 0) {
            a.flags_wddm2 = a.flags_wddm2.with(segment::allocation_flag_wddm2::cpu_visible);
        }
        if (wanted.NotifyUnmap != 0) {
            a.flags2 = a.flags2.with(segment::allocation_flag2::notify_io_mmu_unmap);
        }
        return wddmcore::good(a);
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

    void write_packet(u32 node, wddmcore_packet const& packet) noexcept { WritePacket(this, node, &packet); }
    void read_news(u32 node, wddmcore_engine_news& news) noexcept { ReadNews(this, node, &news); }
    void request_stop(u32 node, u32 generation) noexcept { RequestStop(this, node, generation); }
    void withdraw_stop(u32 node) noexcept { WithdrawStop(this, node); }
    [[nodiscard]] wddmcore_halted halt(u32 node, u32& serial) noexcept { return Halt(this, node, &serial); }
    [[nodiscard]] bool reset_node(u32 node) noexcept { return ResetNode(this, node) != 0; }
    [[nodiscard]] u64 nodes_reset_with(u32 node) noexcept { return NodesResetWith(this, node); }
    [[nodiscard]] static u64 address_of_packet(void const* data) noexcept {
        return static_cast<packet_data const*>(data)->Address;
    }
    [[nodiscard]] static bool accepts_packet(void const* data) noexcept {
        return static_cast<packet_data const*>(data)->Invalid == 0;
    }
};
