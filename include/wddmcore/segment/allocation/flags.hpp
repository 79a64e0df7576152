// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../table/flags.hpp"

/// The flag words of DXGK_ALLOCATIONINFO, as sets of named bits of their `Value`.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// The bits of DXGK_ALLOCATIONINFOFLAGS: what a driver fills below WDDM 2.0 (PREF-10).
///
/// Source page: ns-d3dkmddi-_dxgk_allocationinfoflags.md.
enum class allocation_flag : u32 {
    cpu_visible = 1u << 0,
    permanent_sys_mem = 1u << 1,
    cached = 1u << 2,
    protected_content = 1u << 3,  ///< Protected, which is a keyword
    existing_sys_mem = 1u << 4,
    existing_kernel_sys_mem = 1u << 5,
    from_end_of_segment = 1u << 6,
    swizzled = 1u << 7,
    overlay = 1u << 8,
    capture = 1u << 9,
    use_alternate_va = 1u << 10,
    synchronous_paging = 1u << 11,
    link_mirrored = 1u << 12,
    link_instanced = 1u << 13,
    history_buffer = 1u << 14,
};

/// The bits of DXGK_ALLOCATIONINFOFLAGS_WDDM2_0: what a driver fills from WDDM 2.0 on (PREF-10).
///
/// The two words share storage and differ in bits 7 and 10 to 13, so each has its own type.
/// Source page: ns-d3dkmddi-_dxgk_allocationinfoflags_wddm2_0.md.
enum class allocation_flag_wddm2 : u32 {
    cpu_visible = 1u << 0,
    permanent_sys_mem = 1u << 1,
    cached = 1u << 2,
    protected_content = 1u << 3,  ///< Protected, which is a keyword
    existing_sys_mem = 1u << 4,
    existing_kernel_sys_mem = 1u << 5,
    from_end_of_segment = 1u << 6,
    disable_large_page_mapping = 1u << 7,
    /// Like `capture`, it may be pinned, and then has the last fifth of its segment: evictions should keep to the other
    /// four (PREF-21).
    overlay = 1u << 8,
    capture = 1u << 9,
    create_in_vpr = 1u << 10,             ///< from WDDM 2.1
    map_aperture_cpu_visible = 1u << 13,  ///< from WDDM 2.9
    history_buffer = 1u << 14,
    /// An engine addresses it physically: in an aperture it is then mapped by operations 5 and 17 before it is used.
    /// Without this flag neither arrives for it: the system promotes it to implicit system memory, which has no
    /// aperture pages to map, and an allocation list cannot name it (PREF-11). Operation 17 brings a CPU address only
    /// with this flag too (PREF-15). Not for a primary because the display reads it: that would pin its aperture
    /// (PREF-12).
    accessed_physically = 1u << 15,
    explicit_residency_notification = 1u << 16,
    hardware_protected = 1u << 17,
    cpu_visible_on_demand = 1u << 18,
};

/// The bits of DXGK_ALLOCATIONINFOFLAGS2, from WDDM 3.0, on 64-bit systems.
///
/// Source page: ns-d3dkmddi-dxgk_allocationinfoflags2.md.
enum class allocation_flag2 : u32 {
    share_backing_store_with_kmd = 1u << 0,
    no_implicit_synchronization = 1u << 1,   ///< from WDDM 3.2, like all that follow
    disable_partial_residency = 1u << 2,     ///< (PREF-22)
    restricted_to_single_segment = 1u << 3,  ///< (PREF-22)
    /// Operation 22 before it is evicted from an aperture or from implicit system memory, never from local memory
    /// (NTF-02, NTF-08). hw/promises/notices/alloc_notifier.hpp has the five steps.
    notify_eviction = 1u << 4,
    /// Operation 22 before its pages leave the IOMMU, with the GpuVaIoMmu and GpuVaIoMmuGlobal models only (NTF-02,
    /// NTF-11). hw/promises/notices/alloc_notifier.hpp has the five steps.
    notify_io_mmu_unmap = 1u << 5,
};

/// DXGK_ALLOCATIONINFOFLAGS.
using allocation_flags = flag_word<allocation_flag>;
/// DXGK_ALLOCATIONINFOFLAGS_WDDM2_0.
using allocation_flags_wddm2 = flag_word<allocation_flag_wddm2>;

namespace detail {

/// Tells, as one compile error, that 32-bit systems have no second flag word.
template <usize PointerBytes>
consteval void has_flags2() {
    static_assert(PointerBytes == 8,
                  "allocation: DXGK_ALLOCATIONINFO has no `Flags2` on 32-bit systems: neither NotifyEviction nor any "
                  "other flag of that word can be asked for there (NTF-02)");
}

}  // namespace detail

/// The `Value` of DXGK_ALLOCATIONINFOFLAGS2.
struct allocation_flags2 {
    u32 value = 0;
    /// Whether a flag is in the set.
    ///
    /// @return true if it is set
    [[nodiscard]] constexpr bool has(allocation_flag2 one) const noexcept {
        return (value & static_cast<u32>(one)) != 0;
    }
    /// The set with one more flag: a compile error on a 32-bit system, which has no such word.
    ///
    /// @tparam PointerBytes  not to be given
    /// @return the larger set; this one stays as it is
    template <usize PointerBytes = sizeof(void*)>
    [[nodiscard]] constexpr allocation_flags2 with(allocation_flag2 one) const noexcept {
        detail::has_flags2<PointerBytes>();
        return {value | static_cast<u32>(one)};
    }
    friend constexpr bool operator==(allocation_flags2, allocation_flags2) = default;
};

namespace detail {

/// The bits of DXGK_ALLOCATIONINFOFLAGS; all others are reserved and stay 0.
inline constexpr u32 known_allocation_flags = 0x7FFF;

/// The bits of DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 that a version has.
[[nodiscard]] constexpr u32 known_allocation_flags_wddm2(wddm version) noexcept {
    constexpr u32 first = 0x7C3FF;
    u32 const vpr = version >= wddm::v2_1 ? static_cast<u32>(allocation_flag_wddm2::create_in_vpr) : 0;
    u32 const map = version >= wddm::v2_9 ? static_cast<u32>(allocation_flag_wddm2::map_aperture_cpu_visible) : 0;
    return first | vpr | map;
}

/// The bits of DXGK_ALLOCATIONINFOFLAGS2 that a version has.
[[nodiscard]] constexpr u32 known_allocation_flags2(wddm version) noexcept {
    constexpr u32 of_v3_0 = 1;
    constexpr u32 of_v3_2 = 0x3F;
    return version >= wddm::v3_2 ? of_v3_2 : version >= wddm::v3_0 ? of_v3_0 : 0;
}

}  // namespace detail

}  // namespace wddmcore::segment
