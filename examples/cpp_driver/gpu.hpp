// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <ntddk.h>

#include <c_driver/example_gpu.hpp>

/// The hardware type of the driver, which is its adapter too: locks, callbacks and registers.
///
/// Unlike that of the driver in C its memory lies behind a CPU host aperture, which fills the BAR.
struct gpu : example_gpu {
    static constexpr ULONG tag = 0x70647663;  // 'cvdp'

    DXGKRNL_INTERFACE dxgk{};
    KSPIN_LOCK submission{};
    found_hardware found{};

    // Memory: PASSIVE_LEVEL.

    static constexpr auto layout = wddmcore::segment::table_of(
        window,
        wddmcore::segment::aperture{
            .id = window, .base = wddmcore::segment::at(0x7F'0000'0000), .size = 16 * wddmcore::mib, .coherent = true},
        wddmcore::segment::memory_behind_host_aperture{.id = local,
                                                       .base = wddmcore::segment::at(0x80'0000'0000),
                                                       .size = wddmcore::segment::at_start,
                                                       .application_target = true});
    static_assert(wddmcore::check_segments<layout, wddmcore::segment::profile_of(caps)>());

    [[nodiscard]] bool place_memory(found_hardware const& from) noexcept {
        places = layout;
        bool const placed = places.place(local, {.size = wddmcore::bytes{from.MemoryBytes},
                                                 .host_aperture = {{from.BarAddress}, from.HostAperturePages}}) ==
                            wddmcore::segment::no_rule_broken;
        use_memory(from);
        return placed;
    }
    void store_host_aperture_entry(wddmcore::segment_id, u32 aperture_page, u64 memory_page) const noexcept {
        found.HostApertureEntries[aperture_page] = memory_page;
    }
    void clear_host_aperture_entry(wddmcore::segment_id, u32 aperture_page) const noexcept {
        found.HostApertureEntries[aperture_page] = ~u64{0};
    }

    /// The driver's own members of the adapter's answers: none here, so they are 0. Nothing of it is written later.
    [[nodiscard]] static NTSTATUS answer_first(DXGKARG_QUERYADAPTERINFO const& args) noexcept {
        if (args.Type != DXGKQAITYPE_DRIVERCAPS) {
            return STATUS_NOT_SUPPORTED;
        }
        auto* const answer = static_cast<UCHAR*>(args.pOutputData);
        for (UINT i = 0; i != args.OutputDataSize; ++i) {
            answer[i] = 0;
        }
        return STATUS_SUCCESS;
    }
    /// The handle has to be something that is this allocation's alone.
    [[nodiscard]] static void* keep_allocation(wddmcore::segment::allocation const&) noexcept {
        return allocate_nonpaged(sizeof(u64));
    }
    static void drop_allocation(void* handle) noexcept { release_nonpaged(handle); }

    [[nodiscard]] static void* allocate_nonpaged(usize size) noexcept {
        return ExAllocatePool2(POOL_FLAG_NON_PAGED, size, tag);
    }
    static void release_nonpaged(void* memory) noexcept { ExFreePoolWithTag(memory, tag); }

    /// This driver keeps nothing for a device: hDevice is a pointer to the adapter's.
    [[nodiscard]] static void* adapter_of_device(void* device) noexcept { return *static_cast<void**>(device); }
    [[nodiscard]] static NTSTATUS open_context(DXGKARG_CREATECONTEXT& args, void*& own) noexcept {
        auto* const made = static_cast<own_context*>(allocate_nonpaged(sizeof(own_context)));
        if (made == nullptr) {
            return STATUS_NO_MEMORY;
        }
        own = made;
        if (args.PrivateDriverDataSize >= sizeof(context_request)) {
            made->SaveArea = static_cast<context_request const*>(args.pPrivateDriverData)->SaveArea;
        }
        args.ContextInfo.DmaBufferSize = 64 * 1024;
        args.ContextInfo.DmaBufferPrivateDataSize = sizeof(packet_data);
        return STATUS_SUCCESS;
    }
    static void close_context(void* own) noexcept { release_nonpaged(own); }
    static void set_root(void* own, wddmcore::gpuva::root_table const& root) noexcept {
        auto& of = *static_cast<own_context*>(own);
        of.RootSegment = root.segment.n;
        of.RootEntries = root.entries;
        of.RootOffset = root.offset.n;
    }

    // Scheduling: nonpaged, up to device IRQL.

    [[nodiscard]] KIRQL take_submission_lock() noexcept {
        KIRQL before = 0;
        KeAcquireSpinLock(&submission, &before);
        return before;
    }
    void leave_submission_lock(KIRQL before) noexcept { KeReleaseSpinLock(&submission, before); }
    void run_synchronized(PKSYNCHRONIZE_ROUTINE routine, void* argument) noexcept {
        BOOLEAN returned = 0;
        dxgk.DxgkCbSynchronizeExecution(dxgk.DeviceHandle, routine, argument, 0, &returned);
    }
    void notify_interrupt(DXGKARGCB_NOTIFY_INTERRUPT_DATA& record) noexcept {
        dxgk.DxgkCbNotifyInterrupt(dxgk.DeviceHandle, &record);
    }
    void queue_dpc() noexcept { dxgk.DxgkCbQueueDpc(dxgk.DeviceHandle); }
    void notify_dpc() noexcept { dxgk.DxgkCbNotifyDpc(dxgk.DeviceHandle); }

    void write_packet(u32 node, wddmcore_packet const& packet) noexcept {
        auto const* const context = static_cast<own_context const*>(packet.context);
        // The default context of a node has nothing but its save area (PGB-15).
        u64 const save_area = context != nullptr ? context->SaveArea : found.SaveAreas[node];
        wddmcore_gpu_packet written{packet.serial, 0, save_area, packet.buffer, packet.start, packet.end};
        switch (packet.kind) {
            case wddmcore_packet_runs: break;
            case wddmcore_packet_resumes: written.flags = wddmcore_gpu_resume; break;
            case wddmcore_packet_only_fences:
                written.flags = wddmcore_gpu_fence_only | wddmcore_gpu_keep_context;
                break;
            case wddmcore_packet_leaves_context:
                written.context = 0;
                written.flags = wddmcore_gpu_fence_only;
                break;
        }
        registers().enqueue(registers().gpu, node, 0, &written);
    }
    /// Reading the status also dismisses the interrupt.
    void read_news(u32 node, wddmcore_engine_news& news) noexcept {
        wddmcore_gpu_status now{};
        registers().read_status(registers().gpu, node, 0, &now);
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
    void request_stop(u32 node, u32 generation) noexcept {
        registers().request_stop(registers().gpu, node, 0, generation);
    }
    void withdraw_stop(u32 node) noexcept { registers().disarm(registers().gpu, node, 0); }
    [[nodiscard]] wddmcore_halted halt(u32 node, u32& serial) noexcept {
        wddmcore_gpu_halted halted{};
        registers().halt(registers().gpu, node, 0, &halted);
        serial = halted.serial;
        switch (halted.what) {
            case wddmcore_gpu_nothing: return wddmcore_halted_idle;
            case wddmcore_gpu_executing: return wddmcore_halted_in_packet;
            default: return wddmcore_halted_unknown;
        }
    }
    [[nodiscard]] bool reset_node(u32 node) noexcept { return registers().reset(registers().gpu, node, 0) == 0; }
    [[nodiscard]] u64 nodes_reset_with(u32 node) noexcept { return registers().affected_nodes(registers().gpu, node); }

private:
    [[nodiscard]] wddmcore_gpu const& registers() const noexcept { return *found.Registers; }
};
