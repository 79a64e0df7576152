// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "engine_data.hpp"
#include "engine_state.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The preemption and fence protocol of one engine of one node (PRE-27): events in, what to report and to do out.
///
/// It starts nothing, locks nothing and calls nobody; engine_state.hpp holds its state x event table. Non-paged.
///
/// Who holds what: `interrupt lock` is the interrupt routine itself, or DxgkCbSynchronizeExecution; `submit lock` is the
/// driver's own lock around its hardware's ring, held from submit() until the packet stands there. Whatever can produce
/// a record runs under the interrupt lock and is notified before that is left, or records overtake each other (PRE-13,
/// IRQ-03). Under inside_interrupt_lock the interrupt lock is held for submit() and release() as well.
///
/// | event          | interrupt lock | submit lock | called from                                                         |
/// |----------------|----------------|-------------|---------------------------------------------------------------------|
/// | submit         | by the policy  | yes         | DxgkDdiSubmitCommand(Virtual), <= DISPATCH_LEVEL                     |
/// | release        | yes            | yes         | after submit(), or the DPC, before the packets are handed over       |
/// | rejected       | yes            | yes         | DxgkDdiSubmitCommandVirtual that returns STATUS_INVALID_PARAMETER    |
/// | preempt        | yes            | yes         | DxgkDdiPreemptCommand                                               |
/// | completed, stopped, faulted | yes | no        | the interrupt routine, at device IRQL                               |
/// | query_fence    | yes            | no          | DxgkDdiQueryCurrentFence                                            |
/// | engine_reset   | yes            | yes         | DxgkDdiResetEngine, after the interrupt routine's body once more    |
/// | adapter_reset, restart | yes    | yes         | DxgkDdiResetFromTimeout, DxgkDdiRestartFromTimeout                  |
///
/// @tparam Capacity  packets that the ring holds: a power of two, at most 128, not below HwQueuePacketCap
/// @tparam Policy    how the word is changed; see word_policy
/// @tparam Cookie    what the driver wants back with a half-run packet
template <u32 Capacity, class Policy = inside_interrupt_lock, class Cookie = packet_origin>
class engine : protected engine_data<Capacity, Policy, Cookie> {
    using data = engine_data<Capacity, Policy, Cookie>;
    using typename data::policy;
    using typename data::view;

public:
    using typename data::packet_type;
    using outcome_type = outcome<Cookie>;
    using reset_type = reset_outcome<Cookie>;

    /// Begins anew, with an empty ring. DxgkDdiStartDevice; nobody else calls anything meanwhile.
    ///
    /// @param acknowledges_when_idle  hw::preemption_model::acknowledges_when_idle
    /// @param last_completed_id       what counts as completed before anything was submitted (AMB-49)
    /// @param first_serial            the serial of the first submission; any number
    constexpr void start(bool acknowledges_when_idle, u32 last_completed_id = 0, u32 first_serial = 0) noexcept {
        *this = engine{};
        this->word_ = word::make(first_serial, 0, 0);
        this->last_completed_ = last_completed_id;
        this->acknowledges_when_idle_ = acknowledges_when_idle;
    }

    /// Whether the ring holds what the system says at start that it will queue (INT-14).
    ///
    /// @param required  RequiredDmaQueueEntry of DXGK_START_INFO, packets. Source page: ns-dispmprt-_dxgk_start_info.md.
    [[nodiscard]] static constexpr bool holds(u32 required) noexcept { return required <= data::capacity; }

    /// A submission. Any IRQL <= DISPATCH_LEVEL (IRQ-02); one at a time.
    ///
    /// @param p  the packet; bits 9 to 31 of its flags are 0
    /// @return its serial, and whether the driver hands it over now, leaves it to release(), or has broken the cap
    /// WDDM 1.0 and later. Source pages: nc-d3dkmddi-dxgkddi_submitcommand.md, nc-d3dkmddi-dxgkddi_submitcommandvirtual.md.
    [[nodiscard]] WDDMCORE_INLINE constexpr submitted submit(packet_type const& p) noexcept {
        promise((p.flags & ~submit_flag::all) == 0);
        u64 const seen = policy::load(this->word_);
        if (word::count_of(seen) >= data::capacity) [[unlikely]] {
            return {seen | word::full};
        }
        this->ring_[word::tail_of(seen) & (data::capacity - 1)] = p;
        return {policy::exchange_add(this->word_, word::one_submission)};
    }

