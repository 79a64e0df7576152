// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ids.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// How hardware stops at a preempt request: all that the machine sees of a granularity.
///
/// The system waits for the answer for the TDR delay, 2 seconds by default, and then resets the engine (PRE-25). Where
/// hardware stops only between buffers or nowhere, the wait is as long as a packet: the user-mode driver divides its
/// work, and the kernel-mode driver its paging, so that a packet takes far less than 2 seconds on the slowest chip
/// (TDR-16). Finer is always better (PRE-21). Source pages: gpu-preemption.md,
/// timeout-detection-and-recovery.md.
enum class stopping : u32 {
    nowhere,          ///< granularity "none": what is in hardware runs to its end (PRE-06)
    between_buffers,  ///< granularity "DMA buffer": packets that have not begun are given back
    inside_a_buffer,  ///< anything finer: the packet that runs is stopped too, and its state saved
};

/// What the machine has to know of an engine's hardware.
struct engine_kind {
    stopping stops;               ///< where it stops
    bool acknowledges_when_idle;  ///< it answers a request also when nothing was left to stop
};

/// What hardware was executing when an engine was stopped for a reset.
struct executing {
    /// How much hardware can tell.
    enum class kind : u32 { nothing, packet, unknown };

    kind what;
    serial packet;  ///< with kind::packet

    /// It was idle. Any IRQL, nonpaged. @return what to pass to engine_reset()
    static constexpr executing nothing() noexcept { return {kind::nothing, {0}}; }
    /// It was executing the packet `s`. Any IRQL, nonpaged. @return what to pass to engine_reset()
    static constexpr executing one(serial s) noexcept { return {kind::packet, s}; }
    /// The hardware cannot tell. Any IRQL, nonpaged. @return what to pass to engine_reset()
    static constexpr executing unknown() noexcept { return {kind::unknown, {0}}; }
};

/// What hardware does after a page fault.
enum class after_fault : u32 {
    runs_on,      ///< the packet is given up, the next one runs
    needs_reset,  ///< nothing runs until the engine or the adapter is reset
};

}  // namespace wddmcore::preemption
