// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "submission.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// By what a packet is recognised when it comes back, whatever its fence id is now (AMB-52): it comes back whole, as
/// the same window of the same buffer. The context is the one that keeps the slot.
struct packet_identity {
    /// The DMA buffer's address: virtual, or physical where that survives patching (AMB-51). Never 0: paging packets
    /// come without an address in the virtual form (OBS-08), so use something else that only this buffer has.
    u64 buffer;
    packet_window window;  ///< portions of one buffer differ only here
    friend constexpr bool operator==(packet_identity, packet_identity) = default;
};

/// The half-run packet of a context: its state is saved, and it has to go on from there when it comes back.
///
/// The packets of one context run in order, so one slot is enough for it; the driver keeps it in its context, not in
/// the engine. The slot is taken until the packet has finished, not only until it is submitted again: it may be
/// preempted again before it has restarted. Call keep() and finished() in the interrupt lock, where packets leave,
/// and resumes() in the submission lock, where they are handed over. The two locks need no third: a packet is
/// released after keep(), and hardware has it before finished(). Any IRQL, nonpaged.
///
/// A driver that stops inside buffers claims CancelCommandAware (check_preemption() demands it): nothing else tells it
/// that a packet was removed, and a later packet of the same buffer and window would be taken for that one.
struct resume_slot {
    packet_identity packet;
    bool taken;  ///< whether there is a half-run packet

    /// The packet was stopped half-run (fate::half_run), for the first time or again. Interrupt lock.
    /// @param half_run  replaces what the slot held
    constexpr void keep(packet_identity half_run) noexcept {
        packet = half_run;
        taken = true;
    }

    /// Whether a packet that is handed over must go on from the saved state. Submission lock.
    ///
    /// @return true: it is the one in the slot; false: it begins at its first command
    [[nodiscard]] constexpr bool resumes(packet_identity handed_over) const noexcept {
        return taken && packet == handed_over;
    }

    /// A packet has finished: it completed, faulted or was aborted. Interrupt lock.
    /// @param one  frees the slot if it is the packet there
    constexpr void finished(packet_identity one) noexcept {
        if (taken && packet == one) {
            taken = false;
        }
    }

    /// The packet will not come back: after an adapter reset, or when the context is destroyed. For
    /// DxgkDdiCancelCommand see answer_cancel_command() (TDR-14).
    constexpr void forget() noexcept { taken = false; }
};

}  // namespace wddmcore::preemption
