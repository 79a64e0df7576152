// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fences.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// Timeouts: a node is reset, stands still, and is resumed; when that fails, the whole adapter is reset (HWS-08).
class recovery {
public:
    recovery(world& w, system_services& system, ddi& calls) : w_(w), system_(system), ddi_(calls) {}

    /// The node has not answered in time.
    void reset(os_node& n) {
        w_.event(n, "timeout: the node is reset");
        ++w_.out.count.engine_resets;
        gone_after<queue_types::reset_engine> args;
        args->NodeOrdinal = n.node;
        ntstatus answer = status::unsuccessful;
        if (w_.table.reset_hw_engine != nullptr && w_.table.resume_hw_engine != nullptr) {
            driver_call const call(w_, "reset_hw_engine", wddmcore_passive_level);
            answer = w_.table.reset_hw_engine(w_.table.adapter, &*args);
        }
        if (answer != status::success) {
            reset_adapter();
            return;
        }
        n.halted = true;  // while the driver waited for its lock, contexts could run
        w_.check(w_.hw[n.node].halted, rule::hws_08, "the reset of the node returns success and the node goes on", n);
        end_of_waits(n);
        for (os_context& c : w_.contexts) {
            if (c.node == n.node && !c.destroyed && std::exchange(c.hit, false)) {
                w_.check(c.invalid, rule::hws_08,
                         "the reset discarded work of " + world::name(c) + " and it is not invalidated", n);
                c.invalid = true;
            }
        }
        abort_invalid(n);
    }

    /// The node may run again; some steps lie between, in which nothing runs.
    void resume(os_node& n) {
        w_.event(n, "the node is resumed");
        n.halted = false;
        gone_after<queue_types::resume_engine> args;
        args->NodeOrdinal = n.node;
        ntstatus answer = 0;
        {
            driver_call const call(w_, "resume_hw_engine", wddmcore_passive_level);
            answer = w_.table.resume_hw_engine(w_.table.adapter, &*args);
        }
        if (answer == status::success) {
            w_.check(!w_.hw[n.node].halted, rule::hws_08,
                     "resuming the engine returns success and it does not schedule", n);
            for (os_context& c : w_.contexts) {
                c.last_start = c.node == n.node ? os_context::start::engine_resumed : c.last_start;
            }
            return;
        }
        w_.check(w_.hw[n.node].halted, rule::hws_08, "resuming the engine fails and it schedules", n);
        reset_adapter();
    }

    /// Destroys the contexts that were invalidated, and makes others in their places.
    void replace_invalid(os_node const& n) {
        for (std::size_t i = 0; i < w_.contexts.size() && !w_.stopped; ++i) {
            os_context& c = w_.contexts[i];
            if (c.node == n.node && c.invalid && !c.destroyed && !is_listed(n, c)) {
                replace(c);
            }
        }
    }

    void replace(os_context& c) {
        abort(c);
        ddi_.destroy(c);
        if (!w_.stopped) {
            ddi_.create(c.slot, c.node, c.area);
        }
    }

    [[nodiscard]] static bool is_listed(os_node const& n, os_context const& c) {
        return (n.first && *n.first == c.index) || (n.second && *n.second == c.index);
    }

private:
    // No page says what becomes of what was asked of a node before its reset: the system does not wait for it.
    void end_of_waits(os_node& n) {
        for (os_context& c : w_.contexts) {
            if (c.node == n.node && !c.destroyed && c.wanted == os_context::wish::suspending) {
                c.wanted = os_context::wish::suspended;
                c.read_newest = false;
            }
        }
        n.first.reset();
        n.second.reset();
        n.list_pending = n.list_known = n.list_read = false;
    }

    void abort_invalid(os_node const& n) {
        for (os_context& c : w_.contexts) {
            if (c.node == n.node && c.invalid && !c.destroyed) {
                abort(c);
            }
        }
    }

    // The context's device is in error: what it was asked to do does not end any more, and nobody waits for it.
    void abort(os_context& c) {
        for (std::uint32_t const index : c.queues) {
            os_queue& q = w_.queues[index];
            for (std::deque<std::uint32_t>* const list : {&q.flying, &q.waiting}) {
                for (std::uint32_t const number : *list) {
                    w_.packets[number].now = packet::stage::aborted;
                    ++w_.out.count.aborted;
                }
                list->clear();
            }
        }
    }

    // The GPU goes on for a little with whatever it has.
    void let_run() {
        for (int i = 0; i < 4; ++i) {
            ++w_.step;
            system_.gpu().advance(true);
        }
    }

    void reset_adapter() {
        w_.event(w_.nodes.front(), "the adapter is reset");
        ++w_.out.count.adapter_resets;
        w_.whole_reset = true;
        for (os_node& n : w_.nodes) {
            n.halted = false;
        }
        {
            driver_call const call(w_, "reset_from_timeout", wddmcore_passive_level);
            ntstatus const answer = w_.table.reset_from_timeout(w_.table.adapter);
            w_.check(answer == status::success, rule::tdr_11, "the reset of the adapter fails", w_.nodes.front());
        }
        w_.is_silent = true;
        for (os_node& n : w_.nodes) {
            end_of_waits(n);
        }
        for (os_context& c : w_.contexts) {
            if (!c.destroyed) {
                abort(c);
            }
        }
        for (os_node const& n : w_.nodes) {
            w_.check(w_.hw[n.node].halted, rule::tdr_11, "the reset of the adapter returns and a node goes on", n);
        }
        let_run();
        {
            driver_call const call(w_, "restart_from_timeout", wddmcore_passive_level);
            ntstatus const answer = w_.table.restart_from_timeout(w_.table.adapter);
            w_.check(answer == status::success, rule::tdr_11, "the restart of the adapter fails", w_.nodes.front());
        }
        w_.whole_reset = false;
        for (os_node const& n : w_.nodes) {
            w_.check(!w_.hw[n.node].halted, rule::tdr_11, "the adapter is restarted and a node does not schedule", n);
        }
        let_run();
        std::size_t const all = w_.contexts.size();
        for (std::size_t i = 0; i < all && !w_.stopped; ++i) {
            if (!w_.contexts[i].destroyed) {
                w_.contexts[i].invalid = true;
                w_.contexts[i].hit = false;
                replace(w_.contexts[i]);
            }
        }
        w_.is_silent = false;
    }

    world& w_;
    system_services& system_;
    ddi& ddi_;
};

}  // namespace wddmcore::testing::hardware_queues::parts
