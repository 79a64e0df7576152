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
    if (of.version < wddm::v2_0) {
        u32 const later = a.flags_wddm2.value | a.flags2.value;
        u32 const reserved = a.flags.value & ~known_allocation_flags;
        if (later != 0) {
            return {flags_wddm2_before_v2_0, 0, later};
        }
        return reserved != 0 ? broken_allocation_rule{flags_of_later_version, 0, reserved} : allocation_is_good;
    }
    if (a.flags.value != 0) {
        return {flags_from_v2_0, 0, a.flags.value};
    }
    u32 const reserved = a.flags_wddm2.value & ~known_allocation_flags_wddm2(of.version);
    u32 const reserved2 = a.flags2.value & ~known_allocation_flags2(of.version);
    if (reserved != 0) {
        return {flags_of_later_version, 0, reserved};
    }
    if (reserved2 != 0) {
        return {flags2_of_later_version, 0, reserved2};
    }
    bool const unmap = a.flags2.has(allocation_flag2::notify_io_mmu_unmap);
    if ((unmap || a.flags2.has(allocation_flag2::notify_eviction)) && !of.allocation_notification) {
        return {notification_not_claimed, 0, a.flags2.value};
    }
    if (unmap && !of.gpu_va_iommu) {
        return {iommu_unmap_impossible, 0, a.flags2.value};
    }
    return allocation_is_good;
}

/// Checks the flags that say what kind of memory it is (PREF-16, PREF-17).
///
/// The rules are from the page of the newer word; the older word has the same flags in the same places.
[[nodiscard]] constexpr broken_allocation_rule judge_memory_flags(allocation const& a, wddm version) noexcept {
    using enum allocation_rule;
    u32 const word = allocation_word(a, version);
    u32 const needs_visible = common_bit(allocation_flag::cached) | common_bit(allocation_flag::permanent_sys_mem);
    u32 const one_of = common_bit(allocation_flag::protected_content) | common_bit(allocation_flag::permanent_sys_mem) |
                       common_bit(allocation_flag::existing_sys_mem) |
                       common_bit(allocation_flag::existing_kernel_sys_mem);
    u32 const not_primary = one_of | common_bit(allocation_flag::cached);
    if ((word & needs_visible) != 0 && (word & common_bit(allocation_flag::cpu_visible)) == 0) {
        return {not_cpu_visible, 0, word};
    }
    if (a.is_primary && (word & not_primary) != 0) {
        return {allocation_rule::not_of_primary, 0, word & not_primary};
    }
    u32 const set = word & one_of;
    if (set != 0 && !is_power_of_two(set)) {
        return {two_of_a_kind, 0, set};
    }
    return allocation_is_good;
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
    if ((word & history) == 0) {
        return allocation_is_good;
    }
    if (word != wanted) {
        return {allocation_rule::history_buffer, 0, word};
    }
    return a.flags2.value != 0 ? broken_allocation_rule{allocation_rule::history_buffer, 0, a.flags2.value}
                               : allocation_is_good;
}

/// Checks physical access and the CPU address of MAP_APERTURE_SEGMENT2 (PREF-11, PREF-13 to PREF-15). WDDM 2.0.
[[nodiscard]] constexpr broken_allocation_rule judge_physical_flags(allocation const& a,
                                                                    allocation_profile const& of) noexcept {
    using enum allocation_rule;
    // The older word does not have these flags: before WDDM 2.0 all access is physical.
    if (of.version < wddm::v2_0) {
        return a.wants_cpu_address ? broken_allocation_rule{cpu_address_flags, 0, a.flags.value} : allocation_is_good;
    }
    allocation_flags_wddm2 const word = a.flags_wddm2;
    bool const physical = word.has(allocation_flag_wddm2::accessed_physically);
    if (a.engine_addresses_physically && !physical) {
        return {accessed_physically, 0, word.value};
    }
    if (word.has(allocation_flag_wddm2::explicit_residency_notification) && !physical) {
        return {residency_notification, 0, word.value};
    }
    bool const map = word.has(allocation_flag_wddm2::map_aperture_cpu_visible);
    if ((map || a.wants_cpu_address) && !of.map_aperture2) {
        return {map_aperture2_missing, 0, word.value};
    }
    if (a.wants_cpu_address && !brings_cpu_address(word, of)) {
        return {cpu_address_flags, 0, word.value};
    }
    return allocation_is_good;
}

}  // namespace wddmcore::segment::detail
