// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../preemption/records/notify_in_order.hpp"
#include "device.hpp"

/// Between the machine of a node and the driver's ring, registers and callbacks.
///
/// All functions here: nonpaged, up to device IRQL.
namespace wddmcore::inline WDDMCORE_ABI::wdk::detail {

/// How hardware executes a packet that is handed over now (CTX-01, PRE-29).
template <class Packet>
[[nodiscard]] constexpr wddmcore_packet_kind kind_of(Packet const& p) noexcept {
    if (preemption::is_context_switch(p.flags)) {
        return wddmcore_packet_leaves_context;
    }
    if ((p.flags & preemption::submit_flag::null_rendering) != 0 || p.window.start == p.window.end) {
        return wddmcore_packet_only_fences;
    }
    return p.cookie.owner->half_run.resumes(identity_of(p)) ? wddmcore_packet_resumes : wddmcore_packet_runs;
}

/// Writes what the machine hands over to hardware. Both locks.
template <class Gpu>
void write_ring(device<Gpu>& d, u32 n) noexcept {
    while (auto const next = d.nodes[n].machine.next()) {
        auto const& p = *next.packet;
        d.packet = {next.number.n, kind_of(p), p.cookie.owner->own, p.cookie.buffer, p.window.start, p.window.end};
        d.write_packet(n, static_cast<wddmcore_packet const&>(d.packet));
    }
}

/// What the driver's `read_news` tells of a fault.
inline constexpr preemption::fault_details fault_without_reset{};
inline constexpr preemption::fault_details fault_with_reset{.flags =
                                                                preemption::page_fault_flag::engine_reset_required};

/// Notifies the records of what a node demands, and withdraws a request that hardware will not answer. Interrupt lock.
///
/// @return true: something was notified, so a DPC is due (INT-01)
template <class Gpu>
bool carry_out(device<Gpu>& d, u32 n, preemption::actions demanded, bool halted = false) noexcept {
    auto& machine = d.nodes[n].machine;
    preemption::fault_details const& details = halted ? fault_with_reset : fault_without_reset;
    auto const tell = [&d](auto& record) { d.notify_interrupt(record); };
    bool told = preemption::notify_records(demanded, machine.report(), {n, 0}, details, d.record, tell);
    if (demanded.has(preemption::action::disarm)) {
        d.withdraw_stop(n);
        auto const then = machine.disarmed(packet_leaves{});
        told |= preemption::notify_records(then, machine.report(), {n, 0}, details, d.record, tell);
    }
    return told;
}

/// What the node said, and whether a record was notified.
struct taken_news {
    bool any;
    bool told;
    preemption::engine_progress progress;
};

/// Asks a node for its news and reports them in the right order. Interrupt lock.
template <class Gpu>
[[nodiscard]] taken_news take_news(device<Gpu>& d, u32 n) noexcept {
    wddmcore_engine_news& now = d.news;
    now = {};
    d.read_news(n, now);
    auto& machine = d.nodes[n].machine;
    bool told = false;
    bool const halted = now.fault_halts != 0;
    // A completion implies everything before it, so a fault that names its packet comes first (INT-02).
    if (now.faulted != 0 && now.fault_names_packet != 0) {
        auto const then = halted ? preemption::after_fault::needs_reset : preemption::after_fault::runs_on;
        told = carry_out(d, n, machine.faulted({now.faulted_serial}, then, packet_leaves{}), halted);
    }
    if (now.completed != 0) {
        told |= carry_out(d, n, machine.completed({now.completed_serial}, packet_leaves{}));
    }
    if (now.faulted != 0 && now.fault_names_packet == 0) {
        told |= carry_out(d, n, machine.faulted_unknown(), halted);
    }
    if (now.stopped != 0) {
        auto const demanded =
            machine.stopped({now.stopped_generation}, {now.stopped_serial}, now.half_run != 0, packet_leaves{});
        told |= carry_out(d, n, demanded);
    }
    return {now.completed != 0 || now.faulted != 0 || now.stopped != 0, told, {now.progress}};
}

/// take_news() with the DPC that it makes due. Interrupt lock.
template <class Gpu>
preemption::engine_progress report_news(device<Gpu>& d, u32 n) noexcept {
    taken_news const news = take_news(d, n);
    if (news.told) {
        d.queue_dpc();
    }
    return news.progress;
}

}  // namespace wddmcore::wdk::detail
