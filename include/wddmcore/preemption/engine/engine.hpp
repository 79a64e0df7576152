// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ring.hpp"
#include "snapshot.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The preemption and fence machine of one engine of one node: events in, what to do and to report out.
///
/// The driver keeps one in its adapter's nonpaged memory for each node and engine, calls start(), and then an event
/// function for everything that the system or the hardware does. Each returns the actions that it demands; report() has
/// the ids of the records until the next event. The machine allocates nothing and locks nothing.
///
/// Each function says which of the driver's two locks it needs; word.hpp says what they are. Where it needs both, take
/// the submission lock first.
///
/// Packets are in the ring's order, whatever their ids are (PRE-18). The state × event table is in state.hpp; an event
/// that does not apply (a stale serial, an answer to an older request) is ignored, and counted in ignored().
///
/// Any IRQL up to device IRQL, nonpaged. From WDDM 1.2.
/// @tparam Capacity  a power of two up to 32768, at least HwQueuePacketCap; 64 where that is 0 (AMB-54)
/// @tparam Policy    how the shared word is changed, see word_policy
/// @tparam Cookie    what the driver keeps with a packet
template <u32 Capacity = 64, class Policy = under_interrupt_lock, class Cookie = u64>
class engine : detail::ring<Capacity, Policy, Cookie> {
    using base = detail::ring<Capacity, Policy, Cookie>;
    using base::catch_up, base::ignore, base::depart, base::publish, base::retire_refused, base::seen;
    using view = typename base::view;

public:
    using packet = submission<Cookie>;  ///< what the ring holds
    using base::at, base::count, base::ignored, base::last_completed, base::newest_submitted, base::next_serial;
    using base::has_room_to_reject, base::holds, base::oldest, base::room, base::state;

    /// Begins an engine's life: at StartDevice, before the first submission. Hardware must be at rest, with no stop
    /// request armed and no answer to one unread, since generations start again.
    /// @param kind                 how the hardware stops
    /// @param initially_completed  what the current fence is until something completes (AMB-49: no page names a value)
    /// @param first                the first serial; initialise the memory that hardware writes to with the one
    ///                             before it
    constexpr void start(engine_kind kind, fence_id initially_completed = {0}, serial first = {1}) noexcept {
        base::begin(initially_completed, first);
        kind_ = kind;
        mark_ = first.n;
        asked_ = fault_named_ = false;
        request_ = {0};
        generation_ = {0};
        report_ = {};
    }

    /// All that the machine knows, for a debugger, a trace or DxgkDdiCollectDbgInfo. Both locks.
    /// @return a copy
    [[nodiscard]] constexpr engine_snapshot snapshot() const noexcept {
        return {state(),     oldest(), base::hardware_end(), {mark_},  next_serial(), request_,
                generation_, asked_,   last_completed(),     ignored()};
    }

    /// What to report after the last event. Interrupt lock. @return the ids that belong to its actions
    [[nodiscard]] constexpr preemption::report const& report() const noexcept { return report_; }

    /// DxgkDdiSubmitCommand, DxgkDdiSubmitCommandVirtual: takes a packet. Submission lock. Source pages:
    /// nc-d3dkmddi-dxgkddi_submitcommand.md, nc-d3dkmddi-dxgkddi_submitcommandvirtual.md.
    ///
    /// @param p  the packet, its number still to be given
    /// @return hand_over: loop next() before the lock is left. Nothing: the packet is held until hardware has
    ///         stopped, the engine is reset or the adapter restarted (AMB-45, AMB-53). full: the ring is, with
    ///         refused packets that wait for their turn; nothing was taken, and the DDI has no answer that says so
    ///         (PRE-30)
    [[nodiscard]] constexpr actions submit(packet const& p) noexcept { return base::take_in(p); }

