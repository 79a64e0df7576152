// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../ddi/interface_version.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// The bits of DXGK_SEGMENTFLAGS as masks of its `Value` member: the bits never move, and older headers lack newer
/// names.
///
/// Source page: ns-d3dkmddi-_dxgk_segmentflags.md.
enum class flag : u32 {
    aperture = 1u << 0,
    agp = 1u << 1,
    cpu_visible = 1u << 2,
    use_banking = 1u << 3,
    cache_coherent = 1u << 4,
    pitch_alignment = 1u << 5,
    populated_from_system_memory = 1u << 6,
    preserved_during_standby = 1u << 7,
    preserved_during_hibernate = 1u << 8,
    partially_preserved_during_hibernate = 1u << 9,
    direct_flip = 1u << 10,
    use_64kb_pages = 1u << 11,
    reserved_sys_mem = 1u << 12,
    supports_cpu_host_aperture = 1u << 13,
    supports_cached_cpu_host_aperture = 1u << 14,
    application_target = 1u << 15,
    vpr_supported = 1u << 16,
    vpr_preserved_during_standby = 1u << 17,
    encrypted_paging_supported = 1u << 18,
    local_budget_group = 1u << 19,
    non_local_budget_group = 1u << 20,
    populated_by_reserved_ddr_by_firmware = 1u << 21,
};

/// A set of the bits of one flag word.
///
/// @tparam Flag  the bits; words with different bits are different types
template <class Flag>
struct flag_word {
    u32 value = 0;  ///< the `Value` of the DDI's union
    /// Whether a flag is in the set.
    ///
    /// @return true if it is set
    [[nodiscard]] constexpr bool has(Flag one) const noexcept { return (value & static_cast<u32>(one)) != 0; }
    /// The set with one more flag if `wanted`.
    ///
    /// @param one     the flag
    /// @param wanted  false: it is not added
    /// @return the larger set; this one stays as it is
    [[nodiscard]] constexpr flag_word with(Flag one, bool wanted) const noexcept {
        return {wanted ? value | static_cast<u32>(one) : value};
    }
    /// The set with more flags.
    ///
    /// @param first  a flag
    /// @param more   further ones
    /// @return the larger set; this one stays as it is
    template <class... Flags>
    [[nodiscard]] constexpr flag_word with(Flag first, Flags... more) const noexcept {
        return {((value | static_cast<u32>(first)) | ... | static_cast<u32>(Flag{more}))};
    }
    friend constexpr bool operator==(flag_word, flag_word) = default;
};

/// DXGK_SEGMENTFLAGS.
using flags = flag_word<flag>;

namespace detail {

/// The flags that an interface version has; all other bits are reserved in it and stay 0 (SEG-22).
[[nodiscard]] constexpr u32 flags_of_version(wddm version) noexcept {
    constexpr auto up_to = [](flag last) { return (static_cast<u32>(last) << 1) - 1; };
    if (version < wddm::win8) {
        return up_to(flag::partially_preserved_during_hibernate);
    }
    if (version < wddm::v2_0) {
        return up_to(flag::direct_flip);
    }
    return version < wddm::v2_9 ? up_to(flag::non_local_budget_group)
                                : up_to(flag::populated_by_reserved_ddr_by_firmware);
}
static_assert(flags_of_version(wddm::v1_3) == 0x7ff && flags_of_version(wddm::v3_2) == 0x3f'ffff);

/// The flags that cannot be dropped for a version that does not have them, because the segment would be a different one
/// without them. All other newer flags are hints or optional capabilities.
inline constexpr flags essential_flags = flags{}
                                             .with(flag::use_64kb_pages)
                                             .with(flag::supports_cpu_host_aperture)
                                             .with(flag::vpr_supported)
                                             .with(flag::vpr_preserved_during_standby)
                                             .with(flag::encrypted_paging_supported);

}  // namespace detail

static_assert(flags{}.with(flag::aperture).with(flag::agp, false).value == 1);

}  // namespace wddmcore::segment
