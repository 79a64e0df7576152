// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "maker.hpp"
#include "recovery/recovery.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// The simulator: the scheduler's side, the simulated GPU and the driver between them, advanced by hand.
class player {
public:
    /// Starts the device and makes the paging contexts.
    /// @throws std::invalid_argument  the table does not fit its version, or cannot be played with these options
    player(wddmcore_driver_table const& table, options const& chosen, std::uint64_t seed)
        : w_(table, chosen, seed),
          gpu_(w_),
          system_(w_, gpu_),
          ddi_(w_, system_),
          recovery_(w_, gpu_, system_, ddi_),
          maker_(w_, ddi_),
          flips_(w_),
          flights_(w_) {
        if (chosen.virtual_addresses && (w_.calls.submit_virtual == nullptr || !table_has_virtual())) {
            throw std::invalid_argument("driver table: virtual submission needs WDDM 2.0 and its function");
        }
        if (!chosen.virtual_addresses && w_.table.submit_command == nullptr) {
            throw std::invalid_argument("driver table: physical submission needs its function");
        }
        w_.call = "start_device";
        static_cast<void>(w_.table.start_device(w_.table.adapter, &system_.table(), &gpu_.table()));
        w_.call = "";
        for (parts::os_engine& e : w_.os) {
            if ((chosen.paging_nodes >> e.node & 1) != 0) {
                static_cast<void>(create_context(e.node, e.engine, true));
            }
        }
    }

    /// A new context; returns its index.
    std::uint32_t create_context(std::uint32_t node, std::uint32_t engine, bool system = false) {
        return maker_.create_context(node, engine, system);
    }

    /// A new buffer of the context with its packets at the end of the context's queue: one for each order.
    /// @return number of the first packet
    std::uint32_t create_packets(std::uint32_t context, std::vector<packet_order> const& orders) {
        return maker_.create_packets(context, orders);
    }

    /// The same for a buffer that is broadcast to both adapters of a link: each portion is a packet of two contexts.
    /// @return number of the first packet
    std::uint32_t create_broadcast(std::uint32_t context, std::uint32_t other,
                                   std::vector<packet_order> const& orders) {
        return maker_.create_broadcast(context, other, orders);
    }

    /// A zero-length packet that leaves the context for the null context (CTX-01, CTX-02); returns its number.
    std::uint32_t create_switch(std::uint32_t context) { return maker_.create_switch(context); }

    /// Terminates a context, but no paging context: nothing more of it is submitted, and what comes back is cancelled.
    void remove_context(std::uint32_t context) { flights_.remove(w_.contexts[context]); }

    /// Submits the next packet of the context.
    void submit(std::uint32_t context) { ddi_.submit(w_.packets[w_.contexts[context].queue.front()]); }

    /// Sends a preempt request, unless one is outstanding there (PRE-23).
    void preempt(std::uint32_t node, std::uint32_t engine = 0) {
        parts::os_engine& e = w_.os[w_.index_of(node, engine)];
        if (!e.asked) {
            ddi_.preempt(e);
        }
    }

    /// One step of time: engines execute, interrupts and DPCs are delivered, timeouts are detected.
    /// @param all  every engine takes a step and everything pending is delivered at once; otherwise the seed decides
    void advance(bool all = true) {
        ++w_.step;
        gpu_.advance(all);
        if (all) {
            system_.settle();
        } else {
            deliver_some();
        }
        remove_contexts();
        watch_engines();
        ddi_.forget_buffers();
    }

    /// Judges the end of the run: each command of each packet was executed once, in its context's order.
    void finish() {
        w_.call = "";
        for (parts::context& c : w_.contexts) {
            for (std::uint32_t const number : c.all) {
                judge(w_.packets[number], w_.os_of(c));
            }
        }
        for (parts::context& c : w_.contexts) {
            if (!c.destroyed) {
                ddi_.destroy(c);
            }
        }
    }

    [[nodiscard]] report const& result() const { return w_.out; }
    [[nodiscard]] report take_result() { return std::move(w_.out); }
    [[nodiscard]] parts::world& state() { return w_; }
    [[nodiscard]] bool stopped() const { return w_.stopped; }
    /// Whether every packet that was made is over.
    [[nodiscard]] bool done() const {
        return std::all_of(w_.packets.begin(), w_.packets.end(), [](parts::packet const& p) {
            return p.now != parts::packet::stage::queued && p.now != parts::packet::stage::in_flight;
        });
    }
    parts::ddi& calls() { return ddi_; }
    parts::flips& flips() { return flips_; }

private:
    [[nodiscard]] bool table_has_virtual() const { return w_.table.submit_command_virtual != nullptr; }

