// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// What the system does with each record that the driver notifies, and what is wrong with it.
class records {
public:
    explicit records(world& w) : w_(w) {}

    void take(record const& r) {
        if (!r.known || r.node >= w_.opt.nodes) {
            w_.event(w_.nodes.front(), "record of type " + std::to_string(r.type) + ", which is of no queue");
            return;
        }
        switch (r.type) {
            case interrupt_type::context_suspended: suspended(r); break;
            case interrupt_type::list_switched: switched(w_.nodes[r.node], r.fence); break;
            default: signaled(r); break;
        }
    }

    /// After the interrupts were read: what the driver has learned must be reported.
    void nothing_left() {
        for (os_context& c : w_.contexts) {
            if (c.read_newest && c.wanted == os_context::wish::suspending && !c.destroyed && !c.invalid) {
                w_.broken(rule_of_lost(c), "the GPU has suspended " + world::name(c) + ", and nothing is reported",
                          w_.node_of(c));
                c.read_newest = false;
            }
        }
        for (os_node& n : w_.nodes) {
            if (n.list_read && n.list_pending) {
                w_.broken(rule::hws_07, "the GPU works on the new list, and nothing is reported", n);
                n.list_read = false;
            }
        }
        for (native_fence& f : w_.fences) {
            if (std::exchange(f.owed, false)) {
                w_.broken(rule::hws_10,
                          "native fence " + std::to_string(f.index) + " interrupted, and nothing is reported",
                          w_.nodes.front());
            }
        }
    }

    /// The rule of a suspension that is never reported.
    [[nodiscard]] static rule rule_of_lost(os_context const& c) { return c.overtook ? rule::hws_02 : rule::hws_01; }

private:
    // No page says whose handle it is (AMB-62): either is understood.
    [[nodiscard]] os_context* context_of(void const* handle) {
        for (os_context& c : w_.contexts) {
            if (!c.destroyed && handle != nullptr &&
                (handle == c.handle || handle == world::system_handle(world::context_handles, c.index))) {
                return &c;
            }
        }
        return nullptr;
    }

    void suspended(record const& r) {
        os_context* const found = context_of(r.context);
        bool const asked =
            found != nullptr && std::find(found->fences.begin(), found->fences.end(), r.fence) != found->fences.end();
        if (!asked) {
            w_.broken(rule::hws_02,
                      found == nullptr ? "a suspension is reported of a context that does not exist"
                                       : "the suspension of " + world::name(*found) + " is reported with " +
                                             world::hex(r.fence) + ", which no request had",
                      w_.nodes.front());
            return;
        }
        os_context& c = *found;
        os_node& n = w_.node_of(c);
        w_.event(n, world::name(c) + " is reported as suspended with " + world::hex(r.fence));
        if (r.fence != c.fence || c.wanted != os_context::wish::suspending) {
            return;  // a stale one, which the fence tells from the newest (HWS-02)
        }
        if (w_.is_referenced(c)) {
            bool const stale = c.read_stale && !c.read_newest;
            w_.broken(stale ? rule::hws_02 : rule::hws_03,
                      world::name(c) + (stale ? " is reported as suspended for the acknowledgement of an older request"
                                              : " is reported as suspended, and the GPU refers to it"),
                      n);
            return;
        }
        w_.held(rule::hws_01);
        w_.held(rule::hws_03);
        if (c.overtook) {
            w_.held(rule::hws_02);
        }
        c.wanted = os_context::wish::suspended;
    }

    // The arguments of a switch have no fence: a driver's own numbers, as the hardware echoes them, tell which it is.
    void switched(os_node& n, std::uint64_t fence) {
        w_.event(n, "the switch of the list is reported");
        bool const stale = std::find(n.stale_values.begin(), n.stale_values.end(), fence) != n.stale_values.end();
        if (!n.list_pending || stale) {
            return;
        }
        hardware_node const& h = w_.hw[n.node];
        auto const area_of = [this](std::optional<std::uint32_t> index) {
            return index ? w_.contexts[*index].area : std::uint64_t{0};
        };
        bool const comes = std::any_of(h.requests.begin(), h.requests.end(),
                                       [](request const& r) { return r.what == request::kind::list; });
        bool const same = h.first == area_of(n.first) && (h.first == 0 || h.second == area_of(n.second));
        w_.check(same && !comes && !n.halted, rule::hws_07,
                 comes ? "a switch is reported before the GPU works on the newest list"
                       : "a switch is reported and the GPU works on another list",
                 n);
        n.list_pending = false;
        n.list_known = true;
    }

    void signaled(record const& r) {
        for (void const* const handle : r.fences) {
            native_fence* found = nullptr;
            for (native_fence& f : w_.fences) {
                bool const same = handle == f.handle || handle == world::system_handle(world::fence_handles, f.index);
                found = same && handle != nullptr ? &f : found;
            }
            if (found == nullptr) {
                w_.broken(rule::hws_10, "a native fence is reported as signaled that does not exist", w_.nodes[r.node]);
                return;
            }
            native_fence& f = *found;
            std::uint64_t const monitored = f.window != nullptr ? *f.window : f.monitored;
            w_.event(w_.nodes[r.node], "native fence " + std::to_string(f.index) + " is reported as signaled");
            bool const due = std::exchange(f.owed, false) || f.current > monitored;
            w_.check(due, rule::hws_10,
                     "native fence " + std::to_string(f.index) + " is reported as signaled at " +
                         world::hex(f.current) + ", which is not above its monitored value " + world::hex(monitored),
                     w_.nodes[r.node]);
            f.told = true;
        }
    }

    world& w_;
};

}  // namespace wddmcore::testing::hardware_queues::parts
