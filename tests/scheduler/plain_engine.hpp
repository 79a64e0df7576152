// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "plain_records.hpp"

#include <algorithm>

namespace plain {

/// The part of the driver that deals with the engines. Everything here runs at device level.
class hardware_side : public recorder {
public:
    using recorder::recorder;

    bool collects_first = false;  ///< look at the hardware before a preempt request is started
    bool reports_in_dpc = false;  ///< the interrupt routine dismisses, and the DPC tells

protected:
    [[nodiscard]] engine_state& at(std::uint32_t node, std::uint32_t engine) {
        return engines_[node * gpu_->engine_count + engine];
    }
    [[nodiscard]] engine_state& engine_of(context_state const& c) { return at(c.node, c.engine); }

    void hand_over(engine_state& e) {
        if (e.halted || (e.stopping && !is(mistake::hands_over_while_stopping))) {
            return;
        }
        for (entry& x : e.entries) {
            if (x.silent || x.handed) {
                continue;
            }
            x.handed = true;
            if (x.own != nullptr && resumes(x)) {
                x.packet.flags |= wddmcore_gpu_resume;
                if (is(mistake::slot_consumed_at_hand_over)) {
                    x.own->stopped.reset();
                }
            }
            gpu_->enqueue(gpu_->gpu, e.node, e.engine, &x.packet);
        }
    }

    /// Whether the hardware is asked by somebody else, later: a mistake.
    [[nodiscard]] virtual bool postpones(engine_state&) { return false; }

    void preempt(engine_state& e, std::uint32_t request, bool busy_anyway) {
        if (is(mistake::postpones_while_waiting)) {
            service(e);
        }
        e.request = request;
        e.mark = e.entries.size();
        bool const handed = std::any_of(e.entries.begin(), e.entries.end(), [](entry const& x) { return x.handed; });
        if ((e.halted ? e.entries.empty() : !handed) && !busy_anyway && !is(mistake::asks_idle_hardware)) {
            if (!is(mistake::silent_when_idle)) {
                e.stopping = true;
                report_preempted(e);
            }
            return;
        }
        if (e.halted) {  // the reset that follows ends the request
            e.stopping = true;
            ++e.generation;  // or a stop from before a reset would answer it
            return;
        }
        if (is(mistake::reports_before_stop)) {
            report_preempted(e);
            return;
        }
        hand_over(e);
        e.stopping = true;
        ++e.generation;
        if (!is(mistake::never_asks) && !(is(mistake::postpones_while_waiting) && e.waiting) && !postpones(e)) {
            gpu_->request_stop(gpu_->gpu, e.node, e.engine, e.generation);
        }
    }

    /// The body of the interrupt routine for one engine; true when the engine had something to say.
    bool service(engine_state& e) {
        while (!e.read_only.empty()) {
            wddmcore_gpu_status const s = e.read_only.front();
            e.read_only.pop_front();
            tell(e, s);
        }
        wddmcore_gpu_status s{};
        gpu_->read_status(gpu_->gpu, e.node, e.engine, &s);
        return tell(e, s);
    }
    /// Dismisses the interrupt, and leaves what it said to `service`.
    bool only_read(engine_state& e) {
        wddmcore_gpu_status s{};
        gpu_->read_status(gpu_->gpu, e.node, e.engine, &s);
        if (s.news != 0) {
            e.read_only.push_back(s);
        }
        return s.news != 0;
    }
    bool tell(engine_state& e, wddmcore_gpu_status const& s) {
        e.progress = s.progress;
        e.waiting = s.waiting != 0;
        bool const first = is(mistake::completion_before_fault);
        if (first && (s.news & wddmcore_gpu_completed) != 0) {
            completed(e, s.completed);
        }
        if ((s.news & wddmcore_gpu_faulted) != 0) {
            faulted(e, s);
        }
        if (!first && (s.news & wddmcore_gpu_completed) != 0) {
            completed(e, s.completed);
        }
        if ((s.news & wddmcore_gpu_stopped) != 0) {
            stopped(e, s);
        }
        return s.news != 0;
    }