    /// The next packet to write to hardware. Submission lock.
    ///
    /// Decide here, not at submission, what to load before the packet: a stop changes what is loaded.
    /// @return the packet and its serial; false when there is none
    [[nodiscard]] constexpr handed_over<Cookie> next() noexcept { return base::hand_over(); }

    /// The driver answers a virtual submission with invalid-parameter: its id completes, unreported, when its turn
    /// comes (PRE-30). Both locks. Source page: nc-d3dkmddi-dxgkddi_submitcommandvirtual.md.
    ///
    /// AMB-50: if its turn has not come at a preemption or a reset, it is dropped with the others and never comes back.
    /// @param p         the packet that the driver refuses
    /// @param on_leave  called with each packet that leaves the ring: here this one, when its turn is now
    /// @return full, as from submit(), but never after has_room_to_reject() returned true; else nothing
    template <class OnLeave = nobody>
    [[nodiscard]] constexpr actions reject(packet const& p, OnLeave on_leave = {}) noexcept {
        return base::take_in_refused(p, on_leave);
    }

    /// Hardware has finished everything up to and including a serial. Interrupt lock.
    ///
    /// @param through   what hardware wrote; a stale value is ignored
    /// @param on_leave  called with each packet that leaves the ring
    /// @return completed, with the newest id (INT-07); nothing for a stale value. If a preempt request is outstanding
    ///         and nothing is left in hardware (PRE-26), also: disarm, where hardware does not acknowledge a request
    ///         with nothing to stop; preempted, and hand_over if packets were held, where hardware could not be asked
    template <class OnLeave = nobody>
    [[nodiscard]] constexpr actions completed(serial through, OnLeave on_leave = {}) noexcept {
        if (!base::retire_plainly(through, on_leave)) {
            return completed_rarely(through, on_leave);
        }
        report_.completed = last_completed();
        return only(action::completed);
    }

    /// DxgkDdiQueryCurrentFence: completed() for what hardware has written but not reported yet (INT-08); then
    /// last_completed() is the answer. Interrupt lock. Source page: nc-d3dkmddi-dxgkddi_querycurrentfence.md.
    /// @return as completed()
    template <class OnLeave = nobody>
    [[nodiscard]] constexpr actions query_fence(serial through, OnLeave on_leave = {}) noexcept {
        return completed(through, on_leave);
    }

    /// DxgkDdiPreemptCommand: the system wants back everything that it has submitted so far. Both locks.
    ///
    /// DxgkDdiPreemptCommand itself returns success, whatever follows (PRE-09). Its flags are reserved (PRE-24). Source
    /// page: nc-d3dkmddi-dxgkddi_preemptcommand.md.
    ///
    /// @param request   PreemptionFenceId
    /// @param on_leave  called with each packet that leaves the ring
    /// @return preempted: nothing is in hardware, so leave it alone (PRE-10). ask: ask hardware to stop, with
    ///         report().asked. Nothing: hardware cannot stop and finishes what it has; or a request is outstanding,
    ///         whose answer will carry the newer id (AMB-15); or a fault has halted the engine, and the system will
    ///         reset it
    template <class OnLeave = nobody>
    [[nodiscard]] WDDMCORE_NOINLINE constexpr actions preempt(fence_id request, OnLeave on_leave = {}) noexcept {
        view const v = seen();
        catch_up(v.head);
        if (!v.is_released() || !base::hardware_holds(v.head)) {
            return preempt_rarely(request, on_leave);
        }
        request_ = request;
        mark_ = v.tail;
        publish(v, engine_state::stopping, v.head);
        return ask();
    }

