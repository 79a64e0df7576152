// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "packet.hpp"
#include "serial.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Remembers, for one context, the packet that hardware stopped inside, until that packet has finished.
///
/// It belongs to the context, not to the ring: the packet comes back later, whole, with a new fence id if it renders, and
/// must then go on from its saved state instead of beginning again. It is recognised by context, buffer and window
/// (AMB-52), and, where one buffer is submitted several times, by being the first of them: packets of one context run in
/// order, which is also why one slot is enough. The slot outlives the hand-over: a packet that is stopped again before it
/// went on is still half run. Neither a second preemption nor the reset of another packet ends it. Nothing promises that
/// the packet comes back at all: a context that dies takes its slot along.
///
/// Zero-initialised is empty. Every call under the interrupt lock; non-paged. WDDM 1.2 and later.
/// Source page: gpu-preemption.md.
template <class Cookie = packet_origin>
class resume_slot {
public:
    /// A packet of this context was stopped inside: act::half_run.
    constexpr void interrupted(packet<Cookie> const& p) noexcept {
        cookie_ = p.cookie;
        start_ = p.start;
        end_ = p.end;
        occupied_ = true;
        handed_over_ = false;
    }

    /// Asked once for each packet of the context that goes to hardware, in order: whether it goes on from saved state;
    /// else it begins at its start.
    ///
    /// @param serial  of the packet
    /// @param queued  engine::queued(): while the half-run packet is in there again, another one cannot be it
    [[nodiscard]] constexpr bool hand_over(packet<Cookie> const& p, u32 serial, serial_range queued) noexcept {
        if (!holds(p) || (handed_over_ && queued.contains(serial_))) {
            return false;
        }
        serial_ = serial;
        handed_over_ = true;
        return true;
    }

    /// A packet of this context has completed, faulted, or was aborted by an engine reset.
    constexpr void finished(packet<Cookie> const& p) noexcept { cancelled(p.cookie, p.start, p.end); }

    /// DxgkDdiCancelCommand, which names no fence, node or engine: the packet will not come back (TDR-14).
    ///
    /// @param start, end  the window in its buffer, bytes
    /// PASSIVE_LEVEL outside the lock; the function returns success. Source page: nc-d3dkmddi-dxgkddi_cancelcommand.md.
    constexpr void cancelled(Cookie const& cookie, u32 start, u32 end) noexcept {
        if (occupied_ && cookie_ == cookie && start_ == start && end_ == end) {
            clear();
        }
    }

    /// The context was destroyed, or the adapter was reset: no saved state is any good.
    constexpr void clear() noexcept { *this = resume_slot{}; }

    [[nodiscard]] constexpr bool occupied() const noexcept { return occupied_; }
    /// Whether a packet has the place and window of the half-run one.
    [[nodiscard]] constexpr bool holds(packet<Cookie> const& p) const noexcept {
        return occupied_ && cookie_ == p.cookie && start_ == p.start && end_ == p.end;
    }
    /// Whether the half-run packet was handed over again, and its serial then.
    [[nodiscard]] constexpr bool handed_over() const noexcept { return handed_over_; }
    [[nodiscard]] constexpr u32 serial() const noexcept { return serial_; }

    friend constexpr bool operator==(resume_slot const&, resume_slot const&) = default;

private:
    Cookie cookie_{};
    u32 start_ = 0;
    u32 end_ = 0;
    u32 serial_ = 0;
    bool occupied_ = false;
    bool handed_over_ = false;
};
static_assert(sizeof(resume_slot<>) == 32);

}  // namespace wddmcore::preemption
