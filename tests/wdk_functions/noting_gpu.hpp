// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <dispmprt.h>

#include <wddmcore/wdk/resident_functions.hpp>

#include <wddmcore/wdk/pageable_functions.hpp>

#include <c_driver/example_gpu.hpp>
#include <doctest/doctest.h>

#include <cstdlib>
#include <vector>

namespace wdk_functions_test {

using namespace wddmcore;

/// An adapter that notes what it is asked, and fails when told to.
struct noting_gpu : example_gpu {
    int allocations_left = 100;
    int blocks = 0;
    ntstatus opened = status::success;
    bool resets = true;
    wddmcore_engine_news news[2] = {};
    std::vector<wddmcore_packet> written{};
    std::vector<void*> dropped{};
    int notified = 0;
    std::vector<u32> records{};  // InterruptType of each
    u32 fault_flags = 0;         // of the last record of a fault
    int withdrawn = 0;
    int dpcs = 0;
    int stops = 0;
    u32 asked = 0;
    int roots = 0;
    int locked = 0;
    void* next_own = nullptr;  // what the next context gets
    wddmcore_halted halted = wddmcore_halted_unknown;
    bool nodes_touched[2] = {};

    static ntstatus answer_first(DXGKARG_QUERYADAPTERINFO const&) noexcept { return status::not_implemented; }
    void* keep_allocation(segment::allocation const&) noexcept { return allocate_nonpaged(8); }
    void drop_allocation(void* handle) noexcept {
        dropped.push_back(handle);
        release_nonpaged(handle);
    }
    void* allocate_nonpaged(usize size) noexcept {
        if (allocations_left == 0) {
            return nullptr;
        }
        --allocations_left;
        ++blocks;
        return std::malloc(size);
    }
    void release_nonpaged(void* memory) noexcept {
        --blocks;
        std::free(memory);
    }
    static void* adapter_of_device(void* device) noexcept { return device; }
    ntstatus open_context(DXGKARG_CREATECONTEXT&, void*& own) const noexcept {
        own = next_own;
        return opened;
    }
    void close_context(void*) noexcept {}
    void set_root(void*, gpuva::root_table const&) noexcept { ++roots; }

    wdk::irq_level take_submission_lock() noexcept { return static_cast<wdk::irq_level>(locked++); }
    void leave_submission_lock(wdk::irq_level before) noexcept { locked = before; }
    void run_synchronized(wdk::synchronized_routine* routine, void* argument) noexcept { routine(argument); }
    void notify_interrupt(DXGKARGCB_NOTIFY_INTERRUPT_DATA& record) noexcept {
        ++notified;
        records.push_back(static_cast<u32>(record.InterruptType));
        if (record.InterruptType == DXGK_INTERRUPT_DMA_PAGE_FAULTED) {
            fault_flags = static_cast<u32>(record.DmaPageFaulted.PageFaultFlags);
        }
    }
    void queue_dpc() noexcept { ++dpcs; }
    void notify_dpc() noexcept {}
    void write_packet(u32, wddmcore_packet const& packet) noexcept { written.push_back(packet); }
    void read_news(u32 n, wddmcore_engine_news& now) noexcept {
        now = news[n];
        news[n] = {};
        news[n].progress = now.progress;
        nodes_touched[n] = true;
    }
    void request_stop(u32, u32 generation) noexcept {
        ++stops;
        asked = generation;
    }
    void withdraw_stop(u32) noexcept { ++withdrawn; }
    wddmcore_halted halt(u32 n, u32& serial) noexcept {
        nodes_touched[n] = true;
        serial = written.empty() ? 0 : written.back().serial;
        return halted;
    }
    bool reset_node(u32 n) noexcept {
        nodes_touched[n] = true;
        return resets;
    }
    static u64 nodes_reset_with(u32 n) noexcept { return u64{1} << n; }
};
static_assert(wdk::check_device<noting_gpu>());

template <class Gpu>
struct started_as {
    wdk::device<Gpu> whole{};
    Gpu& gpu = whole;
    void* handle = &gpu;

    started_as() {
        REQUIRE(gpu.place_memory({16 * mib.n, 0xE000'0000, 0, nullptr, nullptr, {}, nullptr, 0}));
        start();
    }
    void start() { static_cast<void>(wdk::start_scheduling<Gpu>(handle)); }
    ntstatus create(DXGKARG_CREATECONTEXT& args) { return wdk::create_context<Gpu>(handle, &args); }
    DXGKARG_CREATECONTEXT context(u32 node, bool system = false, void* own = nullptr) {
        DXGKARG_CREATECONTEXT args{};
        args.NodeOrdinal = node;
        args.EngineAffinity = 1;
        args.Flags.SystemContext = system;
        gpu.next_own = own;
        REQUIRE(create(args) == status::success);
        return args;
    }
    /// 64 bytes of commands whose address the private data has.
    static DXGKARG_SUBMITCOMMANDVIRTUAL packet(void* context, u32 node, u32 fence, packet_data* own) {
        DXGKARG_SUBMITCOMMANDVIRTUAL args{};
        args.hContext = context;
        args.NodeOrdinal = node;
        args.SubmissionFenceId = fence;
        args.DmaBufferSize = 64;
        args.pDmaBufferPrivateData = own;
        return args;
    }
    ntstatus submit(DXGKARG_SUBMITCOMMANDVIRTUAL const& args) {
        return wdk::submit_command_virtual<Gpu>(handle, &args);
    }
    ntstatus submit(void* context, u32 node, u32 fence, bool good = true) {
        packet_data own{good ? 0u : 1u, 0, 0x1000};
        return submit(packet(context, node, fence, &own));
    }
    void preempt(u32 node, u32 fence) {
        DXGKARG_PREEMPTCOMMAND args{};
        args.NodeOrdinal = node;
        args.PreemptionFenceId = fence;
        REQUIRE(wdk::preempt_command<Gpu>(handle, &args) == status::success);
    }
    /// The interrupt for what a node says, and its DPC.
    void say(u32 node, wddmcore_engine_news const& news) {
        gpu.news[node] = news;
        REQUIRE(wdk::interrupt_routine<Gpu>(handle, 0) == 1);
        wdk::dpc_routine<Gpu>(handle);
    }
    /// The last written packet has finished.
    void finish(u32 node) {
        wddmcore_engine_news news{};
        news.completed = 1;
        news.completed_serial = gpu.written.back().serial;
        say(node, news);
    }
    /// The node stops at the newest request: with nothing left, or in the last written packet.
    void stop(u32 node, bool half_run = false) {
        wddmcore_engine_news news{};
        news.stopped = 1;
        news.half_run = half_run;
        news.stopped_generation = gpu.asked;
        news.stopped_serial = gpu.written.back().serial - (half_run ? 1 : 0);
        say(node, news);
    }
    void stop_half_run(u32 node) { stop(node, true); }
    u32 last_fence(u32 node) {
        DXGKARG_QUERYCURRENTFENCE fence{};
        fence.NodeOrdinal = node;
        REQUIRE(wdk::query_current_fence<Gpu>(handle, &fence) == status::success);
        return fence.CurrentFence;
    }
    void destroy(DXGKARG_CREATECONTEXT const& args) {
        REQUIRE(wdk::destroy_context<Gpu>(args.hContext) == status::success);
    }
};
using started = started_as<noting_gpu>;

}  // namespace wdk_functions_test
