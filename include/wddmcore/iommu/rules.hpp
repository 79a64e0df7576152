// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/breach.hpp"

/// The rules about the IOMMU, and each of them in words: as text, and as the compiler's message about claims that break
/// it. The messages are static assertions in a function template that takes the broken rule, the place and the value as
/// scalar arguments, so exactly one error appears, and it shows both numbers.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// The rules that claims, words, a function table or an answer can break.
enum class rule : u32 {
    none,

    isolation_before_v2_4,           ///< IOM-12
    isolation_required_before_v2_7,  ///< IOM-04
    dma_remapping_before_v2_9,       ///< IOM-01
    gpu_va_iommu_before_v3_1,        ///< IOM-22

    required_without_isolation,                     ///< IOM-05
    dma_remapping_without_map_aperture2,            ///< IOM-05
    dma_remapping_without_highest_visible_address,  ///< IOM-01

    begin_exclusive_access_missing,  ///< IOM-12
    end_exclusive_access_missing,    ///< IOM-12

    range_not_pages,         ///< IOM-19
    range_too_long,          ///< IOM-19
    ranges_overlap,          ///< IOM-19
    range_in_system_memory,  ///< IOM-19
};

/// The first broken rule; rule::none when nothing is wrong. Its place is the range, or the physical adapter.
using broken_rule = breach<rule>;

/// What a check answers when nothing is wrong.
inline constexpr broken_rule no_rule_broken{};

namespace detail {

using rule_check = wddmcore::detail::first_breach<rule>;

/// The words of the rules, in the order of their enumeration.
inline constexpr char const* rule_texts[] = {
    "",

    "IOMMU: `isolation` needs a `version` of WDDM 2.4 or later, which has exclusive access (IOM-12)",
    "IOMMU: `isolation_required` needs a `version` of WDDM 2.7 or later, which can say it (IOM-04)",
    ("IOMMU: `dma_remapping` needs a `version` of WDDM 2.9 or later, which asks for the physical memory caps and the "
     "IOMMU caps (IOM-01)"),
    ("IOMMU: `gpu_va_iommu_required` and `gpu_va_iommu_global_required` need a `version` of WDDM 3.1 or later: "
     "before, the physical adapter's flags cannot say it too (IOM-22)"),

    "IOMMU: `isolation_required` must be no more than `isolation`: what is required is supported (IOM-05)",
    ("IOMMU: `dma_remapping` needs `aperture` = aperture_forms::adl, or `either` when remapping is at_run_time too: "
     "it implies MapAperture2Supported (IOM-05)"),
    "IOMMU: `dma_remapping` needs a `highest_visible_address` in the caps of the driver (IOM-01)",

    "IOMMU: with `isolation` a driver provides DxgkDdiBeginExclusiveAccess and DxgkDdiEndExclusiveAccess (IOM-12)",
    "IOMMU: with `isolation` a driver provides DxgkDdiBeginExclusiveAccess and DxgkDdiEndExclusiveAccess (IOM-12)",

    "IOMMU: a hardware-reserved range consists of whole pages of 4096 bytes, and has at least one (IOM-19)",
    "IOMMU: a hardware-reserved range consists of whole pages of 4096 bytes, and has at least one (IOM-19)",
    "IOMMU: two hardware-reserved ranges overlap (IOM-19)",
    "IOMMU: a hardware-reserved range overlaps memory that the OS manages (IOM-19)",
};
static_assert(sizeof rule_texts / sizeof *rule_texts == static_cast<u32>(rule::range_in_system_memory) + 1);

}  // namespace detail

/// @return a broken rule in words; "" for rule::none, "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(rule what) noexcept {
    return wddmcore::detail::text_in(detail::rule_texts, what);
}

/// Tells what is wrong as one compile error, nothing for rule::none.
///
/// @return true
template <rule What, u32 Place, u64 Value>
consteval bool sentence() {
    using enum rule;
    static_assert(What != isolation_before_v2_4,
                  "IOMMU: `isolation` needs a `version` of WDDM 2.4 or later, which has exclusive access (IOM-12)");
    static_assert(What != isolation_required_before_v2_7,
                  "IOMMU: `isolation_required` needs a `version` of WDDM 2.7 or later, which can say it (IOM-04)");
    static_assert(What != dma_remapping_before_v2_9,
                  "IOMMU: `dma_remapping` needs a `version` of WDDM 2.9 or later, which asks for the physical memory "
                  "caps and the IOMMU caps (IOM-01)");
    static_assert(What != gpu_va_iommu_before_v3_1,
                  "IOMMU: `gpu_va_iommu_required` and `gpu_va_iommu_global_required` need a `version` of WDDM 3.1 or "
                  "later: before, the physical adapter's flags cannot say it too (IOM-22)");
    static_assert(What != required_without_isolation, "IOMMU: `isolation_required` must be no more than `isolation`: "
                                                      "what is required is supported (IOM-05)");
    static_assert(What != dma_remapping_without_map_aperture2,
                  "IOMMU: `dma_remapping` needs `aperture` = aperture_forms::adl, or `either` when remapping is "
                  "at_run_time too: it implies MapAperture2Supported (IOM-05)");
    static_assert(What != dma_remapping_without_highest_visible_address,
                  "IOMMU: `dma_remapping` needs a `highest_visible_address` in the caps of the driver (IOM-01)");
    return true;
}

}  // namespace wddmcore::iommu
