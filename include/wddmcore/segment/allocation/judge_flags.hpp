// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "allocation.hpp"
#include "rules.hpp"

/// The checks that need nothing but the flag words.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source pages: ns-d3dkmddi-_dxgk_allocationinfoflags.md, ns-d3dkmddi-_dxgk_allocationinfoflags_wddm2_0.md,
/// ns-d3dkmddi-dxgk_allocationinfoflags2.md, iommu-dma-remapping.md.
namespace wddmcore::inline WDDMCORE_ABI::segment::detail {

/// The flag word that a version reads (PREF-10).
[[nodiscard]] constexpr u32 allocation_word(allocation const& a, wddm version) noexcept {
    return version >= wddm::v2_0 ? a.flags_wddm2.value : a.flags.value;
}

/// A bit that both flag words have at the same place.
[[nodiscard]] constexpr u32 common_bit(allocation_flag one) noexcept { return static_cast<u32>(one); }
static_assert(common_bit(allocation_flag::history_buffer) == static_cast<u32>(allocation_flag_wddm2::history_buffer));

/// Checks which words are filled, and that reserved bits stay 0 (PREF-10, NTF-02, NTF-11).
[[nodiscard]] constexpr broken_allocation_rule judge_words(allocation const& a, allocation_profile const& of) noexcept {
    using enum allocation_rule;
    allocation_check check{};
    if (of.version < wddm::v2_0) {
        u32 const later = a.flags_wddm2.value | a.flags2.value;
        u32 const reserved = a.flags.value & ~known_allocation_flags;
        check.when(later != 0, flags_wddm2_before_v2_0, later);
        check.when(reserved != 0, flags_of_later_version, reserved);
        return check.found;
    }
    u32 const reserved = a.flags_wddm2.value & ~known_allocation_flags_wddm2(of.version);
    u32 const reserved2 = a.flags2.value & ~known_allocation_flags2(of.version);
    bool const unmap = a.flags2.has(allocation_flag2::notify_io_mmu_unmap);
    bool const notifies = unmap || a.flags2.has(allocation_flag2::notify_eviction);
    check.when(a.flags.value != 0, flags_from_v2_0, a.flags.value);
    check.when(reserved != 0, flags_of_later_version, reserved);
    check.when(reserved2 != 0, flags2_of_later_version, reserved2);
    check.when(notifies && !of.allocation_notification, notification_not_claimed, a.flags2.value);
    check.when(unmap && !of.gpu_va_iommu, iommu_unmap_impossible, a.flags2.value);
    return check.found;
}

/// Checks the flags that say what kind of memory it is (PREF-16, PREF-17).
///
/// The rules are from the page of the newer word; the older word has the same flags in the same places.
[[nodiscard]] constexpr broken_allocation_rule judge_memory_flags(allocation const& a, wddm version) noexcept {
    using enum allocation_rule;
    u32 const word = allocation_word(a, version);
    constexpr u32 needs_visible = common_bit(allocation_flag::cached) | common_bit(allocation_flag::permanent_sys_mem);
    constexpr u32 one_of =
        common_bit(allocation_flag::protected_content) | common_bit(allocation_flag::permanent_sys_mem) |
        common_bit(allocation_flag::existing_sys_mem) | common_bit(allocation_flag::existing_kernel_sys_mem);
    constexpr u32 not_primary = one_of | common_bit(allocation_flag::cached);
    u32 const set = word & one_of;
    bool const visible = (word & common_bit(allocation_flag::cpu_visible)) != 0;
    allocation_check check{};
    check.when((word & needs_visible) != 0 && !visible, not_cpu_visible, word);
    check.when(a.is_primary && (word & not_primary) != 0, not_of_primary, word & not_primary);
    check.when(set != 0 && !is_power_of_two(set), two_of_a_kind, set);
    return check.found;
}

/// Checks a history buffer (PREF-20): every other flag must be 0, in the second word too.
///
/// @param coherent  whether the aperture is cache coherent
[[nodiscard]] constexpr broken_allocation_rule judge_history_buffer(allocation const& a, wddm version,
                                                                    bool coherent) noexcept {
    u32 const history = common_bit(allocation_flag::history_buffer);
    u32 const word = allocation_word(a, version);
    u32 const wanted =
        history | common_bit(allocation_flag::cpu_visible) | (coherent ? common_bit(allocation_flag::cached) : 0);
    bool const is_one = (word & history) != 0;
    allocation_check check{};
    check.when(is_one && word != wanted, allocation_rule::history_buffer, word);
    check.when(is_one && a.flags2.value != 0, allocation_rule::history_buffer, a.flags2.value);
    return check.found;
}

/// Checks physical access and the CPU address of MAP_APERTURE_SEGMENT2 (PREF-11, PREF-13 to PREF-15). WDDM 2.0.
[[nodiscard]] constexpr broken_allocation_rule judge_physical_flags(allocation const& a,
                                                                    allocation_profile const& of) noexcept {
    using enum allocation_rule;
    allocation_check check{};
    // The older word does not have these flags: before WDDM 2.0 all access is physical.
    if (of.version < wddm::v2_0) {
        check.when(a.wants_cpu_address, cpu_address_flags, a.flags.value);
        return check.found;
    }
    allocation_flags_wddm2 const word = a.flags_wddm2;
    bool const physical = word.has(allocation_flag_wddm2::accessed_physically);
    bool const notifies = word.has(allocation_flag_wddm2::explicit_residency_notification);
    bool const map = word.has(allocation_flag_wddm2::map_aperture_cpu_visible);
    check.when(a.engine_addresses_physically && !physical, accessed_physically, word.value);
    check.when(notifies && !physical, residency_notification, word.value);
    check.when((map || a.wants_cpu_address) && !of.map_aperture2, map_aperture2_missing, word.value);
    check.when(a.wants_cpu_address && !brings_cpu_address(word, of), cpu_address_flags, word.value);
    return check.found;
}

}  // namespace wddmcore::segment::detail
