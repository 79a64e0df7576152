// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

#include <algorithm>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// How packets leave the list of what is in flight on an engine.
class flights {
public:
    explicit flights(world& w) : w_(w) {}

    /// Everything up to and including position `last` has completed.
    void complete_through(os_engine& e, std::size_t last) {
        for (std::size_t i = 0; i <= last; ++i) {
            flight const f = e.flights.front();
            e.flights.pop_front();
            set_last(e, f.fence);
            land(e, w_.packets[f.packet]);
        }
        retire_silent(e);
    }

    /// Rejected packets whose turn has come count as completed (PRE-30); those after a request wait for its report.
    void retire_silent(os_engine& e) {
        while (!e.flights.empty() && w_.packets[e.flights.front().packet].silent &&
               (!e.asked || e.flights.front().sequence < e.asked->before)) {
            set_last(e, e.flights.front().fence);
            e.last_from_silent = true;
            w_.packets[e.flights.front().packet].now = packet::stage::completed;
            e.flights.pop_front();
        }
    }

    /// The last completed id moves on, for the usual reason.
    static void set_last(os_engine& e, std::uint32_t fence) {
        e.last_completed = fence;
        e.last_from_reset = false;
        e.last_from_fault = false;
        e.last_from_silent = false;
    }

    /// The first `count` packets come back (PRE-12): paging ones before anything else, with their ids (PRE-16).
    void bring_back(os_engine& e, std::size_t count, bool after_reset) {
        std::vector<std::uint32_t> back;
        for (std::size_t i = 0; i < count; ++i) {
            back.push_back(e.flights.front().packet);
            e.flights.pop_front();
        }
        for (std::size_t i = back.size(); i-- > 0;) {
            packet& p = w_.packets[back[i]];
            p.reset_hit = p.reset_hit || after_reset;
            if (p.silent) {  // AMB-50: it does not come back
                p.now = packet::stage::completed;
                continue;
            }
            p.now = packet::stage::queued;
            p.came_back = true;
            p.held = false;
            ++w_.out.count.preempted;
            w_.context_of(p).queue.push_front(p.number);
            e.paging_first += p.paging ? 1U : 0U;
        }
    }

    /// The packet is over without having completed; its context is in error.
    void abort(packet& p) {
        p.now = packet::stage::aborted;
        p.half = false;
        p.signalled = true;
        ++w_.out.count.aborted;
        remove(w_.context_of(p));
    }

    /// Nothing more of this context is submitted; packets that wait for it may go on.
    void remove(context& c) {
        if (c.system) {
            return;
        }
        c.removed = true;
        for (std::uint32_t const number : c.all) {
            w_.packets[number].signalled = true;
        }
    }

    /// Position of the flight with this id, or the number of flights.
    [[nodiscard]] static std::size_t find(os_engine const& e, std::uint32_t fence) {
        auto const found =
            std::find_if(e.flights.begin(), e.flights.end(), [fence](flight const& f) { return f.fence == fence; });
        return static_cast<std::size_t>(found - e.flights.begin());
    }

    /// How many of the flights were submitted before the request.
    [[nodiscard]] static std::size_t before_request(os_engine const& e) {
        if (!e.asked) {
            return e.flights.size();
        }
        auto const found = std::find_if(e.flights.begin(), e.flights.end(),
                                        [&e](flight const& f) { return f.sequence >= e.asked->before; });
        return static_cast<std::size_t>(found - e.flights.begin());
    }

private:
    void land(os_engine& e, packet& p) {
        p.now = packet::stage::completed;
        p.signalled = true;
        if (p.silent) {
            return;
        }
        ++w_.out.count.completions;
        if (p.null_rendering) {
            w_.held(rule::pre_29);
        }
        if (p.start == p.end) {
            w_.held(rule::ctx_05);
        }
        if (p.came_back && p.paging) {
            w_.held(rule::pre_16);
        }
        if (p.is == packet::kind::context_switch) {
            leave(e, w_.context_of(p));
        }
    }

    // The old context's memory may move now (CTX-03), unless more of it is in flight already.
    void leave(os_engine& e, context const& old) {
        w_.held(rule::ctx_01);
        bool const again = std::any_of(e.flights.begin(), e.flights.end(), [&](flight const& f) {
            return w_.packets[f.packet].context == old.index && !w_.packets[f.packet].silent;
        });
        if (again) {
            return;
        }
        if (w_.hw_of(e).loaded == old.area) {
            w_.broken(rule::ctx_03,
                      "the context whose context allocation is at " + world::hex(old.area) +
                          " is still on the engine after the switch away from it has completed",
                      e);
        } else {
            w_.held(rule::ctx_03);
        }
        w_.areas[old.area].resident = false;
    }

    world& w_;
};

}  // namespace wddmcore::testing::scheduler::parts
