// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ddi_header.hpp"

#include <wddmcore/wdk/resident_functions.hpp>

#include <wddmcore/wdk/pageable_functions.hpp>

#include <hardware/cpu_memory.hpp>

/// A driver's adapter for the functions of wdk/. What a driver calls for its registers and callbacks has a depth of its
/// own; here it is a store.
namespace wdk_kernel {

using namespace wddmcore;

struct adapter : examples::cpu::virtual_processor<examples::cpu::processor_memory::claims>,
                 examples::cpu::processor_memory {
    static constexpr preemption_engine engines[2] = {
        {.graphics = {graphics_preemption_granularity::primitive_boundary, 64 * kib}, .acknowledges_when_idle = true},
        {.other = {other_preemption_granularity::inside_dma_buffer, 4 * kib}}};
    static constexpr scheduling_capabilities scheduling{.multi_engine_aware = claim::yes,
                                                        .preemption_aware = claim::yes,
                                                        .cancel_command_aware = claim::yes,
                                                        .virtual_addressing = claim::yes,
                                                        .hw_queue_packet_cap = 8,
                                                        .support_per_engine_tdr = claim::yes,
                                                        .recovery = recovery_functions::per_engine,
                                                        .paging_node = 1};
    u64 volatile registers[16];
    wddmcore_engine_news volatile* status;

    [[nodiscard]] segment::view segments(u32) const noexcept { return places.all(); }
    [[nodiscard]] gpuva::paging_space_request paging_space(u32) const noexcept { return {}; }
    void begin_paging_buffer(void const* commands) noexcept { registers[0] = reinterpret_cast<usize>(commands); }
    [[nodiscard]] ntstatus answer_first(_DXGKARG_QUERYADAPTERINFO const& args) noexcept {
        registers[1] = static_cast<u32>(args.Type);
        return status::not_supported;
    }
    [[nodiscard]] static result<segment::allocation> allocation_of(void const* data, u32 size) noexcept {
        return size == sizeof(u64) ? good(segment::allocation{.size = bytes{*static_cast<u64 const*>(data)},
                                                              .supported = segment::set_of(local, window),
                                                              .eviction = segment::set_of(window),
                                                              .preferred = segment::prefer(local, window)})
                                   : refused<segment::allocation>(errc::out_of_range);
    }
    [[nodiscard]] void* keep_allocation(segment::allocation const& a) noexcept {
        registers[2] = a.size.n;
        return this;
    }
    void drop_allocation(void* handle) noexcept { registers[2] = reinterpret_cast<usize>(handle); }

    [[nodiscard]] void* allocate_nonpaged(usize size) noexcept {
        registers[3] = size;
        return reinterpret_cast<void*>(static_cast<usize>(registers[3]));
    }
    void release_nonpaged(void* memory) noexcept { registers[3] = reinterpret_cast<usize>(memory); }
    [[nodiscard]] static void* adapter_of_device(void* device) noexcept { return device; }
    [[nodiscard]] ntstatus open_context(ddi::dxgkarg_createcontext const& args, void*& own) noexcept {
        registers[4] = args.NodeOrdinal;
        own = this;
        return status::success;
    }
    void close_context(void* own) noexcept { registers[4] = reinterpret_cast<usize>(own); }
    void set_root(void* own, gpuva::root_table const& root) noexcept {
        registers[5] = reinterpret_cast<usize>(own) + root.offset.n;
    }

    [[nodiscard]] wdk::irq_level take_submission_lock() noexcept {
        registers[6] = 1;
        return 0;
    }
    void leave_submission_lock(wdk::irq_level before) noexcept { registers[6] = before; }
    WDDMCORE_INLINE void run_synchronized(wdk::synchronized_routine* routine, void* argument) noexcept {
        registers[7] = routine(argument);
    }
    void notify_interrupt(_DXGKARGCB_NOTIFY_INTERRUPT_DATA& record) noexcept { registers[8] = record.InterruptType; }
    void queue_dpc() noexcept { registers[9] = 1; }
    void notify_dpc() noexcept { registers[9] = 0; }

    void write_packet(u32 n, wddmcore_packet const& packet) noexcept { registers[n & 1] = packet.serial; }
    void read_news(u32 n, wddmcore_engine_news& news) const noexcept {
        auto const& of = status[n];
        news.completed = of.completed;
        news.completed_serial = of.completed_serial;
        news.stopped = of.stopped;
        news.stopped_generation = of.stopped_generation;
        news.stopped_serial = of.stopped_serial;
        news.half_run = of.half_run;
        news.faulted = of.faulted;
        news.fault_names_packet = of.fault_names_packet;
        news.faulted_serial = of.faulted_serial;
        news.fault_halts = of.fault_halts;
        news.progress = of.progress;
    }
    void request_stop(u32 n, u32 generation) noexcept { registers[n & 1] = generation; }
    void withdraw_stop(u32 n) noexcept { registers[n & 1] = 0; }
    [[nodiscard]] static u64 address_of_packet(void const* data) noexcept { return *static_cast<u64 const*>(data); }
    [[nodiscard]] static bool accepts_packet(void const* data) noexcept { return address_of_packet(data) != 0; }
    [[nodiscard]] wddmcore_halted halt(u32 n, u32& serial) noexcept {
        serial = static_cast<u32>(registers[n & 1]);
        return registers[10] != 0 ? wddmcore_halted_in_packet : wddmcore_halted_unknown;
    }
    [[nodiscard]] bool reset_node(u32 n) noexcept { return registers[n & 1] == 0; }
    [[nodiscard]] u64 nodes_reset_with(u32 n) const noexcept { return registers[n & 1]; }
};
static_assert(wdk::check_device<adapter>());

}  // namespace wdk_kernel
