// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

/// The frame of an interrupt routine (DxgkDdiInterruptRoutine): what is done in which order.
///
/// All functions here: device IRQL, nonpaged. DDI: WDDM 1.0.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What became of an interrupt.
struct interrupt_outcome {
    bool handled;       ///< what DxgkDdiInterruptRoutine returns: FALSE for another device's line interrupt (INT-05)
    bool report_later;  ///< its message may not report: make the message that may report it (INT-03)
    friend constexpr bool operator==(interrupt_outcome, interrupt_outcome) = default;
};

/// Serves one interrupt.
///
/// It dismisses the source before it reads anything, so that whatever happens meanwhile raises another interrupt, and
/// always before TRUE is returned (INT-05).
///
/// @param message   the message number of this interrupt; 0 for a line interrupt
/// @param declared  InterruptMessageNumber of the driver's caps: only this message may call DxgkCbNotifyInterrupt,
///                  which must not be entered twice (INT-03)
/// @param is_ours   `bool()`: whether this hardware raised it; always true for messages
/// @param dismiss   `void()`: dismisses the source
/// @param serve     `void()`: reads the hardware, gives the events to the engine machines, and notifies their records
/// @return handled: it is dismissed, and served unless report_later; not handled: nothing was touched
/// Source: nc-dispmprt-dxgkddi_interrupt_routine.md, nc-d3dkmddi-dxgkcb_notify_interrupt.md.
template <class IsOurs, class Dismiss, class Serve>
constexpr interrupt_outcome serve_interrupt(u32 message, u32 declared, IsOurs&& is_ours, Dismiss&& dismiss,
                                            Serve&& serve) noexcept {
    if (!is_ours()) {
        return {false, false};
    }
    dismiss();
    if (message != declared) {
        return {true, true};
    }
    serve();
    return {true, false};
}

/// Guards DxgkCbNotifyInterrupt against being entered while it runs (INT-03): one for each adapter.
///
/// It only stops a call from inside a call on one processor. Two processors that enter at once both get in, so
/// interrupts of several levels still need one lock; with one interrupt level it never refuses.
class notify_guard {
public:
    /// Calls `notify()` unless it is running already.
    ///
    /// @param notify  `void()`: calls DxgkCbNotifyInterrupt
    /// @return true: it was called; false: the call came from inside another, nothing was done
    template <class Notify>
    constexpr bool enter(Notify&& notify) noexcept {
        if (inside_) {
            return false;
        }
        inside_ = true;
        notify();
        inside_ = false;
        return true;
    }

private:
    bool inside_ = false;
};

}  // namespace wddmcore::preemption
