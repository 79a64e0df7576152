// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "../base/units.hpp"
#include "sentences.hpp"

/// What the system needs in order to save the frame buffer of an isolated adapter: DXGKQAITYPE_FRAMEBUFFERSAVESIZE.
///
/// A driver must be able to save with less than that: when the whole area cannot be pinned, it makes progress chunk by
/// chunk with a small buffer that it allocated before (IOM-18).
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.4.
/// Source page: iommu-based-gpu-isolation.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// The size to report for so many used bytes: rounded up to whole pages (IOM-17).
///
/// @return a multiple of 4096 bytes, 0 for nothing; errc::overflow when there is none
[[nodiscard]] constexpr result<bytes> frame_buffer_save_size(bytes used) noexcept {
    checked<u64> const whole = round_up(used.n, page_bytes);
    return whole.ok ? good(bytes{whole.value}) : refused<bytes>(errc::overflow);
}

/// Judges a size that is to be reported (IOM-17).
///
/// @return no_rule_broken, or rule::save_size_not_pages and the size
[[nodiscard]] constexpr broken_rule judge_frame_buffer_save_size(bytes size) noexcept {
    return is_multiple(size.n, page_bytes) ? no_rule_broken : broken_rule{rule::save_size_not_pages, 0, size.n};
}

/// Judges the adapter whose handle a save or restore callback is given: in a link the lead adapter's (IOM-17).
///
/// @param lead  the handle of the lead adapter, which is the only one outside a link
/// @param used  the handle that the callback gets
/// @param physical_adapter  whose memory is saved; goes into the verdict
/// @return no_rule_broken, or rule::save_not_lead_adapter and the physical adapter
[[nodiscard]] constexpr broken_rule judge_save_handle(void const* lead, void const* used,
                                                      u32 physical_adapter) noexcept {
    return used == lead ? no_rule_broken : broken_rule{rule::save_not_lead_adapter, physical_adapter, 0};
}

}  // namespace wddmcore::iommu
