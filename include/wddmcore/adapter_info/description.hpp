// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../gpuva/placement/by_segments.hpp"
#include "../iommu/capabilities.hpp"
#include "../iommu/reserved_ranges.hpp"
#include "../preemption/claims/capabilities.hpp"
#include "chosen.hpp"
#include "segments_of.hpp"

/// What a hardware type says about its adapter, beside the promises that paging wants of it.
///
/// Needed:
///
///   static constexpr capabilities caps                          the most that the driver ever claims
///   segments                                                    a segment::table, a segment::view, or
///                                                               segment::view segments(u32 physical_adapter) const
///   static constexpr preemption_engine engines[n]               the nodes of each physical adapter; with a
///                                                               `node_count` only the first of them
///   static constexpr scheduling_capabilities scheduling         the scheduling half of DRIVERCAPS
///
/// Needed where something is left open (each is decided at AddDevice, IOM-02):
///
///   capabilities chosen                                         by `caps`
///   scheduling_capabilities chosen_scheduling                   by `scheduling`
///   iommu::capabilities chosen_iommu                            by `iommu`
///   what every chosen_within names                              judged by check_numbers
///
/// Needed where `gpu_mmu` may be claimed:
///
///   static constexpr gpuva::page_table_geometry page_tables
///   static constexpr gpuva::gpu_mmu_capabilities mmu_caps       its mode is not read: `chosen` has it
///   static constexpr gpuva::page_table_segments table_segments  or gpuva::page_table_segments
///                                                               table_segments(u32 physical_adapter) const
///
/// Optional:
///
///   u32 physical_adapters() const                               of the link; 1
///   static constexpr iommu::capabilities iommu                  no claims
///   static constexpr bool both_mmus_on_one_adapter              false: not `gpu_mmu` and `io_mmu` together (AMB-05)
///   u64 highest_visible_address(u32 physical_adapter) const     that of `chosen`; the last byte of a page. Of a link
///                                                               the smallest is reported
///   static constexpr bytes paging_buffer_size                   64 KiB, or what one command needs (SEG-41)
///   static constexpr bytes paging_private_data_size             0; needed with a submission_recorder
///   gpuva::paging_space_request paging_space(u32 physical_adapter) const         the system decides (CHK-02)
///   bytes frame_buffer_save_size() const                                         bytes used; rounded up (IOM-17)
///   span<iommu::physical_memory_range const> reserved_ranges() const             HARDWARERESERVEDRANGES (IOM-19)
///   span<mmu_description const> mmus(u32 physical_adapter) const                 QUERYMMUCOUNT, QUERYMMUS
///   u16 display_mmu(u32 physical_adapter) const                                  0
///   u64 vgpu_resources_page_size(segment_id) const                               SCATTER_RESERVE, bytes
///   u32 dirty_bit_page_size(segment_id) const                                    bytes a bit stands for; 0: none
///   static constexpr bool dirty_bits_performant                                  false
///
/// A query about something optional that the type says nothing about is not_mine: the driver's own switch answers it.
/// Adapters of a link whose page tables differ in format are two hardware types and cannot be described by one.
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// One MMU of a physical adapter as QUERYMMUS describes it.
struct mmu_description {
    bytes size{0};
};