    /// Hardware has stopped at a request. Interrupt lock.
    ///
    /// @param answered  the generation that hardware echoes; the answer to another request is ignored
    /// @param through   the last serial that hardware finished; a stale one means that it has finished nothing since
    /// @param half_run  whether the packet after `through` had begun; its state is saved then
    /// @param on_leave  called with each packet that leaves the ring
    /// @return preempted, with completed if something was; interrupted, if half_run; hand_over, if packets were held
    template <class OnLeave = nobody>
    [[nodiscard]] WDDMCORE_NOINLINE constexpr actions stopped(generation answered, serial through, bool half_run,
                                                              OnLeave on_leave = {}) noexcept {
        view const v = seen();
        if (!asked_ || answered != generation_) {
            return ignore();
        }
        actions demanded{};
        u32 head = v.head;
        if (base::was_handed(through.n, head)) {
            demanded = complete(head, through.n, on_leave);
            head = retire_refused(through.n + 1, mark_, on_leave);
        }
        if (half_run && base::hardware_holds(head)) {
            report_.interrupted = {head};
            demanded = demanded | action::interrupted;
            depart(head, head + 1, fate::half_run, on_leave);
            ++head;
        }
        return answer(v, head, demanded, on_leave);
    }

    /// The driver has disarmed hardware, as an action demanded: the machine answers the request in its place. Call it
    /// in the same interrupt lock: until then nothing new is handed over.
    ///
    /// @param on_leave  called with each packet that leaves the ring
    /// @return preempted; hand_over, if packets were held; nothing when no disarming was demanded
    template <class OnLeave = nobody>
    [[nodiscard]] constexpr actions disarmed(OnLeave on_leave = {}) noexcept {
        view const v = seen();
        bool const due = v.is(engine_state::drained) && !kind_.acknowledges_when_idle;
        return due ? answer(v, v.head, {}, on_leave) : ignore();
    }

    /// A page fault of a packet that hardware can name. Interrupt lock. Call it before completed() for the same
    /// interrupt, since a completion includes everything before it. The faulted id counts as completed then (INT-09).
    ///
    /// @param number    the packet's serial; a stale one is ignored
    /// @param then      what hardware does next
    /// @param on_leave  called with each packet that leaves the ring
    /// @return faulted, with completed if packets before it had not been reported; and what completed() demands of a
    ///         request, unless a reset is needed: then no request is answered
    template <class OnLeave = nobody>
    [[nodiscard]] WDDMCORE_NOINLINE constexpr actions faulted(serial number, after_fault then,
                                                              OnLeave on_leave = {}) noexcept {
        view const v = seen();
        if (!base::lies_in_hardware(number.n, v)) {
            return ignore();
        }
        actions demanded{};
        if (number.n != v.head) {
            report_.completed = at({base::newest_real_before(number.n)}).fence;
            demanded = only(action::completed);
        }
        depart(v.head, number.n, fate::completed, on_leave);
        depart(number.n, number.n + 1, fate::faulted, on_leave);
        fault_named_ = true;
        base::set_last_completed(report_.faulted = at(number).fence);
        return settle(v, number.n + 1, then == after_fault::runs_on ? engine_event::faulted : engine_event::fatal_fault,
                      demanded | action::faulted, on_leave);
    }

    /// A page fault that hardware cannot attribute to a packet: only a reset helps. Interrupt lock. Call it after
    /// completed() for the same interrupt, since nothing completes any more.
    /// @return fault_unknown; nothing, when there is no packet that could have faulted
    [[nodiscard]] constexpr actions faulted_unknown() noexcept {
        view const v = seen();
        if (!v.is_busy() && !v.is(engine_state::stopping)) {
            return ignore();
        }
        asked_ = fault_named_ = false;
        publish(v, engine_state::halted, v.head);
        return only(action::fault_unknown);
    }

    /// What engine_reset() would answer now; nothing changes. Both locks.
    ///
    /// @param ran  what hardware was executing
    /// @return LastAbortedFenceId: the packet that was executing, or the last completed one when there was none
    ///         (TDR-06); never one that had not begun. If hardware cannot tell, the oldest that it held (AMB-47)
    [[nodiscard]] constexpr fence_id aborted_by_reset(executing ran) const noexcept {
        view const v = seen();
        u32 const end = base::cut_of(v, known_of(ran)).end;
        return end != v.head ? at({end - 1}).fence : last_completed();
    }