    void deliver_some() {
        if (w_.random.chance(w_.opt.chances.interrupt)) {
            system_.interrupt(false);
        } else if (w_.random.chance(w_.opt.chances.spurious_interrupt)) {
            system_.interrupt(true);
        }
        if (w_.random.chance(w_.opt.chances.dpc)) {
            system_.dpc();
        }
    }

    // Contexts in error: what is left of them is cancelled, then the engine leaves them, then they are destroyed.
    void remove_contexts() {
        for (std::size_t i = 0; i < w_.contexts.size() && !w_.stopped; ++i) {
            parts::context& c = w_.contexts[i];
            if (!c.removed || c.destroyed || is_flying(c)) {
                continue;
            }
            cancel_all(c);
            if (!c.farewell || w_.packets[*c.farewell].now == parts::packet::stage::queued) {
                say_farewell(c);
                continue;
            }
            w_.areas[c.area].resident = false;
            ddi_.destroy(c);
            maker_.reuse_area(c);
            static_cast<void>(create_context(c.node, c.engine));
        }
    }

    void cancel_all(parts::context& c) {
        std::deque<std::uint32_t> const left = std::exchange(c.queue, {});
        for (std::uint32_t const number : left) {
            if (c.farewell && *c.farewell == number) {
                c.queue.push_back(number);
            } else {
                maker_.reuse_first(w_.packets[number]);
                ddi_.cancel(w_.packets[number]);
            }
        }
    }

    // The context may still be on the engine, and its memory is about to be freed.
    void say_farewell(parts::context& c) {
        parts::os_engine const& e = w_.os_of(c);
        if (e.paging_first != 0 || e.flights.size() >= w_.opt.ring_entries ||
            (e.asked && !w_.opt.submissions_during_request)) {
            return;
        }
        if (!c.farewell) {
            c.farewell = create_switch(c.index);
        }
        submit(c.index);
    }
    [[nodiscard]] bool is_flying(parts::context const& c) {
        parts::os_engine const& e = w_.os_of(c);
        return std::any_of(e.flights.begin(), e.flights.end(),
                           [&](parts::flight const& f) { return w_.packets[f.packet].context == c.index; });
    }

    void watch_engines() {
        for (parts::os_engine& e : w_.os) {
            parts::hardware_engine const& h = w_.hw_of(e);
            if (h.progress != e.seen_progress || e.flights.empty()) {
                e.seen_progress = h.progress;
                e.quiet_since = w_.step;
            }
            if (w_.stopped) {
                return;
            }
            if (e.asked && w_.step - e.asked->step > w_.opt.timing.timeout_steps) {
                system_.settle();
                if (e.asked && !w_.stopped) {
                    recovery_.timeout(e);
                }
            } else if (!e.asked && !e.flights.empty() && w_.step - e.quiet_since > w_.opt.timing.quantum_steps) {
                system_.settle();
                look_for_lost(e);
                if (!e.asked && !e.flights.empty() && !w_.stopped) {
                    ddi_.preempt(e);
                }
            }
        }
    }

    // Everything was delivered, no request is outstanding and nothing runs, so nothing may be in flight.
    void look_for_lost(parts::os_engine& e) {
        parts::hardware_engine const& h = w_.hw_of(e);
        if (e.flights.empty() || !h.ring.empty() || h.fault_halted || e.asked || w_.stopped) {
            return;
        }
        parts::packet const& p = w_.packets[e.flights.front().packet];
        rule const which = parts::world::rule_of_lost(p);
        w_.broken(which, parts::world::name(p) + " was submitted, is not in the ring and does not complete", e);
    }

    void judge(parts::packet const& p, parts::os_engine& e) {
        using stage = parts::packet::stage;
        if (p.now == stage::queued || p.now == stage::in_flight) {
            if (!w_.stopped) {
                w_.broken(rule::pre_15, parts::world::name(p) + " did not end", e);
            }
            return;
        }
        bool const runs = p.now == stage::completed && !p.silent && !p.null_rendering && !p.blamed;
        if (runs && p.executed != p.commands) {
            w_.broken(rule::pre_12, parts::world::name(p) + " counts as completed and was executed in part only", e);
        }
    }

    parts::world w_;
    parts::registers gpu_;
    parts::system_services system_;
    parts::ddi ddi_;
    parts::recovery recovery_;
    parts::maker maker_;
    parts::flips flips_;
    parts::flights flights_;
};

}  // namespace wddmcore::testing::scheduler