    void retire_silent(engine_state& e) {
        while (!e.entries.empty() && e.entries.front().silent && (!e.stopping || e.mark != 0)) {
            e.last = e.entries.front().fence;
            pop(e);
        }
    }

    [[nodiscard]] bool reset(engine_state& e, std::uint32_t& aborted) {
        std::uint32_t const before = e.last;
        wddmcore_gpu_halted halted{};
        gpu_->halt(gpu_->gpu, e.node, e.engine, &halted);
        if (!is(mistake::does_not_collect)) {
            service(e);
        }
        if (is(mistake::reset_leaves_engine)) {
            aborted = e.last;
        } else if (gpu_->reset(gpu_->gpu, e.node, e.engine) != 0) {
            aborted = e.last;
            return false;
        } else {
            aborted = executing(e, halted);
        }
        if (is(mistake::aborts_first_for_drained) && halted.what == wddmcore_gpu_nothing) {
            aborted = before;
        }
        if (is(mistake::aborts_request_id)) {
            aborted = e.request;
        }
        if (is(mistake::aborts_newest) && !e.entries.empty()) {
            aborted = e.entries.back().fence;
        }
        bool const asked = e.stopping;
        empty(e);
        e.last = is(mistake::reset_keeps_last) ? before : aborted;
        e.dead_request = e.request;
        e.report_later = asked && is(mistake::reports_after_reset);
        return true;
    }

    void reset_with_adapter(engine_state& e) {
        wddmcore_gpu_halted halted{};
        gpu_->halt(gpu_->gpu, e.node, e.engine, &halted);
        service(e);
        if (!e.entries.empty() && !is(mistake::adapter_reset_keeps_last)) {
            e.last = e.entries.back().fence;  // AMB-48
        }
        empty(e);
        static_cast<void>(gpu_->reset(gpu_->gpu, e.node, e.engine));
    }

private:
    [[nodiscard]] bool resumes(entry const& x) const {
        if (is(mistake::resumes_by_flag)) {
            return x.came_back;
        }
        return x.own->stopped && *x.own->stopped == window_of(x);
    }
    [[nodiscard]] static window window_of(entry const& x) {
        return {x.packet.buffer + x.packet.start, x.packet.buffer + x.packet.end};
    }

    void pop(engine_state& e) {
        entry const& x = e.entries.front();
        if (x.own != nullptr && x.own->stopped && *x.own->stopped == window_of(x)) {
            x.own->stopped.reset();
        }
        e.entries.pop_front();
        e.mark -= e.mark != 0 ? 1U : 0U;
    }

    [[nodiscard]] std::size_t find(engine_state const& e, std::uint32_t serial) const {
        auto const found = std::find_if(e.entries.begin(), e.entries.end(), [serial](entry const& x) {
            return x.handed && !x.silent && x.packet.serial == serial;
        });
        return static_cast<std::size_t>(found - e.entries.begin());
    }

    // Everything up to this serial has completed; true when that was news.
    bool complete(engine_state& e, std::uint32_t serial, bool tell) {
        std::size_t const at = find(e, serial);
        if (at == e.entries.size()) {
            return false;
        }
        std::uint32_t const first = e.entries.front().fence;
        std::uint32_t fence = 0;
        for (std::size_t i = 0; i <= at; ++i) {
            fence = e.entries.front().fence;
            e.last = fence;
            pop(e);
        }
        if (tell) {
            notify_completed(e, is(mistake::reports_first_of_batch) ? first : fence);
        }
        retire_silent(e);
        return true;
    }

    void completed(engine_state& e, std::uint32_t serial) {
        if (complete(e, serial, true)) {
            drained(e);
        }
    }

