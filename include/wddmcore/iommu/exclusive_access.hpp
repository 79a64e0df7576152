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
/// Inside, the system has suspended its scheduler and flushed all work, and it makes no other DDI call. The driver
/// itself must stop fence write-back, message-signalled interrupts that it controls, and scan-out from system memory.
/// It may mask its interrupts, vsync included (IOM-11).
///
/// The library does not store this state. A driver may keep it, one byte, in its adapter object and ask before each
/// such access; the simulators have a model of their own. A driver that uses it from several threads must guard it.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.4.
/// Source pages: nc-d3dkmddi-dxgkddi_beginexclusiveaccess.md, iommu-dma-remapping.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// What can happen to an adapter, as far as exclusive access is concerned.
enum class exclusive_event : u32 {
    begin,          ///< DxgkDdiBeginExclusiveAccess
    end,            ///< DxgkDdiEndExclusiveAccess
    device_access,  ///< the device reads or writes system memory
    call,           ///< any other DDI function is called
};

/// Whether exclusive access is in progress.
struct exclusive_access {
    bool inside = false;  ///< between begin and end
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

/// @return the state after an event; an event that is refused changes nothing
[[nodiscard]] constexpr exclusive_access after(exclusive_access now, exclusive_event event) noexcept {
    if (judge(now, event) != verdict::allowed) {
        return now;
    }
    // Of what may happen inside, only the end is left.
    return {event == exclusive_event::begin};
}

}  // namespace wddmcore::iommu
