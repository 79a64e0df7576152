// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../calls/ddi.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// The reset of the whole adapter, which follows a failed or impossible reset of one engine (TDR-08).
class adapter_reset {
public:
    adapter_reset(world& w, registers& gpu, system_services& system) : w_(w), gpu_(gpu), system_(system), flights_(w) {}

    /// Resets and restarts the adapter: paging packets come again with their ids (TDR-09), all other contexts are lost.
    void reset() {
        ++w_.out.count.adapter_resets;
        w_.say("adapter reset");
        for (os_engine& e : w_.os) {
            e.ignored = true;
        }
        os_engine& any = w_.os.front();
        w_.whole_reset = true;
        flips::start_over(w_);
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
        // A paging packet that hangs each time ends in a bug check, which tests nothing of the driver.
        for (auto& [address, commands] : w_.memory) {
            for (command& c : commands) {
                c.does = w_.packets[c.packet].paging ? command::kind::work : c.does;
            }
        }
        for (context& c : w_.contexts) {
            flights_.remove(c);  // every device has lost the adapter
        }
    }

    /// The reset ends the outstanding request without a report (AMB-46).
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

    /// The order of effects is judged from here again: effects that were removed may come a second time.
    void rewind(os_engine const& e) {
        for (context& c : w_.contexts) {
            if (&w_.os_of(c) == &e) {
                c.cursor = 0;
            }
        }
    }

private:
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
                p.executed = 0;  // memory was lost with it, so what it wrote does not count
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

    // The newest in flight, or the last one (TDR-07, AMB-48), as the driver knows it: it may have reported a preemption
    // that came too late to count.
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
    flights flights_;
};

}  // namespace wddmcore::testing::scheduler::parts
