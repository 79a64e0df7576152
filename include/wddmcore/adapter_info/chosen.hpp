// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/query_answer.hpp"
#include "../paging/operations.hpp"

/// `caps` says what a driver ever claims, `chosen` what it claims now: answers are made from the second, which may only
/// narrow the first.
///
/// `chosen` is final at AddDevice, because PHYSICAL_MEMORY_CAPS and IOMMU_CAPS are asked before StartDevice. Nothing is
/// kept between two answers, so only the system can see that a choice changed between them (IOM-02).
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

/// The claims that may be left to run time.
inline constexpr claim capabilities::* choices[] = {
    &capabilities::gpu_mmu,
    &capabilities::alternate_address_lock,
    &capabilities::context_allocations,
    &capabilities::tiled_resources,
    &capabilities::residency_notification,
    &capabilities::monitored_fence_signal,
    &capabilities::native_fences,
    &capabilities::mmu_mapping,
    &capabilities::allocation_notification,
    &capabilities::io_mmu,
};

/// Whether a set of update modes holds one mode only, or none.
[[nodiscard]] constexpr bool is_one_mode(update_modes modes) noexcept {
    u32 const bits = static_cast<u32>(modes);
    return (bits & (bits - 1)) == 0;
}

/// Whether nothing is left to AddDevice. `addresses` may stay both: paging may use either.
[[nodiscard]] constexpr bool is_decided(capabilities const& caps) noexcept {
    for (auto const choice : choices) {
        if (caps.*choice == claim::at_run_time) {
            return false;
        }
    }
    bool const has_mode = caps.gpu_mmu != claim::yes || caps.page_tables != update_modes::none;
    return caps.aperture != aperture_forms::either && is_one_mode(caps.page_tables) && has_mode;
}

/// Whether `caps` leaves something to AddDevice, the version included.
[[nodiscard]] constexpr bool needs_choice(capabilities const& caps) noexcept {
    return !is_decided(caps) || caps.oldest != caps.version;
}

/// Whether an aperture form may be chosen.
///
/// No form is not less than a form: where a table has an aperture and MapAperture2Supported is not reported, operation
/// 5 arrives. So a driver may choose none only if it has that operation, or claims no form at all (law 5).
[[nodiscard]] constexpr bool narrows_aperture(aperture_forms chosen, capabilities const& most) noexcept {
    if (chosen != aperture_forms::none) {
        return contains_all(most.aperture, chosen);
    }
    return most.aperture == aperture_forms::none || reachable(most, paging_operation::map_aperture_segment);
}

/// Whether what was chosen stays within what is claimed at the most.
[[nodiscard]] constexpr bool narrows(capabilities const& chosen, capabilities const& most) noexcept {
    for (auto const choice : choices) {
        if (!contains_all(most.*choice, chosen.*choice)) {
            return false;
        }
    }
    return within(chosen.version, most.oldest, most.version) && contains_all(most.addresses, chosen.addresses) &&
           narrows_aperture(chosen.aperture, most) && contains_all(most.page_tables, chosen.page_tables) &&
           chosen.highest_visible_address <= most.highest_visible_address && chosen.compute_only == most.compute_only;
}

/// Checks what was chosen at AddDevice: decided, and within the claims. Every answer makes the same check.
///
/// @return none, undecided or more_than_claimed
[[nodiscard]] constexpr query_reason judge_choice(capabilities const& chosen, capabilities const& most) noexcept {
    return !is_decided(chosen)      ? query_reason::undecided
           : !narrows(chosen, most) ? query_reason::more_than_claimed
                                    : query_reason::none;
}

/// Whether the driver has page tables of its own. MMUs came with WDDM 2.0: a driver that registers below has none.
[[nodiscard]] constexpr bool has_gpu_mmu(capabilities const& chosen) noexcept {
    return chosen.version >= wddm::v2_0 && chosen.gpu_mmu == claim::yes;
}

/// Whether an IOMMU translates for the driver.
[[nodiscard]] constexpr bool has_io_mmu(capabilities const& chosen) noexcept {
    return chosen.version >= wddm::v2_0 && chosen.io_mmu == claim::yes;
}

/// The one update mode of a decided set (PageTableUpdateMode).
[[nodiscard]] constexpr gpuva::update_mode update_mode_of(update_modes one) noexcept {
    return one == update_modes::cpu_virtual   ? gpuva::update_mode::cpu_virtual
           : one == update_modes::gpu_virtual ? gpuva::update_mode::gpu_virtual
                                              : gpuva::update_mode::gpu_physical;
}

}  // namespace wddmcore::adapter_info::detail