    /// DxgkDdiResetEngine succeeds; answer_reset_engine() (tdr.hpp) calls this when the answer is legal. Both locks.
    ///
    /// The system submits everything in the ring again. An outstanding preempt request is dropped unreported (AMB-46).
    /// Source page: nc-d3dkmddi-dxgkddi_resetengine.md.
    /// @param ran       what hardware was executing
    /// @param on_leave  called with each packet that leaves the ring
    /// @return as aborted_by_reset(): the last completed id from now on (TDR-07)
    template <class OnLeave = nobody>
    [[nodiscard]] WDDMCORE_NOINLINE constexpr fence_id engine_reset(executing ran, OnLeave on_leave = {}) noexcept {
        view const v = seen();
        if (v.is(engine_state::lost)) {
            static_cast<void>(ignore());
            return last_completed();
        }
        auto const c = base::cut_of(v, known_of(ran));
        base::set_last_completed(aborted_by_reset(ran));
        depart(v.head, c.end - c.aborted, fate::completed, on_leave);
        depart(c.end - c.aborted, c.end, fate::aborted, on_leave);
        asked_ = false;
        base::empty(v, c.end, engine_state::idle, on_leave);
        return last_completed();
    }

    /// DxgkDdiResetEngine fails: the packets stay, since the adapter reset that follows (TDR-08) reports the newest
    /// of them as completed (TDR-07). Nothing is handed over or completed until then (TDR-10). Both locks.
    /// Source page: nc-d3dkmddi-dxgkddi_resetengine.md.
    constexpr void engine_reset_failed() noexcept {
        view const v = seen();
        asked_ = fault_named_ = false;
        publish(v, next_state(v.state(), engine_event::reset_failed, true), v.head);
    }

    /// DxgkDdiResetFromTimeout: everything in the ring is lost, and submissions are held until restart() (AMB-53). Both
    /// locks. Source page: nc-d3dkmddi-dxgkddi_resetfromtimeout.md.
    ///
    /// The DDI function returns success, and only when the GPU can reach no memory (TDR-11). The last completed id
    /// becomes that of the newest submission that was not preempted (TDR-07, AMB-48).
    /// @param on_leave  called with each packet that leaves the ring
    template <class OnLeave = nobody>
    WDDMCORE_NOINLINE constexpr void adapter_reset(OnLeave on_leave = {}) noexcept {
        view const v = seen();
        base::set_last_completed(newest_submitted());
        asked_ = false;
        base::empty(v, v.head, engine_state::lost, on_leave);
    }

    /// DxgkDdiRestartFromTimeout, which returns success (TDR-11): hardware works again. Both locks.
    ///
    /// Initialise the memory that hardware writes to with the serial before oldest(), or leave it as it was: packets
    /// that were submitted since the reset have not run. Hardware must have forgotten all stops, faults and requests.
    /// Source page: nc-d3dkmddi-dxgkddi_restartfromtimeout.md.
    /// @param on_leave  called with each packet that leaves the ring
    /// @return hand_over, if packets were submitted since the reset; nothing else
    template <class OnLeave = nobody>
    [[nodiscard]] constexpr actions restart(OnLeave on_leave = {}) noexcept {
        view const v = seen();
        return v.is(engine_state::lost) ? release(v, v.head, {}, on_leave) : ignore();
    }

private:
    /// A fault that named its packet removed the one that ran. What is left has not begun, even if hardware cannot
    /// tell.
    [[nodiscard]] constexpr executing known_of(executing ran) const noexcept {
        bool const taken = ran.what == executing::kind::unknown && fault_named_ && seen().is(engine_state::halted);
        return taken ? executing::nothing() : ran;
    }

    /// Starts a request, where hardware can be asked at all.
    constexpr actions ask() noexcept {
        asked_ = kind_.stops != stopping::nowhere;
        if (!asked_) {
            return {};
        }
        report_.asked = generation_ = {generation_.n + 1};
        return only(action::ask);
    }

