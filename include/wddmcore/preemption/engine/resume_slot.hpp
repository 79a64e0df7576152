// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "submission.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What tells that a packet is the same one again, whatever its fence id is now (AMB-52): it comes back whole, as the
/// same window of the same buffer. The context is the one that keeps the slot.
struct packet_identity {
    /// The DMA buffer's address: virtual, or physical where that survives patching (AMB-51); never 0, so for paging
    /// packets, which come without one in the virtual form (OBS-08), something else that is the buffer's alone.
    u64 buffer;
    packet_window window;  ///< portions of one buffer differ only here
    friend constexpr bool operator==(packet_identity, packet_identity) = default;
};

/// The half-run packet of a context: its state is saved, and it has to go on from there when it comes back.
///
/// One context's packets run in order, so one slot suffices for it; the driver keeps it in its context, not in the
/// engine. The slot lasts until the packet has finished, not until it is submitted anew: it may be preempted again
/// before it has restarted. keep() and finished() are called in the interrupt lock, where packets leave; resumes() in
/// the submission lock, where they are handed over. That is in order by itself: a packet is released after keep(), and
/// hardware has it before finished(). Any IRQL, nonpaged.
///
/// A driver that stops inside buffers claims CancelCommandAware (check_preemption() demands it): a removed packet is told
/// by nothing else, and a later one of the same buffer and window would be taken for it.
struct resume_slot {
    packet_identity packet;
    bool taken;

    /// The packet was stopped half-run (fate::half_run), for the first time or again.
    constexpr void keep(packet_identity half_run) noexcept {
        packet = half_run;
        taken = true;
    }

    /// Whether a packet that is handed over must go on from the saved state instead of beginning.
    [[nodiscard]] constexpr bool resumes(packet_identity handed_over) const noexcept {
        return taken && packet == handed_over;
    }

    /// A packet has finished: completed, faulted or was aborted. Others leave the slot alone.
    constexpr void finished(packet_identity one) noexcept {
        if (taken && packet == one) {
            taken = false;
        }
    }

    /// The packet will not come back: DxgkDdiCancelCommand (TDR-14: it names no fence, so it can mean nothing else),
    /// the context's destruction, an adapter reset.
    constexpr void forget() noexcept { taken = false; }
};

}  // namespace wddmcore::preemption