    /// Hardware wrote a serial as its fence: that packet and all before it have finished. Device IRQL.
    ///
    /// What is late, repeated or of an earlier life is ignored (TDR-10).
    /// @return the record, if any, and what else there is: outcome_of() spells it out
    /// WDDM 1.0 and later. Source page: ne-d3dkmddi-_dxgk_interrupt_type.md.
    [[nodiscard]] WDDMCORE_INLINE constexpr completion completed(u32 serial) noexcept {
        u64 const seen = policy::load(this->word_);
        u32 const place = serial - word::tail_of(seen) + word::count_of(seen);
        if (place >= word::count_of(seen) || (seen & word::unusual) != 0) [[unlikely]] {
            return completed_unusually(serial);
        }
        u32 const id = this->at(serial).fence_id;
        this->last_completed_ = id;
        static_cast<void>(policy::exchange_add(this->word_, ~u64{place}));
        return {u64{act::completed} << 32 | id};
    }

    /// The same as an outcome; before the next event of this engine, still under the interrupt lock.
    [[nodiscard]] constexpr outcome_type outcome_of(completion c) const noexcept {
        outcome_type out;
        out.acts = c.acts();
        out.completed_id = c.completed_id();
        if (c.has(act::preempted)) {
            name_request(out);
        }
        return out;
    }

    /// DxgkDdiQueryCurrentFence: reports a completion that was not reported yet; CurrentFence is then last_completed().
    ///
    /// @param serial  what hardware wrote last. PASSIVE_LEVEL outside the lock. WDDM 1.0 and later (INT-08).
    /// Source page: nc-d3dkmddi-dxgkddi_querycurrentfence.md.
    [[nodiscard]] constexpr completion query_fence(u32 serial) noexcept { return completed(serial); }

    /// DxgkDdiPreemptCommand: the record at once where hardware has nothing (PRE-10), else the question for hardware.
    ///
    /// @param request_id  PreemptionFenceId; the flags are reserved (PRE-24)
    /// DISPATCH_LEVEL, or lower with LowIrqlPreemptCommand. The function returns success whatever comes out (PRE-09).
    /// WDDM 1.2 and later. Source page: nc-d3dkmddi-dxgkddi_preemptcommand.md.
    [[nodiscard]] constexpr outcome_type preempt(u32 request_id) noexcept;

    /// Hardware stopped. Device IRQL; an answer to another request than the newest is ignored.
    [[nodiscard]] constexpr outcome_type stopped(stop const& s) noexcept;

    /// A packet faulted. Device IRQL; before a completion that was read in the same interrupt, which would otherwise
    /// report the faulted packet as completed (INT-07, INT-09). WDDM 2.0 and later.
    /// Source page: ne-d3dkmdt-_dxgk_page_fault_flags.md.
    [[nodiscard]] constexpr outcome_type faulted(fault f) noexcept;

    /// A virtual submission was refused: its fence completes silently when its turn comes (PRE-30). WDDM 2.0 and later.
    /// Source page: nc-d3dkmddi-dxgkddi_submitcommandvirtual.md.
    [[nodiscard]] constexpr rejection rejected(u32 fence_id) noexcept;

    /// Held packets go to hardware now: the driver writes them to its ring, in order, before it leaves the submit lock.
    ///
    /// @return their serials; empty when there are none. for_hardware() leaves out what hardware must not see.
    [[nodiscard]] constexpr serial_range release() noexcept;

