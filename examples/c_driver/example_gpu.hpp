// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "registers.h"

#if defined(_MSC_VER)
#    pragma code_seg(push, "PAGE")  // encoders: only paging calls them
#endif
#include <hardware/cpu_memory.hpp>
#if defined(_MSC_VER)
#    pragma code_seg(pop)
#endif

/// The GPU of both example drivers as far as it does not call the driver: an example's encoders, page tables and memory, how
/// its nodes are scheduled, and what its allocations are.
struct example_gpu : wddmcore::examples::cpu::virtual_processor<wddmcore::examples::cpu::processor_memory::claims>,
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

    static constexpr wddmcore::bytes record_bytes{sizeof(packet_data)};
    static constexpr wddmcore::bytes paging_private_data_size = 4 * wddmcore::kib;
    u64 commands_at = 0;  ///< of the pass that is being built

    /// StartDevice: the segments get the numbers that PCI resources and registers say.
    [[nodiscard]] bool place_memory(found_hardware const& found) noexcept {
        places = layout;
        bool const placed = places.place(local, {.size = wddmcore::bytes{found.MemoryBytes},
                                                 .cpu = {found.BarAddress}}) == wddmcore::segment::no_rule_broken;
        use_memory(found);
        return placed;
    }
    /// The encoders learn where the segments lie now.
    void use_memory(found_hardware const& found) noexcept {
        processor::segments[window.n - 1] = {place_of(places.all(), window), true};
        processor::segments[local.n - 1] = {place_of(places.all(), local), false};
        system_base = found.SystemBase;
        entries = static_cast<wddmcore::examples::cpu::aperture_entry*>(found.ApertureEntries);
    }
    [[nodiscard]] wddmcore::segment::view segments(u32) const noexcept { return places.all(); }
    [[nodiscard]] wddmcore::gpuva::paging_space_request paging_space(u32) const noexcept {
        return {.largest_local_segment = place(local).size, .whole = 1 * wddmcore::mib};
    }
    void begin_paging_buffer(void const* commands) noexcept { commands_at = reinterpret_cast<usize>(commands); }
    void encode_record(void* at, wddmcore::paging_record const&) const noexcept {
        *static_cast<packet_data*>(at) = {0, 0, commands_at};
    }
    [[nodiscard]] static wddmcore::result<wddmcore::segment::allocation> allocation_of(void const* data,
                                                                                       u32 size) noexcept {
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

    // Nonpaged, up to device IRQL.

    [[nodiscard]] static u64 address_of_packet(void const* data) noexcept {
        return static_cast<packet_data const*>(data)->Address;
    }
    [[nodiscard]] static bool accepts_packet(void const* data) noexcept {
        return static_cast<packet_data const*>(data)->Invalid == 0;
    }
};