    // Hardware that answers only when it stopped something does not answer any more (PRE-26).
    void drained(engine_state& e) {
        if (!e.stopping || e.mark != 0 || e.halted || gpu_->acknowledges_when_idle != 0 ||
            is(mistake::no_report_at_drain)) {
            return;
        }
        if (!is(mistake::no_disarm)) {
            gpu_->disarm(gpu_->gpu, e.node, e.engine);
        }
        report_preempted(e);
    }

    void stopped(engine_state& e, wddmcore_gpu_status const& s) {
        if (!e.stopping || (s.stopped_generation != e.generation && !is(mistake::generation_not_compared)) ||
            is(mistake::drops_stop)) {
            return;
        }
        if (!is(mistake::ignores_through)) {
            complete(e, s.stopped_through, !is(mistake::no_record_before_preemption));
        }
        if (s.stopped_half_run != 0 && e.mark != 0 && e.entries.front().own != nullptr &&
            !is(mistake::drops_interruption)) {
            e.entries.front().own->stopped = window_of(e.entries.front());
        }
        report_preempted(e);
    }

protected:
    void report_preempted(engine_state& e) {
        std::uint32_t const last =
            is(mistake::last_is_newest_submitted) && !e.entries.empty() ? e.entries.back().fence : last_of(e);
        if (is(mistake::keeps_preempted)) {
            for (entry& x : e.entries) {
                x.handed = false;
            }
        } else if (is(mistake::drops_held)) {
            e.entries.clear();
        } else {
            e.entries.erase(e.entries.begin(), e.entries.begin() + static_cast<std::ptrdiff_t>(e.mark));
        }
        e.mark = 0;
        e.stopping = false;
        notify_preempted(e, e.request + (is(mistake::reports_wrong_request) ? 1U : 0U), last);
        if (is(mistake::reports_twice)) {
            notify_preempted(e, e.request, last);
        }
        retire_silent(e);
    }

private:
    void faulted(engine_state& e, wddmcore_gpu_status const& s) {
        if (s.fault_known == 0) {
            e.halted = true;
            bool const wrong = is(mistake::fault_unknown_with_id) && !e.entries.empty();
            notify_faulted(e, wrong ? e.entries.front().fence : 0, !wrong);
            return;
        }
        std::size_t const at = find(e, s.fault_serial);
        if (at == e.entries.size()) {
            return;
        }
        if (at != 0) {
            std::size_t before = at;  // the newest that is no silent one
            while (before != 0 && e.entries[before - 1].silent) {
                --before;
            }
            if (before != 0) {
                complete(e, e.entries[before - 1].packet.serial, true);
            }
        }
        std::size_t const now = find(e, s.fault_serial);
        for (std::size_t i = 0; i < now; ++i) {
            pop(e);
        }
        std::uint32_t const fence = e.entries.front().fence;
        pop(e);
        e.last = is(mistake::fault_keeps_last) ? e.last : fence;
        e.halted = s.fault_needs_reset != 0;
        bool const next = is(mistake::fault_names_next) && !e.entries.empty();
        notify_faulted(e, next ? e.entries.front().fence : fence, false);
        retire_silent(e);
        drained(e);
    }

    [[nodiscard]] std::uint32_t executing(engine_state const& e, wddmcore_gpu_halted const& halted) const {
        if (halted.what == wddmcore_gpu_executing && find(e, halted.serial) < e.entries.size()) {
            return e.entries[find(e, halted.serial)].fence;
        }
        if (halted.what == wddmcore_gpu_cannot_tell || is(mistake::aborts_oldest_waiting)) {
            for (entry const& x : e.entries) {
                if (x.handed) {
                    return x.fence;  // the oldest in flight (AMB-47)
                }
            }
        }
        return e.last;
    }

    void empty(engine_state& e) {
        if (is(mistake::reset_keeps_ring)) {
            for (entry& x : e.entries) {
                x.handed = false;
            }
        } else {
            e.entries.clear();
        }
        e.mark = 0;
        e.stopping = false;
        e.halted = false;
    }
};

}  // namespace plain
