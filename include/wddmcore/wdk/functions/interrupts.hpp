// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "engine_events.hpp"

/// The interrupt routine and its DPC. All functions here: nonpaged. DDI: WDDM 1.0.
namespace wddmcore::inline WDDMCORE_ABI::wdk {

/// DxgkDdiInterruptRoutine, for the DMA part of a driver: every node's news become records, in the DDI's order.
///
/// The driver's `read_news` dismisses the interrupt before it reads (INT-05). A driver with a display serves it beside
/// this call, after it (INT-02).
///
/// @param handle   MiniportDeviceContext
/// @param message  the message number; one interrupt serves all nodes
/// @return 1 (TRUE): it was this hardware's. 0: no node had news
/// Device IRQL (IRQ-03), nonpaged. Source: nc-dispmprt-dxgkddi_interrupt_routine.md.
template <class Gpu>
[[nodiscard]] boolean interrupt_routine(void* handle, [[maybe_unused]] u32 message) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    bool ours = false;
    bool told = false;
    for (u32 n = 0; n != d.shape().nodes; ++n) {
        detail::taken_news const news = detail::take_news(d, n);
        ours = ours || news.any;
        told = told || news.told;
    }
    if (told) {
        d.queue_dpc();  // one for all nodes (INT-01)
    }
    return ours ? 1 : 0;
}

/// DxgkDdiDpcRoutine: tells the system, then writes the packets that were held back to hardware.
///
/// @param handle  MiniportDeviceContext
/// DISPATCH_LEVEL (IRQ-02), nonpaged. Source: nc-dispmprt-dxgkddi_dpc_routine.md.
template <class Gpu>
void dpc_routine(void* handle) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    d.notify_dpc();
    detail::submission_lock const lock(d);
    for (u32 n = 0; n != d.shape().nodes; ++n) {
        detail::synchronized(d, [&d, n] { detail::write_ring(d, n); });
    }
}

}  // namespace wddmcore::wdk
