// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "../base/units.hpp"

/// How much memory the system needs to save the frame buffer of an isolated adapter: DXGKQAITYPE_FRAMEBUFFERSAVESIZE.
///
/// A driver must be able to save with less. If the area cannot be pinned as a whole, it saves chunk by chunk through a
/// small buffer that it allocated in advance (IOM-18). In a link the callbacks that save and restore take the handle of
/// the lead adapter, whichever adapter's memory it is (IOM-17).
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

}  // namespace wddmcore::iommu
