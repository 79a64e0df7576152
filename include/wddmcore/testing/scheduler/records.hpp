// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "flights.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// What the scheduler does with each record that the driver notifies, and what is wrong with it.
class records {
public:
    explicit records(world& w) : w_(w), flights_(w) {}

    void take(record const& r) {
        if (interrupt_type::is_of_no_packet(r.type)) {
            w_.event(w_.os.front(), "record of type " + std::to_string(r.type) + ", which is of no packet");
            return;
        }
        os_engine* const e = engine_of(r);
        if (e == nullptr) {
            return;
        }
        if (r.type == interrupt_type::dma_faulted || !r.known) {
            w_.broken(rule::int_10, "a record of type " + std::to_string(r.type), *e);
            return;
        }
        if (e->ignored) {  // since the snapshot (TDR-10)
            w_.event(*e, "record of type " + std::to_string(r.type) + " is ignored");
            if (r.type == interrupt_type::dma_preempted && e->asked && e->asked->fence == r.fence) {
                e->late_preemption = r.last;
            }
            return;
        }
        switch (r.type) {
            case interrupt_type::dma_completed: completed(*e, r); break;
            case interrupt_type::dma_preempted: preempted(*e, r); break;
            default: faulted(*e, r); break;
        }
    }

    /// After the interrupts were read: nothing that has finished may be left unreported.
    void nothing_left(rule which) {
        for (os_engine& e : w_.os) {
            if (e.ignored || (w_.hw_of(e).latch.news & (wddmcore_gpu_completed | wddmcore_gpu_stopped)) != 0) {
                continue;
            }
            nothing_left(e, which);
        }
    }
    void nothing_left(os_engine& e, rule which) {
        for (flight const& f : e.flights) {
            packet const& p = w_.packets[f.packet];
            if (p.finished && !p.silent) {
                w_.broken(which, world::name(p) + " has finished and is not reported", e);
                return;
            }
        }
    }

private:
    [[nodiscard]] os_engine* engine_of(record const& r) {
        if (!r.known) {
            return &w_.os.front();
        }
        if (r.node >= w_.opt.nodes || r.engine >= w_.opt.engines) {
            bool const alone = w_.opt.engines == 1;
            w_.broken(r.node >= w_.opt.nodes ? rule::pre_27
                      : alone                ? rule::lda_04
                                             : rule::lda_01,
                      "a record of node " + std::to_string(r.node) + ", engine " + std::to_string(r.engine),
                      w_.os.front());
            return nullptr;
        }
        w_.held(w_.opt.engines == 1 ? rule::lda_04 : rule::lda_01);
        return &w_.os[w_.index_of(r.node, r.engine)];
    }

    // The rule that a record breaks which would be right of another engine; none, where it would be right of no one.
    template <class IsRight>
    [[nodiscard]] std::optional<rule> right_elsewhere(os_engine const& e, IsRight const& is_right) const {
        auto const other =
            std::find_if(w_.os.begin(), w_.os.end(), [&](os_engine const& o) { return &o != &e && is_right(o); });
        return other == w_.os.end()    ? std::nullopt
               : other->node == e.node ? std::optional(rule::lda_01)  // only the adapter of the link is another one
                                       : std::optional(rule::pre_27);
    }
    [[nodiscard]] std::optional<rule> completed_elsewhere(os_engine const& e, std::uint32_t fence) const {
        return right_elsewhere(e, [&](os_engine const& o) {
            std::size_t const at = flights::find(o, fence);
            return at < o.flights.size() && w_.packets[o.flights[at].packet].finished;
        });
    }

    void completed(os_engine& e, record const& r) {
        std::size_t const at = flights::find(e, r.fence);
        w_.event(e, "completed " + world::hex(r.fence),
                 at == e.flights.size() ? 0 : w_.packets[e.flights[at].packet].flow);
        if (at == e.flights.size()) {
            unknown_completion(e, r.fence);
            return;
        }
        if (!all_finished(e, at, r.fence, rule::int_07)) {
            return;
        }
        w_.held(rule::int_07);
        if (e.asked) {
            w_.held(rule::pre_26);
        }
        if (w_.os.size() > 1) {
            w_.held(rule::pre_27);
        }
        flights_.complete_through(e, at);
    }

