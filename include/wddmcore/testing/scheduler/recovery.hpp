// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ddi.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// Timeout recovery: what happens when a preempt request stays unanswered.
class recovery {
public:
    recovery(world& w, registers& gpu, system_services& system, ddi& calls)
        : w_(w), gpu_(gpu), system_(system), calls_(calls), flights_(w) {}

    /// The request of this engine was not answered in time, and nothing is pending any more.
    void timeout(os_engine& e) {
        w_.event(e, "timeout");
        blame_healthy(e);
        if (w_.stopped) {
            return;
        }
        if (w_.table.reset_engine == nullptr) {
            reset_adapter();
            return;
        }
        std::vector<os_engine*> const others = preempt_dependents(e);
        if (!e.asked || w_.stopped) {  // it was only slow
            return;
        }
        check_status(e);
        if (!e.asked || w_.stopped) {  // it answered while it was asked for its status
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
    // An engine that could have answered: then the driver is at fault, not the hardware.
    void blame_healthy(os_engine& e) {
        hardware_engine const& h = w_.hw_of(e);
        bool const answers = h.armed && w_.opt.acknowledges_when_idle;  // it drained this very moment (TDR-06)
        if (h.hung || h.fault_halted || h.halted || (h.ring.empty() && answers)) {
            return;
        }
        bool const can_stop = w_.opt.stops_at != granularity::nowhere;
        if (h.ring.empty()) {
            bool const drained =
                !e.asked->stopped && e.asked->before != 0 && (!w_.opt.acknowledges_when_idle || !e.asked->asked);
            w_.broken(drained ? rule::pre_26 : rule::pre_08, "the request is not answered although nothing runs", e);
        } else if (can_stop && !h.armed && h.waiting) {
            w_.broken(rule::pre_22, "a packet that waits is not asked to stop before its condition is met", e);
        } else if (can_stop && !h.armed) {
            w_.broken(rule::pre_08, "the hardware was not asked to stop", e);
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

    // Whether the recovery goes on with other engines.
    [[nodiscard]] bool reset(os_engine& e) {
        e.ignored = true;  // the snapshot: what is notified from now on counts no more (TDR-10)
        // Packets that are held must not go to the hardware now: what they complete would count for those before.
        if (flights::before_request(e) == e.flights.size() && w_.hardware_random.chance(40)) {
            gpu_.advance(false);
            if (w_.random.chance(50)) {  // else it finishes unseen, just before the reset
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
            reset_adapter();
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
        if (escalates) {  // TDR-08; the driver has nothing in flight here any more
            e.last_completed = aborted;
            e.driver_is_empty = true;
            reset_adapter();
            return false;
        }
        end_request(e);
        flights_.bring_back(e, e.flights.size(), true);
        e.last_completed = aborted;
        e.last_from_reset = true;
        e.ignored = false;
        rewind(e);
        return true;
    }

    // What the hardware was really doing, against the first `named` flights being over.
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
        // Hardware that cannot tell: the oldest in flight is named, which may be innocent (AMB-47).
        bool const unknown = w_.opt.troubles.cannot_tell && named == silent + 1;
        bool const right = unknown || (named >= over && named <= silent);
        if (right) {
            w_.held(h.executing ? rule::amb_47 : rule::tdr_06);
        } else {
            bool const older = named < over && !h.executing;
            w_.broken(older ? rule::tdr_06 : rule::amb_47,
                      h.executing ? "the packet that was executing is not the one that is named"
                      : older     ? "nothing was executing and an older packet than the last completed is named"
                                  : "a packet that never began is named as aborted",
                      e);
        }
    }

    void end_request(os_engine& e) {
        e.reset_once = true;
        e.request_died = e.asked.has_value();
        if (e.asked) {
            e.ended_by_reset = e.asked->fence;
            w_.out.preemptions.push_back(
                {e.node, e.engine, e.asked->at, w_.now(), preemption::ending::reset, e.asked->was_idle});
            w_.held(rule::amb_46);
        }
        e.asked.reset();
        e.late_preemption.reset();
        e.quiet_since = w_.step;
    }

    // The order of effects is judged anew: what was struck out may come again.
    void rewind(os_engine const& e) {
        for (context& c : w_.contexts) {
            if (&w_.os_of(c) == &e) {
                c.cursor = 0;
            }
        }
    }

    void reset_adapter() {
        ++w_.out.count.adapter_resets;
        w_.say("adapter reset");
        for (os_engine& e : w_.os) {
            e.ignored = true;
        }
        os_engine& any = w_.os.front();
        w_.whole_reset = true;
        {
            driver_call const call(w_, "reset_from_timeout", wddmcore_passive_level);
            w_.check(w_.table.reset_from_timeout(w_.table.adapter) == status::success, rule::tdr_11,
                     "adapter reset fails", any);
        }
        w_.adapter_is_reset = true;
        check_silence();
        {
            driver_call const call(w_, "restart_from_timeout", wddmcore_passive_level);
            w_.check(w_.table.restart_from_timeout(w_.table.adapter) == status::success, rule::tdr_11, "restart fails",
                     any);
        }
        w_.adapter_is_reset = false;
        w_.whole_reset = false;
        for (os_engine& e : w_.os) {
            start_over(e);
        }
        for (auto& [address, area] : w_.areas) {
            area.valid = false;
        }
        // A paging packet that hangs again and again ends in a bug check, which is nobody's test.
        for (auto& [address, commands] : w_.memory) {
            for (command& c : commands) {
                c.does = w_.packets[c.packet].paging ? command::kind::work : c.does;
            }
        }
        for (context& c : w_.contexts) {
            flights_.remove(c);  // every device has lost the adapter
        }
    }

    // The GPU touches no memory between reset and restart (TDR-11).
    void check_silence() {
        std::uint32_t before = 0;
        std::uint32_t after = 0;
        for (hardware_engine const& h : w_.hw) {
            before += h.progress;
        }
        for (int i = 0; i < 4; ++i) {
            ++w_.step;
            gpu_.advance(true);
            system_.interrupt(false);
        }
        for (hardware_engine const& h : w_.hw) {
            after += h.progress;
        }
        w_.check(before == after, rule::tdr_11, "the GPU executes while the adapter is reset", w_.os.front());
    }

    void start_over(os_engine& e) {
        hardware_engine const& h = w_.hw_of(e);
        w_.check(h.ring.empty() && !h.halted && !h.fault_halted && !h.hung, rule::tdr_11,
                 "the engine is not empty and ready after the restart", e);
        set_last(e);
        end_request(e);
        std::deque<flight> const all = std::exchange(e.flights, {});
        for (flight const& f : all) {
            packet& p = w_.packets[f.packet];
            p.reset_hit = true;
            if (p.paging) {
                p.executed = 0;  // memory was lost with it: what it wrote is struck out
                p.finished = false;
                p.half = false;
                e.flights.push_back(f);
            } else if (p.silent) {
                p.now = packet::stage::completed;
            } else {
                flights_.abort(p);
            }
        }
        for (context const& c : w_.contexts) {
            for (std::uint32_t const number : c.queue) {
                strike_out_half_run(w_.packets[number], c, e);
            }
        }
        flights_.bring_back(e, e.flights.size(), true);
        e.ignored = false;
        rewind(e);
    }

    // The newest in flight, else what it was (TDR-07, AMB-48), as the driver must see it: it may have reported a
    // preemption that came too late to count.
    void set_last(os_engine& e) {
        std::size_t const gone = e.late_preemption ? flights::before_request(e) : 0;
        if (e.late_preemption && gone == e.flights.size()) {
            e.last_completed = *e.late_preemption;
        } else if (!e.flights.empty() && !e.driver_is_empty) {
            e.last_completed = e.flights.back().fence;
        }
        e.last_from_reset = true;
        e.driver_is_empty = false;
    }

    void strike_out_half_run(packet& p, context const& c, os_engine const& e) {
        if (&w_.os_of(c) == &e && p.paging && p.half) {
            p.executed = 0;
            p.half = false;
        }
    }

    world& w_;
    registers& gpu_;
    system_services& system_;
    ddi& calls_;
    flights flights_;
};

}  // namespace wddmcore::testing::scheduler::parts
