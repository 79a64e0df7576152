// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../preemption/claims/answers.hpp"
#include "../segment/query/descriptor.hpp"
#include "check.hpp"
#include "members.hpp"

/// DXGKQAITYPE_DRIVERCAPS: the members and bits that the library owns, among those of the driver.
///
/// The driver fills its own members first (it may zero the structure), then calls. Set, to 0 as well as to 1:
///
///   HighestAcceptableAddress               as PHYSICAL_MEMORY_CAPS has it; of a link the smallest (IOM-03)
///   ApertureSegmentCommitLimit             the sum of the limits of all apertures of one physical adapter (AMB-55)
///   SchedulingCaps                         bits 0 and 2 to 6; 7 to 10, and 11 and 12, only where `scheduling` may
///                                          claim them
///   MemoryManagementCaps                   bits 5, 6, 7, 11, 13, 14; PagingNode below WDDM 2.0
///   GpuEngineTopology                      NbAsymetricProcessingNodes
///   WDDMVersion                            AMB-44
///   PreemptionCaps, SupportPerEngineTDR    from Windows 8
///   MiscCaps                               bit 3, ComputeOnly, from WDDM 2.6
///
/// Every other byte stays as it was, and so does a member that does not lie inside OutputDataSize: a system older than
/// the header gives less room.
///
/// All functions here: PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo, pageable, touch no OS state.
/// Source pages: ns-d3dkmddi-_dxgk_drivercaps.md, ns-d3dkmddi-_dxgk_vidmmcaps.md.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

// Bits of DXGK_VIDMMCAPS beside those of the IOMMU.
inline constexpr u32 virtual_addressing_supported = u32{1} << 5;
inline constexpr u32 gpu_mmu_supported = u32{1} << 6;
inline constexpr u32 io_mmu_supported = u32{1} << 7;
inline constexpr u32 owned_vidmm_caps =
    virtual_addressing_supported | gpu_mmu_supported | io_mmu_supported | iommu::owned_vidmm_caps;

/// The owned bits of MemoryManagementCaps; those of later versions than the chosen one are 0 (GVA-35, IOM-04, IOM-05).
[[nodiscard]] constexpr u32 vidmm_caps_of(capabilities const& chosen, iommu::capabilities const& iommu) noexcept {
    bool const gpu = has_gpu_mmu(chosen);
    bool const io = has_io_mmu(chosen);
    return (gpu || io ? virtual_addressing_supported : 0) | (gpu ? gpu_mmu_supported : 0) |
           (io ? io_mmu_supported : 0) | iommu::flag_words_of(chosen, iommu).vidmm_caps;
}

/// DXGK_WDDMVERSION of an interface version (AMB-44): derived from it from WDDM 1.2 on, 0 below.
[[nodiscard]] constexpr u32 wddm_version_of(wddm version) noexcept {
    switch (interface_version_of(static_cast<u32>(version))) {
        case wddm::vista:
        case wddm::vista_sp1:
        case wddm::win7: return 0;
        case wddm::win8: return 0x1200;
        case wddm::v1_3:
        case wddm::v1_3_path_independent_rotation: return 0x1300;
        case wddm::v2_0: return 0x2000;
        case wddm::v2_1: return 0x2100;
        case wddm::v2_1_5: return 0x2105;
        case wddm::v2_1_6: return 0x2106;
        case wddm::v2_2: return 0x2200;
        case wddm::v2_3: return 0x2300;
        case wddm::v2_4: return 0x2400;
        case wddm::v2_5: return 0x2500;
        case wddm::v2_6: return 0x2600;
        case wddm::v2_7: return 0x2700;
        case wddm::v2_8: return 0x2800;
        case wddm::v2_9: return 0x2900;
        case wddm::v3_0: return 0x3000;
        case wddm::v3_1: return 0x3100;
        // interface_version_of names no version above 3.2.
        default: return 0x3200;
    }
}