    // A completion implies everything before it (INT-07).
    [[nodiscard]] bool all_finished(os_engine& e, std::size_t last, std::uint32_t fence, rule otherwise) {
        for (std::size_t i = 0; i <= last; ++i) {
            packet const& p = w_.packets[e.flights[i].packet];
            if (world::really_finished(p)) {
                continue;
            }
            bool const later = e.asked && e.flights[i].sequence >= e.asked->before;
            // The engine has stopped, the driver was told, and the preemption was never reported.
            bool const lost_stop = e.asked && e.asked->stopped && !later;
            bool const dropped = p.held && !p.given && i != last;
            auto const elsewhere = completed_elsewhere(e, fence);
            rule const which = lost_stop && !dropped                  ? rule::pre_08
                               : elsewhere                            ? *elsewhere
                               : !p.given && i != last                ? world::rule_of_lost(p)
                               : p.reset_hit                          ? rule::tdr_10
                               : p.is == packet::kind::context_switch ? rule::ctx_03
                               : later                                ? rule::amb_45
                                                                      : otherwise;
            w_.broken(which,
                      world::name(p) + " is taken as completed by the report of " + world::hex(fence) +
                          " and has not finished",
                      e);
            return false;
        }
        return true;
    }

    void unknown_completion(os_engine& e, std::uint32_t fence) {
        rule which = rule::int_07;
        if (auto const elsewhere = completed_elsewhere(e, fence); elsewhere) {
            which = *elsewhere;
        } else if (e.reset_once && (fence == e.last_completed || was_reset(e, fence))) {
            which = rule::tdr_10;
        } else if (came_back(e, fence)) {
            which = rule::pre_15;
        } else if (std::string_view(w_.call) == "query_current_fence") {
            which = rule::int_08;
        }
        w_.broken(which, "the completed id " + world::hex(fence) + " is not in flight", e);
    }

    [[nodiscard]] bool came_back(os_engine const& e, std::uint32_t fence) const {
        return std::any_of(w_.packets.begin(), w_.packets.end(), [&](packet const& p) {
            return p.had_fence && p.fence == fence && p.now == packet::stage::queued && is_of(e, p);
        });
    }
    [[nodiscard]] bool was_reset(os_engine const& e, std::uint32_t fence) const {
        return std::any_of(w_.packets.begin(), w_.packets.end(), [&](packet const& p) {
            return p.had_fence && p.fence == fence && is_of(e, p) && (p.reset_hit || p.now == packet::stage::aborted);
        });
    }
    [[nodiscard]] bool is_of(os_engine const& e, packet const& p) const {
        context const& c = w_.contexts[p.context];
        return c.node == e.node && c.engine == e.engine;
    }

    void preempted(os_engine& e, record const& r) {
        w_.event(e, "preempted by " + world::hex(r.fence) + ", last completed " + world::hex(r.last),
                 e.asked && e.asked->fence == r.fence ? e.asked->flow : 0);
        if (w_.watch_preempted) {
            w_.watch_preempted(r.fence);
        }
        if (!e.asked || e.asked->fence != r.fence) {
            unknown_request(e, r.fence);
            return;
        }
        w_.held(rule::pre_11);
        if (!last_is_right(e, r.last, rule::pre_11) || !nothing_ran(e)) {
            return;
        }
        w_.held(rule::pre_12);
        w_.held(rule::pre_14);
        w_.held(rule::pre_13);
        if (asked_hardware_waited(e)) {
            w_.held(rule::pre_22);
        }
        request const asked = *e.asked;
        std::size_t const back = flights::before_request(e);
        if (back != 0) {
            w_.held(rule::pre_15);
        }
        w_.held(back == 0 && asked.was_idle ? rule::pre_10 : rule::pre_08);
        w_.out.preemptions.push_back(
            {e.node, e.engine, asked.at, w_.now(), preemption::ending::reported, asked.was_idle});
        flights_.bring_back(e, back, false);
        e.asked.reset();
        flights_.retire_silent(e);
    }

    [[nodiscard]] bool asked_hardware_waited(os_engine& e) {
        return std::exchange(w_.hw_of(e).stopped_waiting, false) && e.asked->asked;
    }

    // Whether everything in flight up to a position was refused by the driver.
    [[nodiscard]] bool only_refused_through(os_engine const& e, std::size_t at) const {
        return at < e.flights.size() && std::all_of(
                                            e.flights.begin(), e.flights.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                            [&](flight const& f) { return w_.packets[f.packet].silent; });
    }

