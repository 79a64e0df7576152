// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "verdict.hpp"

/// Exclusive access: between DxgkDdiBeginExclusiveAccess and DxgkDdiEndExclusiveAccess the device leaves system memory
/// alone, because the system changes what the IOMMU maps.
///
/// | event \ state | outside | inside |
/// |---|---|---|
/// | begin | inside | refused, IOM-10 |
/// | end | refused, IOM-10 | outside |
/// | device_access | allowed | refused, IOM-09 |
/// | call | allowed | refused, IOM-10 |
///
/// Inside, the system has suspended its scheduler, flushed all work, and makes no other DDI call. What a driver must
/// stop by itself: fence write-back, message-signalled interrupts that it controls, scan-out from system memory. It may
/// mask its interrupts, VSync included (IOM-11).
///
/// Nothing in the library keeps this state. A driver may keep one byte of it in its adapter object and ask before each
/// of these accesses; the simulator always does. A driver that calls the machine from several threads guards it itself.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.4.
/// Source pages: nc-d3dkmddi-dxgkddi_beginexclusiveaccess.md, iommu-dma-remapping.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// What happens to an adapter, as far as exclusive access goes.
enum class exclusive_event : u32 {
    begin,          ///< DxgkDdiBeginExclusiveAccess
    end,            ///< DxgkDdiEndExclusiveAccess
    device_access,  ///< the device reads or writes system memory
    call,           ///< any other DDI function is called
};

/// Whether exclusive access is going on.
struct exclusive_access {
    bool inside = false;
    friend constexpr bool operator==(exclusive_access, exclusive_access) = default;
};

/// Whether an event may happen now (IOM-09, IOM-10).
///
/// @return allowed, or what it breaks
[[nodiscard]] constexpr verdict judge(exclusive_access now, exclusive_event event) noexcept {
    switch (event) {
        case exclusive_event::begin: return now.inside ? verdict::begin_inside : verdict::allowed;
        case exclusive_event::end: return now.inside ? verdict::allowed : verdict::end_outside;
        case exclusive_event::device_access: return now.inside ? verdict::device_access_inside : verdict::allowed;
        case exclusive_event::call: return now.inside ? verdict::call_inside : verdict::allowed;
    }
    return verdict::allowed;
}

/// The state after an event; what is refused changes nothing.
[[nodiscard]] constexpr exclusive_access after(exclusive_access now, exclusive_event event) noexcept {
    if (judge(now, event) != verdict::allowed) {
        return now;
    }
    // Of what may happen inside, only the end is left.
    return {event == exclusive_event::begin};
}

}  // namespace wddmcore::iommu