namespace adapter_info::detail {

/// The physical adapters of the link; 1 where the type does not say.
template <class Hw>
[[nodiscard]] constexpr u32 adapters_of([[maybe_unused]] Hw const& hw) noexcept {
    if constexpr (requires { hw.physical_adapters(); }) {
        return hw.physical_adapters();
    } else {
        return 1;
    }
}

/// What the driver claims now.
template <class Hw>
[[nodiscard]] constexpr capabilities const& chosen_of([[maybe_unused]] Hw const& hw) noexcept {
    if constexpr (requires { hw.chosen; }) {
        return hw.chosen;
    } else {
        return Hw::caps;
    }
}

/// What it claims now for scheduling.
template <class Hw>
[[nodiscard]] constexpr scheduling_capabilities const& scheduling_of([[maybe_unused]] Hw const& hw) noexcept {
    if constexpr (requires { hw.chosen_scheduling; }) {
        return hw.chosen_scheduling;
    } else {
        return Hw::scheduling;
    }
}

inline constexpr iommu::capabilities no_iommu{};

/// What the source claims about the IOMMU.
template <class Hw>
[[nodiscard]] consteval iommu::capabilities const& iommu_claims_of() noexcept {
    if constexpr (requires { Hw::iommu; }) {
        return Hw::iommu;
    } else {
        return no_iommu;
    }
}

/// What the driver claims now about the IOMMU, as it chose.
template <class Hw>
[[nodiscard]] constexpr iommu::capabilities const& chosen_iommu_of([[maybe_unused]] Hw const& hw) noexcept {
    if constexpr (requires { hw.chosen_iommu; }) {
        return hw.chosen_iommu;
    } else {
        return iommu_claims_of<Hw>();
    }
}

/// A claim, where the version has it.
[[nodiscard]] constexpr claim from_version(claim c, wddm version, wddm first) noexcept {
    return version >= first ? c : claim::no;
}

/// What it claims now: a driver that registers with an older version than its highest claims nothing that came later.
template <class Hw>
[[nodiscard]] constexpr iommu::capabilities iommu_of(Hw const& hw) noexcept {
    iommu::capabilities const& most = chosen_iommu_of(hw);
    wddm const version = chosen_of(hw).version;
    return {.isolation = from_version(most.isolation, version, wddm::v2_4),
            .isolation_required = from_version(most.isolation_required, version, wddm::v2_7),
            .dma_remapping = from_version(most.dma_remapping, version, wddm::v2_9),
            .gpu_va_iommu_required = from_version(most.gpu_va_iommu_required, version, wddm::v3_1),
            .gpu_va_iommu_global_required = from_version(most.gpu_va_iommu_global_required, version, wddm::v3_1)};
}

/// The last byte that every physical adapter of the link reaches (IOM-03).
template <class Hw>
[[nodiscard]] constexpr u64 highest_visible_address_of(Hw const& hw) noexcept {
    u64 least = chosen_of(hw).highest_visible_address;
    if constexpr (requires { hw.highest_visible_address(u32{0}); }) {
        u32 const adapters = adapters_of(hw);
        for (u32 index = 0; index < adapters; ++index) {
            least = lesser<u64>(least, hw.highest_visible_address(index));
        }
    }
    return least;
}

/// Whether an inclusive address is the last byte of a page (AMB-23).
[[nodiscard]] constexpr bool ends_page(u64 last) noexcept { return is_multiple(last + 1, page_bytes); }

/// Whether every highest visible address is the last byte of a page: that of `chosen`, and of each physical adapter.
template <class Hw>
[[nodiscard]] constexpr bool reaches_whole_pages(Hw const& hw) noexcept {
    if constexpr (requires { hw.highest_visible_address(u32{0}); }) {
        u32 const adapters = adapters_of(hw);
        for (u32 index = 0; index < adapters; ++index) {
            if (!ends_page(hw.highest_visible_address(index))) {
                return false;
            }
        }
    }
    return ends_page(chosen_of(hw).highest_visible_address);
}

/// The segments of page tables, by a function.
template <class Hw>
concept table_segments_by_function = requires(Hw const& hw, u32 index) {
    { hw.table_segments(index) } -> meta::same_as<gpuva::page_table_segments>;
};

/// The segments that hold the page tables of a physical adapter.
template <class Hw>
[[nodiscard]] constexpr gpuva::page_table_segments table_segments_of(Hw const& hw,
                                                                     [[maybe_unused]] u32 index) noexcept {
    if constexpr (table_segments_by_function<Hw>) {
        return hw.table_segments(index);
    } else {
        return hw.table_segments;
    }
}

}  // namespace adapter_info::detail
}  // namespace wddmcore
