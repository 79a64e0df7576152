// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "adapter_reset.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// Timeout recovery: what happens when a preempt request stays unanswered.
class recovery {
public:
    recovery(world& w, registers& gpu, system_services& system, ddi& calls)
        : w_(w), gpu_(gpu), system_(system), calls_(calls), adapter_(w, gpu, system), flights_(w) {}

    /// The request of this engine was not answered in time, and no interrupt is pending.
    void timeout(os_engine& e) {
        w_.event(e, "timeout");
        blame_healthy(e);
        if (w_.stopped) {
            return;
        }
        if (w_.table.reset_engine == nullptr) {
            adapter_.reset();
            return;
        }
        std::vector<os_engine*> const others = preempt_dependents(e);
        if (!e.asked || w_.stopped) {  // it was only slow
            return;
        }
        check_status(e);
        if (!e.asked || w_.stopped) {  // it answered the request during the question for its status
            return;
        }
        for (os_engine& candidate : w_.os) {  // in the order of node ordinals (TDR-13)
            bool const unanswered =
                candidate.asked && std::find(others.begin(), others.end(), &candidate) != others.end();
            if (w_.stopped || ((&candidate == &e || unanswered) && !reset(candidate))) {
                return;
            }
        }
    }

private:
    // The hardware could have answered: then the driver is at fault.
    void blame_healthy(os_engine& e) {
        hardware_engine const& h = w_.hw_of(e);
        bool const answers = h.armed && w_.opt.acknowledges_when_idle;  // it drained this very moment (TDR-06)
        if (h.hung || h.fault_halted || h.halted || (h.ring.empty() && answers)) {
            return;
        }
        bool const can_stop = w_.opt.stops_at != granularity::nowhere;
        if (e.asked->was_idle) {
            w_.broken(rule::pre_10, "everything had been reported when the request came, and it is not answered", e);
        } else if (can_stop && !e.asked->asked && flips::is_waiting(w_)) {
            w_.broken(rule::flp_01, "the request is not carried out while a flip waits for its vsync", e);
        } else if (h.ring.empty()) {
            bool const drained =
                !e.asked->stopped && e.asked->before != 0 && (!w_.opt.acknowledges_when_idle || !e.asked->asked);
            w_.broken(drained ? rule::pre_26 : rule::pre_08, "the request is not answered although nothing runs", e);
        } else if (can_stop && !h.armed && !e.asked->asked && (h.waiting || e.asked->found_waiting)) {
            w_.broken(rule::pre_22, "a packet that waits is not asked to stop before its condition is met", e);
        } else if (can_stop && !h.armed) {
            w_.broken(rule::pre_08,
                      e.asked->asked ? "the hardware has answered, and the request is not"
                                     : "the hardware was not asked to stop",
                      e);
        }
    }

    [[nodiscard]] std::vector<os_engine*> preempt_dependents(os_engine& e) {
        mirror::win8::dxgkarg_querydependentenginegroup args{};
        args.NodeOrdinal = e.node;
        args.EngineOrdinal = e.engine;
        {
            driver_call const call(w_, "query_dependent_engine_group", wddmcore_passive_level);
            ntstatus const answer = w_.table.query_dependent_engine_group(w_.table.adapter, &args);
            w_.check(answer == status::success, rule::tdr_03, "query-dependent-engine-group fails", e);
        }
        w_.check(args.DependentNodeOrdinalMask == gpu_.affected(e.node), rule::tdr_02,
                 "the dependent mask is not what the hardware says", e);
        std::vector<os_engine*> others;
        for (os_engine& other : w_.os) {
            if (&other == &e || other.engine != e.engine || (args.DependentNodeOrdinalMask >> other.node & 1) == 0) {
                continue;
            }
            others.push_back(&other);
            if (!other.asked && !other.flights.empty()) {
                calls_.preempt(other);
            }
        }
        auto const waits = [](os_engine* other) { return other->asked.has_value(); };
        for (std::uint64_t i = 0; i < w_.opt.timing.dependent_steps && !w_.stopped; ++i) {
            if (std::none_of(others.begin(), others.end(), waits)) {
                break;
            }
            ++w_.step;
            gpu_.advance(false);
            system_.settle();
        }
        return others;
    }

    void check_status(os_engine& e) {
        mirror::win8::dxgkarg_queryenginestatus args{};
        args.NodeOrdinal = e.node;
        args.EngineOrdinal = e.engine;
        std::uint64_t const then = e.asked->progress;
        driver_call const call(w_, "query_engine_status", wddmcore_passive_level);
        ntstatus const answer = w_.table.query_engine_status(w_.table.adapter, &args);
        w_.check(answer == status::success, rule::tdr_03, "query-engine-status fails", e);
        hardware_engine const& h = w_.hw_of(e);
        bool const progress = h.progress != then;
        w_.check(args.EngineStatus.Responsive == 0 || progress, rule::tdr_03,
                 "the engine is called responsive and has done nothing since the request", e);
    }

