// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "flag_words.hpp"
#include "rules.hpp"

/// Checks the claims about the IOMMU, by the same function at compile time and at run time.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.4.
/// Source pages: iommu-based-gpu-isolation.md, iommu-dma-remapping.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

namespace detail {

/// @return whether one claim implies another, whatever AddDevice decides: a claim that is certain needs the other to be
///         certain, a claim that is possible needs the other to be possible
[[nodiscard]] constexpr bool implies(claim what, claim needed) noexcept {
    return (what != claim::yes || needed == claim::yes) && (!may_be_yes(what) || may_be_yes(needed));
}
static_assert(implies(claim::no, claim::no) && implies(claim::at_run_time, claim::yes));
static_assert(!implies(claim::yes, claim::at_run_time) && !implies(claim::at_run_time, claim::no));

/// Checks the claims against the declared version.
[[nodiscard]] constexpr broken_rule judge_version(wddm version, capabilities const& caps) noexcept {
    u64 const number = static_cast<u64>(version);
    bool const required = may_be_yes(caps.isolation_required);
    rule_check check{};
    check.when(may_be_yes(caps.isolation) && version < wddm::v2_4, rule::isolation_before_v2_4, number);
    check.when(required && version < wddm::v2_7, rule::isolation_required_before_v2_7, number);
    check.when(may_be_yes(caps.dma_remapping) && version < wddm::v2_9, rule::dma_remapping_before_v2_9, number);
    // IOM-22: DXGK_IOMMU_CAPS got the bits before DXGK_PHYSICALADAPTERFLAGS did, and both must be able to report them.
    check.when(has_gpu_va_iommu(caps) && version < wddm::v3_1, rule::gpu_va_iommu_before_v3_1, number);
    return check.found;
}

}  // namespace detail

/// The first rule that claims break (IOM-01, IOM-04, IOM-05, IOM-12, IOM-22).
///
/// The same function checks what the source declares and what AddDevice chose. That the callbacks of physical memory
/// objects exist (second half of IOM-05) is up to the system.
///
/// @param hw    the driver's capabilities: version, aperture forms, highest visible address
/// @param caps  the claims
/// @return no_rule_broken; otherwise the rule and the version, claim or address that breaks it
[[nodiscard]] constexpr broken_rule judge(wddmcore::capabilities const& hw, capabilities const& caps) noexcept {
    u64 const highest = hw.highest_visible_address;
    detail::rule_check check{};
    check.add(detail::judge_version(hw.version, caps));
    check.when(!detail::implies(caps.isolation_required, caps.isolation), rule::required_without_isolation,
               static_cast<u64>(caps.isolation));
    check.when(!detail::implies(caps.dma_remapping, map_aperture2(hw.aperture)),
               rule::dma_remapping_without_map_aperture2, static_cast<u64>(hw.aperture));
    // All ones is the default and means "not given": no device reaches that far.
    check.when(may_be_yes(caps.dma_remapping) && highest == ~u64{0},
               rule::dma_remapping_without_highest_visible_address, highest);
    return check.found;
}

}  // namespace wddmcore::iommu

namespace wddmcore::inline WDDMCORE_ABI {

/// Checks claims at compile time: `static_assert(wddmcore::check_iommu<my_gpu::caps, my_gpu::iommu>());`.
///
/// A broken rule is one compile error: a sentence that says what to do.
///
/// @tparam Caps   the driver's capabilities, a constant of static storage
/// @tparam Iommu  its claims about the IOMMU, likewise
/// @return true
template <capabilities const& Caps, iommu::capabilities const& Iommu>
[[nodiscard]] consteval bool check_iommu() {
    constexpr iommu::broken_rule found = iommu::judge(Caps, Iommu);
    return iommu::sentence<found.what, found.place, found.value>();
}

}  // namespace wddmcore
