// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "probe.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// Chooses what the scheduler does next: anything that Windows could do in this state.
class scenario {
public:
    /// Makes the contexts of each engine, as many as the options say.
    /// @param p  what is played; must live longer
    explicit scenario(player& p) : p_(p), w_(p.state()) {
        for (parts::os_engine const& e : w_.os) {
            for (std::uint32_t i = 0; i < w_.opt.contexts; ++i) {
                static_cast<void>(p_.create_context(e.node, e.engine));
            }
        }
    }

    /// Does one step, on every engine.
    /// @return false: everything is over
    [[nodiscard]] bool step() {
        bool const creating = w_.packets.size() < w_.opt.packets;
        if (creating && w_.random.chance(50)) {
            create();
        }
        for (parts::os_engine& e : w_.os) {
            act(e, creating);
        }
        p_.flips().act();
        if (creating && w_.random.below(1000) < w_.opt.troubles.removals) {
            p_.remove_context(static_cast<std::uint32_t>(w_.random.below(w_.contexts.size())));
        }
        p_.advance(false);
        return !p_.stopped() && (creating || !p_.done());
    }

private:
    void act(parts::os_engine& e, bool creating) {
        if (!w_.stopped && w_.random.chance(w_.opt.chances.submit)) {
            submit(e, creating);
        }
        std::uint32_t const chance = e.flights.empty() ? w_.opt.chances.preempt_idle : w_.opt.chances.preempt;
        if (!w_.stopped && creating_or(e, creating) && !e.asked && w_.random.chance(chance)) {
            p_.calls().preempt(e);
        }
        if (!w_.stopped && w_.random.chance(w_.opt.chances.query)) {
            p_.calls().query_fence(e);
        }
    }

    // Fewer requests towards the end, so that the run does end.
    [[nodiscard]] bool creating_or(parts::os_engine const&, bool creating) { return creating || w_.random.chance(40); }

    void submit(parts::os_engine& e, bool creating) {
        if (e.flights.size() >= w_.opt.ring_entries || (e.asked && !w_.opt.submissions_during_request)) {
            return;
        }
        std::vector<std::uint32_t> ready;
        for (parts::context& c : w_.contexts) {
            if (&w_.os_of(c) == &e && is_ready(e, c, creating)) {
                ready.push_back(c.index);
            }
        }
        if (ready.empty()) {
            return;
        }
        std::uint32_t chosen = ready[static_cast<std::size_t>(w_.random.below(ready.size()))];
        if (!creating) {  // the oldest packet first, so that no other waits for it endlessly
            for (std::uint32_t const index : ready) {
                chosen = w_.contexts[index].queue.front() < w_.contexts[chosen].queue.front() ? index : chosen;
            }
        }
        p_.submit(chosen);
    }

    [[nodiscard]] bool is_ready(parts::os_engine const& e, parts::context const& c, bool creating) {
        if (c.removed || c.queue.empty() || (e.paging_first != 0 && !c.system)) {
            return false;
        }
        // What a request takes back is submitted again, and its successors must not have run before it.
        std::size_t const before = e.asked ? parts::flights::before_request(e) : 0;
        for (std::size_t i = 0; i < before; ++i) {
            if (w_.packets[e.flights[i].packet].context == c.index) {
                return false;
            }
        }
        parts::packet const& p = w_.packets[c.queue.front()];
        bool const safe = !creating || w_.opt.stops_at == granularity::nowhere;
        return !p.waits_for || !safe || w_.packets[*p.waits_for].signalled ||
               w_.packets[*p.waits_for].now != parts::packet::stage::queued;
    }

    void create() {
        parts::os_engine& e = w_.os[static_cast<std::size_t>(w_.random.below(w_.os.size()))];
        bool const pages = (w_.opt.paging_nodes >> e.node & 1) != 0 && w_.random.chance(w_.opt.chances.paging);
        std::vector<std::uint32_t> own;
        for (parts::context& c : w_.contexts) {
            if (&w_.os_of(c) == &e && !c.removed && c.system == pages) {
                own.push_back(c.index);
            }
        }
        if (own.empty()) {
            return;
        }
        std::uint32_t const index = own[static_cast<std::size_t>(w_.random.below(own.size()))];
        if (w_.random.chance(w_.opt.chances.context_switch)) {
            static_cast<void>(p_.create_switch(index));
            return;
        }
        if (!pages && w_.opt.engines > 1 && w_.patches() && w_.random.chance(w_.opt.chances.broadcast)) {
            broadcast(index);
            return;
        }
        std::vector<packet_order> orders;
        bool const split = !pages && !w_.opt.virtual_addresses && w_.random.chance(w_.opt.chances.split);
        std::uint64_t const portions = split ? w_.random.between(2, 3) : 1;
        for (std::uint64_t i = 0; i < portions; ++i) {
            orders.push_back(pages ? paging_order(e) : render_order(index, portions == 1));
        }
        static_cast<void>(p_.create_packets(index, orders));
    }