/// The sum of the commit limits of all apertures of a table.
///
/// Below WDDM 2.0 an AGP aperture counts with the limit of its row, though the system's aperture may turn out smaller;
/// from there on it is not reported, and does not count. How large it is cannot be known here: an AGP row without a
/// limit makes the sum unlimited, so that the commit limits of the segments alone decide.
///
/// @param table      of one physical adapter
/// @param version    that the driver registers with
/// @param unlimited  what stands for no limit: the largest number of whole pages that the answer can hold, bytes
/// @return the bytes; overflow: they fit no 64 bits; inconsistent: a limit is not placed yet
[[nodiscard]] constexpr result<bytes> sum_of_commit_limits(segment::view const& table, wddm version,
                                                           bytes unlimited) noexcept {
    bytes sum{0};
    bool limited = true;
    for (segment::entry const& e : table.reported) {
        bool const is_agp = e.kind == segment::kind::agp_aperture;
        if (!segment::is_aperture(e) || (is_agp && version >= wddm::v2_0)) {
            continue;
        }
        // The size of an AGP row says nothing (SEG-12): only its limit counts.
        bytes const limit = is_agp ? e.commit_limit : segment::commit_limit_of(e, e.size);
        if (is_agp && limit == bytes{0}) {
            limited = false;
        }
        if (!segment::is_placed(limit)) {
            return refused<bytes>(errc::inconsistent);
        }
        checked<u64> const more = checked_add(sum.n, limit.n);
        if (!more.ok) {
            return refused<bytes>(errc::overflow);
        }
        sum = {more.value};
    }
    return good(limited ? sum : unlimited);
}

/// ApertureSegmentCommitLimit (AMB-55): the sum over the apertures of one physical adapter, never over a link.
///
/// Of a link whose adapters differ it is the smallest sum: what the system is promised holds on each of them.
///
/// @return what sum_of_commit_limits returns; an error of any adapter is the answer
template <class Hw>
[[nodiscard]] constexpr result<bytes> aperture_commit_limit(Hw const& hw, bytes unlimited) noexcept {
    wddm const version = chosen_of(hw).version;
    u32 const adapters = adapters_of(hw);
    result<bytes> least = sum_of_commit_limits(segments_of(hw, 0), version, unlimited);
    for (u32 index = 1; index < adapters && least.ok(); ++index) {
        result<bytes> const one = sum_of_commit_limits(segments_of(hw, index), version, unlimited);
        if (!one.ok() || one.value < least.value) {
            least = one;
        }
    }
    return least;
}

/// Whether a member lies inside the output.
[[nodiscard]] constexpr bool lies_inside(usize offset, usize size, u32 output_size) noexcept {
    return fits<usize>(offset, size, output_size);
}

/// Sets the owned members that came with Windows 7, Windows 8 and WDDM 2.6.
template <class Hw, members::driver_caps Caps>
constexpr void fill_later_driver_caps(Hw const& hw, [[maybe_unused]] u32 output_size, Caps& caps) noexcept {
    [[maybe_unused]] wddm const version = chosen_of(hw).version;
    if constexpr (members::driver_caps_wddm_version<Caps>) {
        if (version >= wddm::win7 &&
            lies_inside(__builtin_offsetof(Caps, WDDMVersion), sizeof caps.WDDMVersion, output_size)) {
            caps.WDDMVersion = static_cast<meta::bare<decltype(caps.WDDMVersion)>>(wddm_version_of(version));
        }
    }
    if constexpr (members::driver_caps_preemption<Caps>) {
        if (version < wddm::win8) {
            return;
        }
        if (lies_inside(__builtin_offsetof(Caps, PreemptionCaps), sizeof caps.PreemptionCaps, output_size)) {
            preemption::fill_preemption_caps(hw, caps.PreemptionCaps);
        }
        if (lies_inside(__builtin_offsetof(Caps, SupportPerEngineTDR), sizeof caps.SupportPerEngineTDR, output_size)) {
            caps.SupportPerEngineTDR = scheduling_of(hw).support_per_engine_tdr == claim::yes;
        }
    }
    if constexpr (members::driver_caps_compute_only<Caps>) {
        if (version >= wddm::v2_6 &&
            lies_inside(__builtin_offsetof(Caps, MiscCaps), sizeof caps.MiscCaps, output_size)) {
            caps.MiscCaps.ComputeOnly = chosen_of(hw).compute_only;
        }
    }
}