    /// DxgkDdiResetEngine, once hardware stands, its interrupts are collected and its fault is cleared.
    ///
    /// @param e  what was executing: never a packet that only waited
    /// @return LastAbortedFenceId (TDR-05, TDR-06, TDR-07). Everything else in the ring is forgotten, an outstanding
    ///         request too, without a record (AMB-46); stop acknowledgements that come later are stale.
    /// PASSIVE_LEVEL outside the lock. WDDM 1.2 and later. Source page: nc-d3dkmddi-dxgkddi_resetengine.md.
    [[nodiscard]] constexpr reset_type engine_reset(executing e) noexcept;

    /// DxgkDdiResetFromTimeout: everything submitted counts as completed (TDR-07, AMB-48). PASSIVE_LEVEL outside the lock.
    ///
    /// @return last completed. WDDM 1.0 and later. Source page: nc-d3dkmddi-dxgkddi_resetfromtimeout.md.
    constexpr u32 adapter_reset() noexcept;

    /// DxgkDdiRestartFromTimeout: what was submitted since the reset may go to hardware (AMB-53). PASSIVE_LEVEL outside.
    ///
    /// @return whether release() has something to hand over. Source page: nc-d3dkmddi-dxgkddi_restartfromtimeout.md.
    constexpr bool restart() noexcept;

    /// Observers: under the interrupt lock.
    [[nodiscard]] constexpr engine_state state() const noexcept {
        view const v = this->look();
        return state_of(policy::load(this->word_), distance(v.head, this->end_in_hardware(v)));
    }
    [[nodiscard]] constexpr u32 last_completed() const noexcept { return this->last_completed_; }
    [[nodiscard]] constexpr u32 ignored() const noexcept { return this->ignored_count_; }
    /// What is in the ring, in hardware or not.
    [[nodiscard]] constexpr serial_range queued() const noexcept {
        view const v = this->look();
        return {v.head, v.count()};
    }
    /// What completed(serial) would finish: for the driver to look through before, because a slot is reused after.
    [[nodiscard]] constexpr serial_range finished_by(u32 serial) const noexcept {
        view const v = this->look();
        bool const known = within(v.head, distance(v.head, this->end_in_hardware(v)), serial);
        return {v.head, known ? distance(v.head, serial) + 1 : 0};
    }
    /// A packet of queued() or release().
    [[nodiscard]] constexpr packet_type const& entry(u32 serial) const noexcept { return this->at(serial); }

    /// Calls `each(serial, packet)` for the packets of a range that hardware executes, oldest first.
    template <class Each>
    constexpr void for_hardware(serial_range range, Each&& each) const noexcept {
        for (u32 i = 0; i != range.count; ++i) {
            if (!this->is_silent(range.first + i)) {
                each(range.first + i, this->at(range.first + i));
            }
        }
    }

private:
    /// Everything about a completion but the usual: stale, or with more to do than one record.
    [[nodiscard]] WDDMCORE_NOINLINE constexpr completion completed_unusually(u32 serial) noexcept {
        view v = this->look();
        u32 const end = this->end_in_hardware(v);
        if (!within(v.head, distance(v.head, end), serial)) {
            this->ignore();
            return {0};
        }
        u32 const id = this->at(serial).fence_id;
        this->retire_through(v, serial, end);
        u32 acts = act::completed | this->settle(v);
        if (this->commit(v) != v.head && v.has(word::releasing)) {
            acts |= act::release;
        }
        return {u64{acts} << 32 | id};
    }

    constexpr void name_request(outcome_type& out) const noexcept {
        out.request_id = this->request_;
        out.last_completed_id = this->reported_;
    }

    /// Changes the word; what follows may depend on a submission that came between.
    constexpr void finish(view const& v, outcome_type& out) noexcept {
        if (this->commit(v) != v.head && v.has(word::releasing)) {
            out.acts |= act::release;
        }
        if (out.has(act::preempted)) {
            name_request(out);
        }
    }
};

}  // namespace wddmcore::preemption

#include "engine_events.hpp"