    // A split buffer, for a context of each adapter (LDA-05): plain work, because both execute the same bytes.
    void broadcast(std::uint32_t index) {
        std::vector<std::uint32_t> others;
        for (parts::context const& c : w_.contexts) {
            if (c.node == w_.contexts[index].node && c.engine != w_.contexts[index].engine && !c.system && !c.removed) {
                others.push_back(c.index);
            }
        }
        if (others.empty()) {
            return;
        }
        std::uint32_t const other = others[static_cast<std::size_t>(w_.random.below(others.size()))];
        std::vector<packet_order> orders(static_cast<std::size_t>(w_.random.between(1, 3)));
        for (packet_order& o : orders) {
            o.commands = commands();
        }
        static_cast<void>(p_.create_broadcast(index, other, orders));
    }

    [[nodiscard]] packet_order paging_order(parts::os_engine const& e) {
        packet_order o;
        o.commands = commands();
        // Without a context the structure names only the node (AMB-54).
        o.null_handle = e.engine == 0 && w_.random.chance(w_.opt.chances.null_context);
        if (w_.random.below(1000) < w_.opt.troubles.paging_hang) {
            trouble(o, parts::command::kind::hang);
        }
        return o;
    }

    [[nodiscard]] packet_order render_order(std::uint32_t context, bool whole) {
        packet_order o;
        o.commands = whole && w_.random.chance(w_.opt.chances.zero_length) ? 0 : commands();
        o.invalid = w_.opt.virtual_addresses && w_.random.chance(w_.opt.chances.rejected);
        o.null_rendering = !o.invalid && w_.random.chance(w_.opt.chances.null_rendering);
        if (o.commands == 0 || o.null_rendering || o.invalid) {
            return o;
        }
        wait(o, context);
        some_trouble(o);
        return o;
    }

    void some_trouble(packet_order& o) {
        struct choice {
            std::uint32_t chance;
            parts::command::kind kind;
        };
        struct troubles const& t = w_.opt.troubles;
        std::uint32_t const faults = w_.is_2_0() ? 1 : 0;  // the record exists from 2.0 on (INT-10)
        std::uint64_t thrown = w_.random.below(1000);
        for (choice const c :
             {choice{t.hang, parts::command::kind::hang}, choice{t.fault * faults, parts::command::kind::fault},
              choice{t.fault_reset * faults, parts::command::kind::fault_reset},
              choice{t.fault_unknown * faults, parts::command::kind::fault_unknown}}) {
            if (thrown < c.chance) {
                trouble(o, c.kind);
                return;
            }
            thrown -= c.chance;
        }
    }

    [[nodiscard]] std::uint32_t commands() {
        return static_cast<std::uint32_t>(w_.random.between(1, w_.opt.most_steps));
    }

    void trouble(packet_order& o, parts::command::kind kind) {
        o.trouble = kind;
        o.trouble_at = static_cast<std::uint32_t>(w_.random.below(o.commands));
    }

    // It waits for an older packet of another context, so that some packet can always go on.
    void wait(packet_order& o, std::uint32_t context) {
        if (w_.packets.empty() || !w_.random.chance(w_.opt.chances.wait)) {
            return;
        }
        auto const reach = static_cast<std::uint32_t>(w_.random.between(1, 12));
        auto const newest = static_cast<std::uint32_t>(w_.packets.size());
        parts::packet const& other = w_.packets[newest > reach ? newest - reach : 0];
        if (other.context == context || other.is != parts::packet::kind::render) {
            return;
        }
        o.waits_for = other.number;
        bool const inside = w_.opt.stops_at >= granularity::primitive;
        o.wait_at = inside ? static_cast<std::uint32_t>(w_.random.below(o.commands)) : 0;
    }

    player& p_;
    parts::world& w_;
};

/// Plays one run against a driver.
/// @param table  the driver; its adapter must be in the state before its start
/// @param chosen what the hardware and the scheduler do, and how often
/// @param seed   decides everything else: the same seed gives the same report and journal on every host
/// @return what the run showed
/// @throws std::invalid_argument  the table does not fit its version, or cannot be played with these options
[[nodiscard]] inline report run(wddmcore_driver_table const& table, options const& chosen, std::uint64_t seed) {
    player played(table, chosen, seed);
    scenario what(played);
    for (std::uint64_t i = 0; i < 200'000 && what.step(); ++i) {
    }
    played.finish();
    if (chosen.probes) {
        probe(played);
    }
    return played.take_result();
}

}  // namespace wddmcore::testing::scheduler