    // Whether to go on with the recovery of other engines.
    [[nodiscard]] bool reset(os_engine& e) {
        e.ignored = true;  // the snapshot: what is notified from now on does not count (TDR-10)
        flips::disturb(w_, false);
        // Packets that are held must not go to the hardware now: their completion would include those before them.
        if (flights::before_request(e) == e.flights.size() && w_.hardware_random.chance(40)) {
            gpu_.advance(false);
            if (w_.random.chance(50)) {  // otherwise it finishes just before the reset, and nobody sees it
                system_.settle();
            }
        }
        hardware_engine& h = w_.hw_of(e);
        h.reset_failed = false;
        h.truth = {};
        h.executing.reset();
        mirror::win8::dxgkarg_resetengine args{};
        args.NodeOrdinal = e.node;
        args.EngineOrdinal = e.engine;
        ntstatus answer;
        {
            driver_call const call(w_, "reset_engine", wddmcore_passive_level);
            answer = w_.table.reset_engine(w_.table.adapter, &args);
        }
        ++w_.out.count.engine_resets;
        w_.event(e, "engine reset returns " + world::hex(args.LastAbortedFenceId));
        if (answer != status::success) {
            w_.held(rule::tdr_08);
            adapter_.reset();
            return false;
        }
        w_.check(!h.reset_failed, rule::tdr_08, "the hardware could not be reset and success is returned", e);
        w_.check(h.ring.empty() && !h.halted && !h.fault_halted && !h.hung, rule::tdr_04,
                 "the engine is not empty and ready after its reset", e);
        if (w_.stopped) {
            return false;
        }
        return take_aborted(e, h, args.LastAbortedFenceId);
    }

    [[nodiscard]] bool take_aborted(os_engine& e, hardware_engine const& h, std::uint32_t aborted) {
        std::size_t const at = flights::find(e, aborted);
        bool const none = at == e.flights.size();
        if (none && aborted != e.last_completed) {
            w_.broken(rule::tdr_05,
                      "the aborted id " + world::hex(aborted) +
                          " is not between last completed and last "
                          "submitted",
                      e);
            return false;
        }
        w_.held(rule::tdr_05);
        for (flight const& f : e.flights) {
            w_.packets[f.packet].reset_hit = true;
        }
        check_truth(e, h, none ? 0 : at + 1);
        if (w_.stopped) {
            return false;
        }
        bool escalates = false;
        if (!none) {
            packet& named = w_.packets[e.flights[at].packet];
            if (at != 0) {
                flights_.complete_through(e, at - 1);
            }
            escalates = named.paging;
            if (named.silent) {
                named.now = packet::stage::completed;
            } else if (!escalates) {
                flights_.abort(named);
            }
            if (!escalates && !e.flights.empty() && e.flights.front().packet == named.number) {
                e.flights.pop_front();
            }
        }
        if (escalates) {  // TDR-08; the driver has nothing in flight here now
            e.last_completed = aborted;
            e.driver_is_empty = true;
            adapter_.reset();
            return false;
        }
        adapter_.end_request(e);
        flights_.bring_back(e, e.flights.size(), true);
        e.last_completed = aborted;
        e.last_from_reset = true;
        e.ignored = false;
        adapter_.rewind(e);
        return true;
    }

    // Compares what the hardware was doing with the driver's answer, that the first `named` flights are over.
    void check_truth(os_engine& e, hardware_engine const& h, std::size_t named) {
        auto const finished = [this](flight const& f) {
            packet const& p = w_.packets[f.packet];
            return !p.silent && (p.finished || p.faulted);
        };
        std::size_t over = 0;  // the flights that need not run again
        for (std::size_t i = 0; i < e.flights.size(); ++i) {
            over = finished(e.flights[i]) ? i + 1 : over;
        }
        for (std::size_t i = over; h.executing && i < e.flights.size(); ++i) {
            over = e.flights[i].packet == *h.executing ? i + 1 : over;
        }
        std::size_t silent = over;
        while (silent < e.flights.size() && w_.packets[e.flights[silent].packet].silent) {
            ++silent;
        }
        // Hardware cannot tell, so the driver names the oldest in flight, even if another packet hung (AMB-47).
        bool const unknown = w_.opt.troubles.cannot_tell && named == silent + 1;
        bool const right = unknown || (named >= over && named <= silent);
        if (right) {
            w_.held(h.executing ? rule::amb_47 : rule::tdr_06);
        } else {
            bool const older = named < over && !h.executing;
            bool const none = named == 0 && h.executing.has_value();
            // A driver that meets a paging packet here has to fail, and need not say which it was.
            bool const paging = none && w_.packets[*h.executing].paging;
            w_.broken(older    ? rule::tdr_06
                      : paging ? rule::tdr_08
                      : none   ? rule::tdr_07
                               : rule::amb_47,
                      h.executing ? "the packet that was executing is not the one that is named"
                      : older     ? "nothing was executing and an older packet than the last completed is named"
                                  : "a packet that never began is named as aborted",
                      e);
        }
    }

    world& w_;
    registers& gpu_;
    system_services& system_;
    ddi& calls_;
    adapter_reset adapter_;
    flights flights_;
};

}  // namespace wddmcore::testing::scheduler::parts