/// Clears the bits of DXGK_VIDSCHCAPS that the source may claim and this answer may not. No bit of an earlier answer
/// may stay: native fences that are advertised without the system's feature stop the adapter (HWS-11).
template <class Hw, class VidSchCaps>
constexpr void clear_claimable_scheduling(VidSchCaps& answer) noexcept {
    if constexpr (members::vidschcaps_packet_cap<VidSchCaps> && Hw::scheduling.hw_queue_packet_cap != 0) {
        answer.HwQueuePacketCap = 0;
    }
    if constexpr (members::vidschcaps_native_fence<VidSchCaps> && may_be_yes(Hw::scheduling.native_gpu_fence)) {
        answer.NativeGpuFence = 0;
    }
    if constexpr (members::vidschcaps_optimized_native_fence<VidSchCaps> &&
                  may_be_yes(Hw::scheduling.native_gpu_fence)) {
        answer.OptimizedNativeFenceSignaledInterrupt = 0;
    }
}

/// Sets what the library owns of DXGK_DRIVERCAPS.
///
/// @param hw           a hardware type that check_adapter accepts
/// @param output_size  OutputDataSize, bytes; only members that lie inside are touched
/// @param caps         DXGK_DRIVERCAPS of the included header, or a mirror
/// @return partly; refused, with nothing written: not_placed (the limit of an aperture), too_large (their sum does not
///         fit SIZE_T)
template <class Hw, members::driver_caps Caps>
[[nodiscard]] constexpr query_answer fill_driver_caps(Hw const& hw, u32 output_size, Caps& caps) noexcept {
    using limit_type = meta::bare<decltype(caps.ApertureSegmentCommitLimit)>;
    using address_type = meta::bare<decltype(caps.HighestAcceptableAddress.QuadPart)>;
    capabilities const& chosen = chosen_of(hw);
    constexpr bytes unlimited{static_cast<limit_type>(~(page_bytes - 1))};
    result<bytes> const limit = aperture_commit_limit(hw, unlimited);
    if (limit.error == errc::inconsistent) {
        return query_refused(query_reason::not_placed);
    }
    if (!limit.ok() || !segment::detail::fits_member<limit_type>(limit.value.n)) {
        return query_refused(query_reason::too_large);
    }
    if (lies_inside(__builtin_offsetof(Caps, HighestAcceptableAddress), sizeof caps.HighestAcceptableAddress,
                    output_size)) {
        caps.HighestAcceptableAddress.QuadPart = static_cast<address_type>(highest_visible_address_of(hw));
    }
    if (lies_inside(__builtin_offsetof(Caps, ApertureSegmentCommitLimit), sizeof caps.ApertureSegmentCommitLimit,
                    output_size)) {
        caps.ApertureSegmentCommitLimit = static_cast<limit_type>(limit.value.n);
    }
    if (lies_inside(__builtin_offsetof(Caps, SchedulingCaps), sizeof caps.SchedulingCaps, output_size)) {
        clear_claimable_scheduling<Hw>(caps.SchedulingCaps);
        preemption::fill_vidschcaps<Hw>(scheduling_of(hw), chosen.version, caps.SchedulingCaps);
    }
    if (lies_inside(__builtin_offsetof(Caps, MemoryManagementCaps), sizeof caps.MemoryManagementCaps, output_size)) {
        u32 const before = caps.MemoryManagementCaps.Value;
        caps.MemoryManagementCaps.Value = iommu::merged(before, owned_vidmm_caps, vidmm_caps_of(chosen, iommu_of(hw)));
        if (chosen.version < wddm::v2_0) {
            caps.MemoryManagementCaps.PagingNode = scheduling_of(hw).paging_node;
        }
    }
    constexpr usize topology = __builtin_offsetof(Caps, GpuEngineTopology);
    if (lies_inside(topology, sizeof caps.GpuEngineTopology.NbAsymetricProcessingNodes, output_size)) {
        caps.GpuEngineTopology.NbAsymetricProcessingNodes = static_cast<u32>(hw::engines_of(hw).count);
    }
    fill_later_driver_caps(hw, output_size, caps);
    return query_partly;
}

}  // namespace wddmcore::adapter_info::detail
