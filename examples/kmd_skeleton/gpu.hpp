// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/cpu_memory.hpp>
#include <wddmcore/adapter_info.hpp>
#include <wddmcore/ddi/mirror_binding.hpp>
#include <wddmcore/paging.hpp>
#include <wddmcore/preemption.hpp>

#include <new>

struct wddmcore_system_services;
struct wddmcore_gpu;

/// The hardware type of the example driver: an example's engine and page tables, its memory, and its nodes.
namespace wddmcore::examples::skeleton {

/// What there is at StartDevice: the system's services (DXGKRNL_INTERFACE in a real driver), the registers, and what PCI
/// resources and registers say.
struct resources {
    bytes memory{0};
    cpu_physical_address bar{0};
    u64 system_base = 0;  ///< where the GPU sees system page 0
    cpu::aperture_entry* aperture_entries = nullptr;
    u64 save_areas[2] = {};  ///< GPU addresses: of each node, for packets while the system has no context there
    wddmcore_system_services const* services = nullptr;
    wddmcore_gpu const* registers = nullptr;
};

/// Private data of a DMA buffer; a paging buffer comes without its address (OBS-08).
struct packet_data {
    u32 invalid = 0;  ///< commands that this engine cannot take
    u32 reserved = 0;
    u64 address = 0;
};

/// The hardware: encoders and page tables of the processor, its memory as described, and how its nodes are scheduled.
struct gpu : cpu::virtual_processor<cpu::processor_memory::claims>, cpu::processor_memory {
    static constexpr preemption_engine engines[] = {
        {.graphics = {graphics_preemption_granularity::primitive_boundary, 64 * kib}, .acknowledges_when_idle = true},
        {.other = {other_preemption_granularity::inside_dma_buffer, 4 * kib}, .acknowledges_when_idle = true}};
    static constexpr scheduling_capabilities scheduling{.multi_engine_aware = claim::yes,
                                                        .preemption_aware = claim::yes,
                                                        .cancel_command_aware = claim::yes,
                                                        .virtual_addressing = claim::yes,
                                                        .hw_queue_packet_cap = 8,
                                                        .support_per_engine_tdr = claim::yes,
                                                        .recovery = recovery_functions::per_engine,
                                                        .paging_node = 1};
    static constexpr bytes record_bytes{sizeof(packet_data)};
    static constexpr bytes paging_private_data_size = 4 * kib;
    u64 commands_at = 0;  ///< of the pass that is being built

    void encode_record(void* at, paging_record const&) const { new (at) packet_data{.address = commands_at}; }
    [[nodiscard]] segment::view segments(u32) const { return places.all(); }
    [[nodiscard]] gpuva::paging_space_request paging_space(u32) const {
        return {.largest_local_segment = place(local).size, .whole = 1 * mib};
    }

    [[nodiscard]] bool place_memory(resources const& found) {
        places = layout;
        bool const placed =
            places.place(local, {.size = found.memory, .cpu = found.bar}) == wddmcore::segment::no_rule_broken;
        segment_id const both[] = {window, local};
        for (segment_id const id : both) {
            processor::segments[id.n - 1] = {place_of(places.all(), id), id == window};
        }
        system_base = found.system_base;
        entries = found.aperture_entries;
        return placed;
    }
};
static_assert(check_adapter<gpu, mirror_binding<gpu::caps.version>>());
static_assert(check_segments<gpu::layout, segment::profile_of(gpu::caps)>());
static_assert(check_page_table_segments<gpu::layout, gpu::page_tables, gpu::table_segments, gpu::caps.page_tables>());

}  // namespace wddmcore::examples::skeleton
