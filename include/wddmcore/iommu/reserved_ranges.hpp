// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/span.hpp"
#include "../base/units.hpp"
#include "rules.hpp"

/// Physical memory that firmware reserved for the device: DXGKQAITYPE_HARDWARERESERVEDRANGES, which the system asks for
/// twice, first the count and then the array (IOM-19).
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.4.
/// Source page: iommu-based-gpu-isolation.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// A range of physical memory: DXGK_PHYSICAL_MEMORY_RANGE.
struct physical_memory_range {
    u64 base_address = 0;  ///< of the CPU, in bytes
    bytes size{0};
};

namespace detail {

/// Checks a range on its own: whole pages, at least one, and nothing past the last address (IOM-19).
///
/// The documentation does not ask for alignment, but an IOMMU maps nothing smaller than a page.
[[nodiscard]] constexpr broken_rule judge_range(physical_memory_range const& one, u32 place) noexcept {
    bool const whole_pages = one.size.n != 0 && is_multiple(one.size.n, page_bytes);
    // The test is on the last byte, because a range may end where the address space ends.
    bool const ends = checked_add(one.base_address, one.size.n - 1).ok;
    rule_check check{place};
    check.when(!whole_pages, rule::range_not_pages, one.size.n);
    check.when(!is_multiple(one.base_address, page_bytes), rule::range_not_pages, one.base_address);
    check.when(!ends, rule::range_too_long, one.size.n);
    return check.found;
}

/// @return whether two ranges share a byte
[[nodiscard]] constexpr bool overlap(physical_memory_range const& a, physical_memory_range const& b) noexcept {
    return wddmcore::ranges_overlap(a.base_address, a.size.n, b.base_address, b.size.n);
}

}  // namespace detail

/// Checks the ranges that a driver reports (IOM-19).
///
/// @param reserved       the ranges, in any order
/// @param system_memory  the memory that the OS manages, as far as the caller knows; empty if unknown
/// @return no_rule_broken; otherwise the rule, the range and its size or address; of two that overlap, the later one
[[nodiscard]] constexpr broken_rule judge_reserved_ranges(span<physical_memory_range const> reserved,
                                                          span<physical_memory_range const> system_memory) noexcept {
    detail::rule_check check{};
    for (u32 i = 0; i < reserved.count; ++i) {
        physical_memory_range const& one = reserved[i];
        check.place = i;
        check.add(detail::judge_range(one, i));
        for (physical_memory_range const& before : reserved.first(i)) {
            check.when(detail::overlap(before, one), rule::ranges_overlap, one.base_address);
        }
        for (physical_memory_range const& managed : system_memory) {
            check.when(detail::overlap(managed, one), rule::range_in_system_memory, one.base_address);
        }
    }
    return check.found;
}

}  // namespace wddmcore::iommu