    /// A request while one is outstanding, or with nothing in hardware.
    WDDMCORE_NOINLINE constexpr actions preempt_rarely(fence_id request, auto on_leave) noexcept {
        view const v = seen();
        if (v.is(engine_state::halted) && v.head != v.tail) {
            return {};
        }
        request_ = request;
        mark_ = v.tail;
        if (v.is(engine_state::stopping) || v.is(engine_state::drained)) {
            base::complete_overtaken(v, mark_, on_leave);
            return {};
        }
        // Halted and lost stay; what was held for the restart is given back with the rest.
        publish(v, v.state() == engine_state::busy ? engine_state::idle : v.state(), give_back(v.head, on_leave));
        return only(action::preempted);
    }

    /// A completion while a request is outstanding or refused entries wait, or a stale one.
    WDDMCORE_NOINLINE constexpr actions completed_rarely(serial through, auto on_leave) noexcept {
        view const v = seen();
        if (!base::lies_in_hardware(through.n, v)) {
            return ignore();
        }
        actions const demanded = complete(v.head, through.n, on_leave);
        return settle(v, through.n + 1, engine_event::completed, demanded, on_leave);
    }

    /// Completes [head, last] with one record.
    constexpr actions complete(u32 head, u32 last, auto& on_leave) noexcept {
        depart(head, last + 1, fate::completed, on_leave);
        base::set_last_completed(report_.completed = at({last}).fence);
        return only(action::completed);
    }

    /// What follows when packets have left hardware and `head` is the oldest entry that is left.
    constexpr actions settle(view const& v, u32 head, engine_event event, actions demanded, auto& on_leave) noexcept {
        bool const requested = v.is(engine_state::stopping);
        // The turn of refused entries past the mark comes after the answer; after a fatal fault there is no answer.
        bool const answers_later = requested && event != engine_event::fatal_fault;
        head = retire_refused(head, answers_later ? mark_ : v.tail, on_leave);
        bool const left = requested ? base::hardware_holds(head) : head != v.tail;
        engine_state const next = next_state(v.state(), event, left);
        if (next == engine_state::drained && !asked_) {
            return answer(v, head, demanded, on_leave);
        }
        if (next == engine_state::drained && !kind_.acknowledges_when_idle) {
            // Released before hardware is disarmed, the next packet would be stopped by this request.
            demanded = demanded | action::disarm;
        }
        asked_ = asked_ && next != engine_state::halted;
        publish(v, next, head);
        return demanded;
    }

    /// Answers the outstanding request, and releases what was held since.
    constexpr actions answer(view const& v, u32 head, actions demanded, auto& on_leave) noexcept {
        head = give_back(head, on_leave);
        return release(v, head, demanded | action::preempted, on_leave);
    }

    /// Gives [head, mark) back to the system, with the report of it; returns the oldest entry that is left.
    constexpr u32 give_back(u32 head, auto& on_leave) noexcept {
        report_.preemption = request_;
        report_.last_completed = last_completed();
        depart(head, mark_, fate::preempted, on_leave);
        asked_ = false;
        return mark_;
    }

    /// Lets what was held be handed over.
    constexpr actions release(view const& v, u32 head, actions demanded, auto& on_leave) noexcept {
        head = retire_refused(head, v.tail, on_leave);
        detail::engine_word const before = base::publish_released(v, head);
        // A submission may have come, and been held, since the word was read: it is to be handed over too.
        return before.tail() == head ? demanded : demanded | action::hand_over;
    }

    fence_id request_;       // the newest preempt request
    generation generation_;  // of the newest request that hardware was asked for
    u32 mark_;               // end of what the outstanding request covers
    bool asked_;             // hardware was asked, and its answer counts
    bool fault_named_;       // the fault that halted the engine named its packet
    engine_kind kind_;
    preemption::report report_;
};

}  // namespace wddmcore::preemption
