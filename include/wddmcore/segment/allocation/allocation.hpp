// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/capabilities.hpp"
#include "../stated.hpp"
#include "bank_preference.hpp"
#include "flags.hpp"
#include "preference.hpp"
#include "segment_set.hpp"

/// An allocation as DxgkDdiCreateAllocation describes it, in the DDI's words and for every version.
///
/// The private data of an allocation belongs to the adapter. It must not refer to the device that creates the
/// allocation, because that device can be destroyed first (PREF-23).
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source pages: ns-d3dkmddi-_dxgk_allocationinfo.md, nc-d3dkmddi-dxgkddi_createallocation.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// D3DDDI_ALLOCATIONPRIORITY_NORMAL: for a driver that does not manage priorities (PREF-09).
inline constexpr u32 normal_allocation_priority = 0x7800'0000;

/// What a driver wants of an allocation, and what it knows about it.
struct allocation {
    stated<bytes> size{bytes{0}};                ///< Size; the system rounds it up to its page (PREF-08)
    stated<bytes> pitch_aligned_size{bytes{0}};  ///< PitchAlignedSize: for segments with PitchAlignment, else 0
    stated<bytes> alignment{bytes{0}};  ///< Alignment; `alignment_for` gives what 64-KiB segments need (PREF-07)
    segment_set supported{};  ///< SupportedWriteSegmentSet, and the read set unless `supported_read` says another
    /// SupportedReadSegmentSet below WDDM 2.0, where it may differ: an AGP aperture that is only read. Empty: as
    /// `supported`, which is all that counts from WDDM 2.0 (PREF-03).
    segment_set supported_read{};
    segment_set eviction{};  ///< EvictionSegmentSet; none: straight to locked system memory (PREF-06)
    preference preferred{};
    bank_preference hinted_bank{};              ///< below WDDM 2.0
    u32 maximum_renaming_list_length = 0;       ///< 0: none
    u32 priority = normal_allocation_priority;  ///< AllocationPriority
    allocation_flags flags{};                   ///< below WDDM 2.0
    allocation_flags_wddm2 flags_wddm2{};       ///< from WDDM 2.0
    allocation_flags2 flags2{};                 ///< from WDDM 3.0

    bool is_primary = false;                   ///< a primary surface (PREF-16)
    bool is_shared = false;                    ///< a shared allocation (PREF-19)
    bool engine_addresses_physically = false;  ///< some engine uses segment addresses of it (PREF-11)
    bool wants_cpu_address = false;            ///< MAP_APERTURE_SEGMENT2 is to bring a CpuVisibleAddress (PREF-15)
};

/// What the checks of allocations must know about an adapter.
struct allocation_profile {
    wddm version = wddm::v3_2;             ///< the interface version that the driver declared to this system
    bool map_aperture2 = false;            ///< MapAperture2Supported (PREF-14)
    bool allocation_notification = false;  ///< operation 22 is implemented (NTF-02)
    bool gpu_va_iommu = false;             ///< the GpuVaIoMmu or GpuVaIoMmuGlobal model is used (NTF-11)
    bool share_backing_store = false;      ///< the system was asked, and has the feature enabled (PREF-19)
    bool mmu_set_in_use = false;  ///< MMUs were reported: MmuSet and page sizes have come in (PREF-03, PREF-07)
    bool wide_sizes = sizeof(usize) == sizeof(u64);  ///< whether SIZE_T has 64 bits

    friend constexpr bool operator==(allocation_profile const&, allocation_profile const&) = default;
};

namespace detail {

/// SupportedReadSegmentSet (PREF-03).
[[nodiscard]] constexpr segment_set read_set_of(allocation const& a) noexcept {
    return a.supported_read.value == 0 ? a.supported : a.supported_read;
}

/// Every segment in which an allocation may be: to be written, or only to be read.
[[nodiscard]] constexpr segment_set places_of(allocation const& a) noexcept {
    return {a.supported.value | a.supported_read.value};
}

}  // namespace detail

/// The profile of a driver's capabilities; what they do not say stays as it is by default.
///
/// @param caps          what is claimed; with what AddDevice chose it is exact, with the constant it is the most
/// @param gpu_va_iommu  `iommu::has_gpu_va_iommu` of the claims about the IOMMU (NTF-11); a driver without them: false
/// @return the profile; `share_backing_store` and `mmu_set_in_use`, which only the running system tells, are false
[[nodiscard]] constexpr allocation_profile allocation_profile_of(capabilities const& caps,
                                                                 bool gpu_va_iommu = false) noexcept {
    return {.version = caps.version,
            .map_aperture2 = contains(caps.aperture, aperture_forms::adl) && caps.version >= wddm::v2_9,
            .allocation_notification = may_be_yes(caps.allocation_notification) && caps.version >= wddm::v3_2,
            .gpu_va_iommu = gpu_va_iommu};
}

/// The flags with the two added that PREF-15 asks for beside the capability: with them MAP_APERTURE_SEGMENT2 brings a
/// CPU address if the adapter claims MapAperture2Supported. WDDM 2.9.
///
/// @param word  any set
/// @return the set with MapApertureCpuVisible and AccessedPhysically
[[nodiscard]] constexpr allocation_flags_wddm2 with_cpu_address(allocation_flags_wddm2 word) noexcept {
    return word.with(allocation_flag_wddm2::map_aperture_cpu_visible, allocation_flag_wddm2::accessed_physically);
}

/// Whether MAP_APERTURE_SEGMENT2 brings a CPU address for an allocation: the capability, MapApertureCpuVisible and
/// AccessedPhysically, all three (PREF-15). WDDM 2.9.
///
/// @param word  of the allocation
/// @param of    the adapter
/// @return false below WDDM 2.9, too
/// Source page: iommu-dma-remapping.md.
[[nodiscard]] constexpr bool brings_cpu_address(allocation_flags_wddm2 word, allocation_profile const& of) noexcept {
    return of.version >= wddm::v2_9 && of.map_aperture2 && word.has(allocation_flag_wddm2::map_aperture_cpu_visible) &&
           word.has(allocation_flag_wddm2::accessed_physically);
}

}  // namespace wddmcore::segment
