// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "capabilities.hpp"

/// The bits about the IOMMU in three structures. Each fact comes from one claim, so the structures cannot disagree
/// (IOM-04, IOM-22). The bits of a word never move between versions.
///
/// All functions here: PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo and pageable if they fill, else any IRQL, nonpaged.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// Bits of DXGK_IOMMU_CAPS (from WDDM 2.9).
enum class iommu_cap : u32 {
    iommu_isolation_supported = 1u << 0,
    iommu_isolation_required = 1u << 1,
    dma_remapping_supported = 1u << 2,
    gpu_va_iommu_required = 1u << 3,
    gpu_va_iommu_global_required = 1u << 4,
};

/// Bits of DXGK_VIDMMCAPS that belong here.
enum class vidmm_cap : u32 {
    io_mmu_secure_mode_supported = 1u << 11,  ///< from WDDM 2.4
    io_mmu_secure_mode_required = 1u << 13,   ///< from WDDM 2.7
    map_aperture2_supported = 1u << 14,       ///< from WDDM 2.9
};

/// Bits of DXGK_PHYSICALADAPTERFLAGS that belong here (from WDDM 3.1).
enum class physical_adapter_flag : u32 {
    gpu_va_iommu_required = 1u << 6,
    gpu_va_iommu_global_required = 1u << 7,
};

/// The bits of DXGK_VIDMMCAPS that follow from these claims; all other bits have other owners.
inline constexpr u32 owned_vidmm_caps = static_cast<u32>(vidmm_cap::io_mmu_secure_mode_supported) |
                                        static_cast<u32>(vidmm_cap::io_mmu_secure_mode_required) |
                                        static_cast<u32>(vidmm_cap::map_aperture2_supported);

/// The bits of DXGK_PHYSICALADAPTERFLAGS that follow from these claims.
inline constexpr u32 owned_physical_adapter_flags =
    static_cast<u32>(physical_adapter_flag::gpu_va_iommu_required) |
    static_cast<u32>(physical_adapter_flag::gpu_va_iommu_global_required);

/// The `Value` of three structures; in the last two, only the owned bits.
struct flag_words {
    u32 iommu_caps = 0;              ///< of DXGK_IOMMU_CAPS
    u32 vidmm_caps = 0;              ///< of DXGK_VIDMMCAPS
    u32 physical_adapter_flags = 0;  ///< of DXGK_PHYSICALADAPTERFLAGS
    friend constexpr bool operator==(flag_words const&, flag_words const&) = default;
};

namespace detail {

/// @return the bit if it is wanted, otherwise 0
template <class Bit>
[[nodiscard]] constexpr u32 bit_if(bool wanted, Bit bit) noexcept {
    return wanted ? static_cast<u32>(bit) : 0;
}

}  // namespace detail

/// The three words that follow from decided claims (IOM-04, IOM-05, IOM-22). Bits that the version does not have are 0.
///
/// @param hw      the version that the driver declares now, and its decided aperture forms
/// @param chosen  decided claims (`is_decided`), which `judge` accepts
/// @return the words; of DXGK_VIDMMCAPS and DXGK_PHYSICALADAPTERFLAGS only the bits that are owned here
[[nodiscard]] constexpr flag_words flag_words_of(wddmcore::capabilities const& hw,
                                                 capabilities const& chosen) noexcept {
    bool const isolation = chosen.isolation == claim::yes;
    bool const required = chosen.isolation_required == claim::yes;
    bool const local = chosen.gpu_va_iommu_required == claim::yes && hw.version >= wddm::v3_1;
    bool const global = chosen.gpu_va_iommu_global_required == claim::yes && hw.version >= wddm::v3_1;
    flag_words made{};
    if (hw.version >= wddm::v2_9) {
        made.iommu_caps = detail::bit_if(isolation, iommu_cap::iommu_isolation_supported) |
                          detail::bit_if(required, iommu_cap::iommu_isolation_required) |
                          detail::bit_if(chosen.dma_remapping == claim::yes, iommu_cap::dma_remapping_supported) |
                          detail::bit_if(local, iommu_cap::gpu_va_iommu_required) |
                          detail::bit_if(global, iommu_cap::gpu_va_iommu_global_required);
    }
    made.vidmm_caps = detail::bit_if(isolation && hw.version >= wddm::v2_4, vidmm_cap::io_mmu_secure_mode_supported) |
                      detail::bit_if(required && hw.version >= wddm::v2_7, vidmm_cap::io_mmu_secure_mode_required) |
                      detail::bit_if(hw.aperture == aperture_forms::adl && hw.version >= wddm::v2_9,
                                     vidmm_cap::map_aperture2_supported);
    made.physical_adapter_flags = detail::bit_if(local, physical_adapter_flag::gpu_va_iommu_required) |
                                  detail::bit_if(global, physical_adapter_flag::gpu_va_iommu_global_required);
    return made;
}

/// Writes all of a DXGK_IOMMU_CAPS, with reserved bits 0. WDDM 2.9.
///
/// @param made  from `flag_words_of`
/// @param caps   DXGK_IOMMU_CAPS, of the driver's header or of a mirror
template <class IommuCaps>
constexpr void fill_iommu_caps(flag_words const& made, IommuCaps& caps) noexcept {
    caps.Value = made.iommu_caps;
}

/// Writes a DXGK_PHYSICAL_MEMORY_CAPS (IOM-01). WDDM 2.9.
///
/// @param highest_visible_address  the last visible byte, inclusive (AMB-23); in a link, the lowest one (IOM-03)
/// @param caps                     DXGK_PHYSICAL_MEMORY_CAPS, of the driver's header or of a mirror
template <class PhysicalMemoryCaps>
constexpr void fill_physical_memory_caps(u64 highest_visible_address, PhysicalMemoryCaps& caps) noexcept {
    caps.HighestVisibleAddress.QuadPart = static_cast<i64>(highest_visible_address);
}

/// @param before  the word as the driver filled it
/// @param owned   `owned_vidmm_caps` or `owned_physical_adapter_flags`
/// @param made    the word that `flag_words_of` made
/// @return `before` with the owned bits of `made`
[[nodiscard]] constexpr u32 merged(u32 before, u32 owned, u32 made) noexcept { return (before & ~owned) | made; }
static_assert(merged(0xFFFF'FFFF, owned_vidmm_caps, 0) == 0xFFFF'97FF);

}  // namespace wddmcore::iommu
