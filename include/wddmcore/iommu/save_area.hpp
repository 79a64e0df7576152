// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "../base/units.hpp"
#include "rules.hpp"

/// How much memory the system needs to save the frame buffer of an isolated adapter: DXGKQAITYPE_FRAMEBUFFERSAVESIZE.
///
/// A driver must be able to save with less. If the area cannot be pinned as a whole, it saves chunk by chunk through a
/// small buffer that it allocated in advance (IOM-18).
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.4.
/// Source page: iommu-based-gpu-isolation.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// The size to report for a number of used bytes, rounded up to whole pages (IOM-17).
///
/// @return a multiple of 4096 bytes, 0 for none; errc::overflow when rounding up would wrap
[[nodiscard]] constexpr result<bytes> frame_buffer_save_size(bytes used) noexcept {
    checked<u64> const whole = round_up(used.n, page_bytes);
    return whole.ok ? good(bytes{whole.value}) : refused<bytes>(errc::overflow);
}

/// Checks a size that is to be reported (IOM-17).
///
/// @return no_rule_broken, or rule::save_size_not_pages and the size
[[nodiscard]] constexpr broken_rule judge_frame_buffer_save_size(bytes size) noexcept {
    return is_multiple(size.n, page_bytes) ? no_rule_broken : broken_rule{rule::save_size_not_pages, 0, size.n};
}

/// Checks the adapter handle that a save or restore callback is given: in a link, that of the lead adapter (IOM-17).
///
/// @param lead  the handle of the lead adapter; outside a link, of the only adapter
/// @param used  the handle that the callback is given
/// @param physical_adapter  the adapter whose memory is saved, for the result
/// @return no_rule_broken, or rule::save_not_lead_adapter and the physical adapter
[[nodiscard]] constexpr broken_rule judge_save_handle(void const* lead, void const* used,
                                                      u32 physical_adapter) noexcept {
    return used == lead ? no_rule_broken : broken_rule{rule::save_not_lead_adapter, physical_adapter, 0};
}

}  // namespace wddmcore::iommu
