// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../iommu/save_area.hpp"
#include "../segment/query/descriptor.hpp"
#include "check.hpp"
#include "memory.hpp"

/// The queries about physical memory: PHYSICAL_MEMORY_CAPS, IOMMU_CAPS, FRAMEBUFFERSAVESIZE, HARDWARERESERVEDRANGES.
///
/// The first two are asked after AddDevice and before StartDevice: their answers come from claims alone (IOM-02).
/// All functions here: PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo, pageable, touch no OS state.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

/// PHYSICAL_MEMORY_CAPS (IOM-01, IOM-03); WDDM 2.9. Source page: ns-d3dkmddi-dxgk_physical_memory_caps.md.
///
/// @return answered; refused: output_missing, output_size; not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_physical_memory_caps(Hw const& hw, Args const& args) noexcept {
    return with_output<typename Binding::physical_memory_caps>(args, [&](auto& output) {
        iommu::fill_physical_memory_caps(highest_visible_address_of(hw), output);
        return query_answered;
    });
}

/// IOMMU_CAPS (IOM-01, IOM-04, IOM-22); WDDM 2.9. Source page: ns-d3dkmddi-dxgk_iommu_caps.md.
///
/// @return answered; refused: output_missing, output_size; not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_iommu_caps(Hw const& hw, Args const& args) noexcept {
    return with_output<typename Binding::iommu_caps>(args, [&](auto& output) {
        iommu::fill_iommu_caps(iommu::flag_words_of(chosen_of(hw), iommu_of(hw)), output);
        return query_answered;
    });
}

/// FRAMEBUFFERSAVESIZE: what the hardware type wants to save, in whole pages (IOM-17); WDDM 2.4. Source page:
/// iommu-based-gpu-isolation.md.
///
/// @return answered; refused: output_missing, output_size, too_large; not_mine: not_described, not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_save_size(Hw const& hw, Args const& args) noexcept {
    if constexpr (!requires { hw.frame_buffer_save_size(); }) {
        return query_not_mine(query_reason::not_described);
    } else {
        return with_output<typename Binding::framebuffersavearea>(args, [&](auto& output) {
            using size_type = meta::bare<decltype(output.MaximumSize)>;
            result<bytes> const whole = iommu::frame_buffer_save_size(hw.frame_buffer_save_size());
            if (!whole.ok() || !segment::detail::fits_member<size_type>(whole.value.n)) {
                return query_refused(query_reason::too_large);
            }
            output.MaximumSize = static_cast<size_type>(whole.value.n);
            return query_answered;
        });
    }
}

/// HARDWARERESERVEDRANGES and, from WDDM 3.1, HARDWARERESERVEDRANGES2, in two calls: with a NULL array the count is
/// written and nothing else, then all ranges or nothing (IOM-19). No page gives the second query another structure.
/// Source page: iommu-based-gpu-isolation.md.
///
/// @return answered; refused: output_missing, output_size, inconsistent (ranges that judge_reserved_ranges refuses),
///         count_changed; not_mine: not_described, not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_reserved_ranges(Hw const& hw, Args const& args) noexcept {
    if constexpr (!requires { hw.reserved_ranges(); }) {
        return query_not_mine(query_reason::not_described);
    } else {
        return with_output<typename Binding::hardwarereservedranges>(args, [&](auto& output) {
            span<iommu::physical_memory_range const> const ranges = hw.reserved_ranges();
            if (iommu::judge_reserved_ranges(ranges, {nullptr, 0}) != iommu::no_rule_broken) {
                return query_refused(query_reason::inconsistent);
            }
            if (output.pPhysicalRanges == nullptr) {
                output.NumRanges = static_cast<u32>(ranges.count);
                return query_answered;
            }
            if (output.NumRanges != ranges.count) {
                return query_refused(query_reason::count_changed);
            }
            using address_type = meta::bare<decltype(output.pPhysicalRanges->BaseAddress.QuadPart)>;
            using size_type = meta::bare<decltype(output.pPhysicalRanges->NumberOfBytes.QuadPart)>;
            for (usize i = 0; i < ranges.count; ++i) {
                output.pPhysicalRanges[i].BaseAddress.QuadPart = static_cast<address_type>(ranges[i].base_address);
                output.pPhysicalRanges[i].NumberOfBytes.QuadPart = static_cast<size_type>(ranges[i].size.n);
            }
            return query_answered;
        });
    }
}

}  // namespace wddmcore::adapter_info::detail
