// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "recovery.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// Looks after nodes that stand still: something was lost, or it is a timeout.
class watch {
public:
    watch(world& w, system_services& system, ddi& calls, recovery& timeouts)
        : w_(w), system_(system), ddi_(calls), recovery_(timeouts) {}

    void look(os_node& n) {
        hardware_node& h = w_.hw[n.node];
        if (h.progress != n.seen_progress || n.halted) {
            n.seen_progress = h.progress;
            n.quiet_since = w_.step;
        }
        if (n.halted || w_.stopped) {
            return;
        }
        look_at_requests(n, h);
        if (!w_.stopped && !n.halted && w_.step - n.quiet_since > w_.opt.quantum_steps) {
            system_.settle();
            look_at_work(n, h);
        }
    }

private:
    // What was asked of the driver, is answered by now or on its way; what takes too long is a timeout.
    void look_at_requests(os_node& n, hardware_node& h) {
        for (os_context& c : w_.contexts) {
            if (c.node != n.node || c.destroyed || c.invalid || c.wanted != os_context::wish::suspending) {
                continue;
            }
            if (w_.step - c.asked_at > w_.opt.timeout_steps) {
                recovery_.reset(n);
                return;
            }
            bool const under_way = has_request(h, request::kind::suspend, c.area) || !h.events.empty() || w_.dpc_queued;
            if (!under_way && w_.step - c.asked_at > grace) {
                w_.broken(records::rule_of_lost(c),
                          "the suspension of " + world::name(c) + " is pending, and nobody asked the GPU for it", n);
                return;
            }
        }
        if (!n.list_pending) {
            return;
        }
        bool const under_way = has_request(h, request::kind::list, 0) || !h.events.empty() || w_.dpc_queued;
        if (w_.step - n.list_waits_since > w_.opt.timeout_steps) {
            recovery_.reset(n);
        } else if (!under_way && w_.step - n.list_asked_at > grace) {
            w_.broken(rule::hws_07, "a switch of the list was asked for and is never reported", n);
        }
    }

    [[nodiscard]] static bool has_request(hardware_node const& h, request::kind what, std::uint64_t area) {
        return (what == request::kind::suspend && h.saving && h.saving->area == area) ||
               std::any_of(h.requests.begin(), h.requests.end(), [&](request const& r) {
                   return r.what == what && (what == request::kind::list || r.area == area);
               });
    }

    // Nothing has run for a while.
    void look_at_work(os_node& n, hardware_node& h) {
        if (h.hung) {
            force(n, h);
            return;
        }
        if (!h.requests.empty() || h.saving || !h.events.empty() || w_.dpc_queued || w_.stopped) {
            return;
        }
        for (os_context& c : w_.contexts) {
            if (c.node == n.node && !c.destroyed && !c.invalid && c.wanted == os_context::wish::run) {
                look_at(c, n);
            }
            if (w_.stopped) {
                return;
            }
        }
    }

    // The time of what hangs is over: the system takes the node away from it, which it will not let go.
    void force(os_node& n, hardware_node const& h) {
        if (w_.has_list(n.node)) {
            if (!n.list_pending) {
                ddi_.switch_list(n, {}, {});
            }
            return;
        }
        for (os_context& c : w_.contexts) {
            bool const hangs = c.node == n.node && c.area == h.loaded && !c.destroyed && !c.invalid;
            if (hangs && c.wanted == os_context::wish::run) {
                ddi_.suspend(c);
                return;
            }
        }
    }

    void look_at(os_context& c, os_node& n) {
        hardware_context const* const own = w_.find(c);
        for (std::uint32_t const index : c.queues) {
            os_queue const& q = w_.queues[index];
            for (std::uint32_t const number : q.flying) {
                packet const& p = w_.packets[number];
                if (!p.in_ring) {
                    w_.broken(rule::hws_06, w_.name(p) + " was submitted and never comes into the ring", n);
                    return;
                }
                if (p.retired) {
                    w_.broken(rule::hws_06, w_.name(p) + " is done and its progress fence is not written", n);
                    return;
                }
            }
        }
        bool const has_work = std::any_of(c.queues.begin(), c.queues.end(),
                                          [this](std::uint32_t q) { return !w_.queues[q].flying.empty(); });
        if (w_.has_list(n.node) || !has_work || (own != nullptr && own->runnable)) {
            return;
        }
        rule const which = c.last_start == os_context::start::created   ? rule::hws_04
                           : c.last_start == os_context::start::resumed ? rule::hws_02
                                                                        : rule::hws_08;
        w_.broken(which,
                  world::name(c) + " has work and the GPU may not run it" +
                      (which == rule::hws_04   ? ", though a context starts resumed"
                       : which == rule::hws_02 ? ", though it was resumed"
                                               : ", though its engine was resumed"),
                  n);
    }

    static constexpr std::uint64_t grace = 20;  // a driver may ask from a thread or a DPC

    world& w_;
    system_services& system_;
    ddi& ddi_;
    recovery& recovery_;
};

}  // namespace wddmcore::testing::hardware_queues::parts