    void unknown_request(os_engine& e, std::uint32_t fence) {
        auto const elsewhere =
            right_elsewhere(e, [fence](os_engine const& o) { return o.asked && o.asked->fence == fence; });
        rule const which = e.request_died && fence == e.ended_by_reset ? rule::amb_46
                           : elsewhere                                 ? *elsewhere
                                                                       : rule::pre_11;
        w_.broken(which, "a preemption by " + world::hex(fence) + " is reported that nobody waits for", e);
    }

public:
    /// Whether the driver's last completed id is the scheduler's; names the reason if not.
    [[nodiscard]] bool last_is_right(os_engine& e, std::uint32_t last, rule otherwise) {
        if (last == e.last_completed) {
            w_.held(e.last_from_reset    ? rule::tdr_07
                    : e.last_from_fault  ? rule::int_09
                    : e.last_from_silent ? rule::pre_30
                                         : otherwise);
            return true;
        }
        std::size_t const at = flights::find(e, last);
        if (w_.hw_of(e).fault_halted && only_refused_through(e, at)) {
            // No request will be answered any more, so their turn may come before or after this one.
            w_.held(rule::pre_30);
            return true;
        }
        // A request that is ignored, or whose answer is lost, is told when it stays unanswered; what the driver takes
        // for finished follows from that.
        bool const ignored = e.asked && !e.asked->asked && e.asked->step + 1 < w_.step;
        bool const lost_stop = e.asked && e.asked->stopped && only_refused_through(e, at);
        if (ignored || lost_stop) {
            return true;
        }
        rule which = otherwise;
        if (at < e.flights.size() && w_.packets[e.flights[at].packet].finished) {
            which = otherwise == rule::int_08 ? rule::int_08 : rule::pre_13;
        } else if (at < e.flights.size() || came_back(e, last)) {
            which =
                at < e.flights.size() && w_.packets[e.flights[at].packet].silent ? rule_of_early(e, at) : rule::pre_14;
        } else if (last != 0 && std::any_of(w_.os.begin(), w_.os.end(),
                                            [&](os_engine const& o) { return &o != &e && o.last_completed == last; })) {
            which = rule::pre_27;
        } else if (last == 0 && otherwise == rule::int_08) {
            which = otherwise;  // no answer at all
        } else if (e.last_from_reset) {
            which = rule::tdr_07;
        } else if (e.last_from_fault) {
            which = rule::int_09;
        } else if (e.last_from_silent) {
            which = rule::pre_30;
        }
        w_.broken(which, "the driver says that " + world::hex(last) + " completed last", e);
        return false;
    }

private:
    // A refused packet is taken as completed before its turn, which what is dropped in front of it explains; what is
    // held while a request is outstanding is not.
    [[nodiscard]] rule rule_of_early(os_engine const& e, std::size_t at) const {
        auto const dropped = [this](flight const& f) {
            packet const& p = w_.packets[f.packet];
            return p.held && !p.given && !world::really_finished(p);
        };
        auto const end = e.flights.begin() + static_cast<std::ptrdiff_t>(at);
        return !e.asked && std::any_of(e.flights.begin(), end, dropped) ? rule::amb_45 : rule::pre_30;
    }

    // A packet that comes back must not have run to its end, and must not be where hardware can still run it.
    [[nodiscard]] bool nothing_ran(os_engine& e) {
        std::size_t const back = flights::before_request(e);
        for (std::size_t i = 0; i < back; ++i) {
            packet const& p = w_.packets[e.flights[i].packet];
            if (p.finished && !p.silent) {
                w_.broken(rule::pre_12, world::name(p) + " has finished and would run again", e);
                return false;
            }
        }
        if (!w_.hw_of(e).ring.empty()) {
            bool const late = e.stale_stop_at && e.asked && *e.stale_stop_at >= e.asked->step;
            w_.broken(late ? rule::tdr_10 : rule::pre_15, "a preemption is reported while the engine still has packets",
                      e);
            return false;
        }
        return true;
    }

    void faulted(os_engine& e, record const& r) {
        ++w_.out.count.faults;
        w_.held(rule::int_10);
        w_.event(e, "fault of " + world::hex(r.fence));
        bool const unknown = (r.fault_flags & page_fault_fence_invalid) != 0;
        std::size_t const at = flights::find(e, r.fence);
        auto const has_faulted = [&](flight const& f) { return w_.packets[f.packet].faulted; };
        if (unknown) {
            auto const is_right = [&](os_engine const& o) {
                return r.fence == 0 && std::any_of(o.flights.begin(), o.flights.end(), has_faulted);
            };
            bool const right = is_right(e);
            w_.check(right, right ? rule::int_09 : right_elsewhere(e, is_right).value_or(rule::int_09),
                     "a fault without its packet that did not happen, or with an id", e);
            return;
        }
        if (at == e.flights.size() || !has_faulted(e.flights[at])) {
            auto const elsewhere = right_elsewhere(e, [&](os_engine const& o) {
                std::size_t const there = flights::find(o, r.fence);
                return there < o.flights.size() && has_faulted(o.flights[there]);
            });
            w_.broken(elsewhere.value_or(rule::int_09), "the packet that is said to have faulted has not", e);
            return;
        }
        if (at != 0 && !all_finished(e, at - 1, r.fence, rule::int_07)) {
            return;
        }
        w_.held(rule::int_09);
        packet& p = w_.packets[e.flights[at].packet];
        if (at != 0) {
            flights_.complete_through(e, at - 1);
        }
        e.flights.pop_front();
        flights::set_last(e, r.fence);
        e.last_from_fault = true;
        flights_.abort(p);
        flights_.retire_silent(e);
    }

    world& w_;
    flights flights_;
};

}  // namespace wddmcore::testing::scheduler::parts
