// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "log_writer.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// What the hardware's scheduler does on one node when it is advanced by one step.
class node_step {
public:
    node_step(world& w, hardware_node& h) : w_(w), h_(h), os_(w.nodes[h.node]), log_(w, h) {}

    /// One request, and one command or one step of saving, or nothing.
    void advance() {
        log_.land();
        if (h_.halted || h_.hung) {
            return;
        }
        drain();
        if (h_.saving) {
            save();
            return;
        }
        if (!h_.requests.empty() && w_.hardware_random.chance(w_.opt.chances.requests)) {
            take_request();
        }
        if (!h_.saving && !h_.hung) {
            execute();
        }
    }

    /// Whether a context has something that can be executed now.
    [[nodiscard]] bool is_ready(hardware_context const& c) const {
        return std::any_of(c.rings.begin(), c.rings.end(), [this](hardware_ring const& r) { return is_ready(r); });
    }

private:
    [[nodiscard]] bool is_ready(hardware_ring const& r) const {
        if (r.entries.empty()) {
            return false;
        }
        packet const& p = w_.packets[r.entries.front().packet];
        bool const waits = p.executed < p.commands.size() && p.commands[p.executed].does == command::kind::wait;
        return !waits || w_.packets[p.commands[p.executed].other].is_over();
    }

    // Requests.

    void take_request() {
        request const r = h_.requests.front();
        h_.requests.pop_front();
        if (r.what == request::kind::list) {
            switch_list(r);
            return;
        }
        hardware_context* const c = world::find(h_, r.area);
        if (c == nullptr) {
            return;
        }
        if (r.what == request::kind::run) {
            c->runnable = true;
            log_.changed(*c, context_state::ready);
        } else if (!was_taken_back(r)) {
            h_.saving = r;
            h_.saving_left = h_.loaded == r.area ? w_.opt.save_steps : 0;
            save();
        }
    }

    // A suspension that the driver took back before the hardware began with it may be left out, with what took it back.
    [[nodiscard]] bool was_taken_back(request const& r) {
        auto const at = std::find_if(h_.requests.begin(), h_.requests.end(), [&r](request const& later) {
            return later.area == r.area && later.what != request::kind::list;
        });
        if (at == h_.requests.end() || at->what != request::kind::run ||
            !w_.hardware_random.chance(w_.opt.chances.merged_requests)) {
            return false;
        }
        h_.requests.erase(at);
        world::find(h_, r.area)->runnable = true;
        return true;
    }

    void switch_list(request const& r) {
        h_.first = r.area;
        h_.second = r.second;
        unload_if([&](std::uint64_t area) { return area != r.area; });
        told_event e;
        e.what = {wddmcore_queue_list_switched, 0, 0, r.value};
        e.generation = r.generation;
        h_.events.push_back(e);
        w_.event(os_, "the GPU works on the list " + world::hex(h_.first) + ' ' + world::hex(h_.second));
    }

    // The context leaves the chip, and what it has under way ends; then the request is answered.
    void save() {
        if (h_.saving_left != 0) {
            --h_.saving_left;
            return;
        }
        hardware_context* const c = world::find(h_, h_.saving->area);
        if (c != nullptr &&
            std::any_of(c->rings.begin(), c->rings.end(), [](hardware_ring const& r) { return !r.draining.empty(); })) {
            return;
        }
        if (c != nullptr) {
            c->runnable = false;
            if (h_.loaded == c->area) {
                h_.loaded = 0;
            }
            log_.changed(*c, context_state::idle);
        }
        told_event e;
        e.what = {wddmcore_queue_suspended, 0, h_.saving->area, h_.saving->value};
        e.generation = h_.saving->generation;
        e.subject = h_.saving->context;
        h_.events.push_back(e);
        w_.event(os_, "the GPU has suspended context " + std::to_string(e.subject));
        h_.saving.reset();
    }

    // Execution.

    template <class When>
    void unload_if(When&& when) {
        if (h_.loaded != 0 && when(h_.loaded)) {
            if (hardware_context const* const old = world::find(h_, h_.loaded); old != nullptr) {
                log_.changed(*old, context_state::ready);
            }
            h_.loaded = 0;
        }
    }

    [[nodiscard]] hardware_context* choose() {
        if (w_.has_list(h_.node)) {
            for (std::uint64_t const area : {h_.first, h_.first != 0 ? h_.second : 0}) {
                hardware_context* const c = area != 0 ? world::find(h_, area) : nullptr;
                if (c != nullptr && is_ready(*c)) {
                    return c;
                }
            }
            return nullptr;
        }
        hardware_context* best = nullptr;
        for (std::size_t i = 0; i < h_.contexts.size(); ++i) {
            hardware_context& c = h_.contexts[(h_.next_context + i) % h_.contexts.size()];
            if (c.runnable && is_ready(c) && (best == nullptr || c.band.value_or(0) > best->band.value_or(0))) {
                best = &c;
            }
        }
        ++h_.next_context;
        return best;
    }

    void execute() {
        hardware_context* const c = choose();
        if (c == nullptr) {
            return;
        }
        if (h_.loaded != c->area) {
            unload_if([](std::uint64_t) { return true; });
            h_.loaded = c->area;
            log_.changed(*c, context_state::running);
        }
        check_context(*c);
        for (std::size_t i = 0; i < c->rings.size(); ++i) {
            hardware_ring& r = c->rings[(c->next_ring + i) % c->rings.size()];
            if (is_ready(r)) {
                execute(r);
                break;
            }
        }
        ++c->next_ring;
    }

    void check_context(hardware_context const& own) {
        os_context const& c = w_.contexts[own.context];
        if (w_.is_silent) {
            w_.broken(rule::tdr_11, world::name(c) + " runs after the adapter was reset", os_);
        } else if (c.invalid) {
            w_.broken(rule::hws_08, world::name(c) + " was invalidated and runs", os_);
        } else if (os_.halted) {
            w_.broken(rule::hws_08, world::name(c) + " runs before its engine is resumed", os_);
        } else if (c.destroyed || c.wanted == os_context::wish::suspended) {
            w_.broken(rule::hws_03,
                      world::name(c) + (c.destroyed ? " was destroyed and runs" : " is suspended and runs"), os_);
        } else if (w_.has_list(h_.node) && os_.list_known && !os_.list_pending) {
            bool const listed = os_.first && (*os_.first == c.index || (os_.second && *os_.second == c.index));
            w_.check(listed, rule::hws_07, world::name(c) + " runs and is not on the list", os_);
        }
    }

    void execute(hardware_ring& r) {
        ring_entry& e = r.entries.front();
        packet& p = w_.packets[e.packet];
        ++h_.progress;
        if (!std::exchange(e.begun, true)) {
            check_private_data(e, p);
        }
        if ((e.what.flags & wddmcore_queue_fence_when_read) != 0 && p.executed + 1 >= p.commands.size()) {
            write_fence(e);
        }
        if (p.executed < p.commands.size()) {
            command const c = p.commands[p.executed];
            if (c.does == command::kind::hang) {
                h_.hung = true;
                w_.event(os_, "the node hangs in " + w_.name(p));
                return;
            }
            if (c.does == command::kind::signal) {
                signal(c);
            } else if (c.does == command::kind::fence) {
                w_.queues[p.queue].progress = p.fence;
            }
            ++p.executed;
        }
        if (p.executed == p.commands.size()) {
            e.draining = w_.opt.drain_steps;
            r.draining.push_back(e);
            r.entries.pop_front();
        }
        w_.look_at_progress();
    }

    void check_private_data(ring_entry const& e, packet const& p) {
        auto const right = expected_state(p.number);
        bool const whole = e.what.private_data != nullptr && e.what.private_data_bytes == sizeof right;
        bool const same =
            whole && std::equal(std::begin(right.state), std::end(right.state),
                                static_cast<wddmcore_hw_submission_private_data const*>(e.what.private_data)->state);
        w_.check(same, rule::hws_05,
                 "the hardware begins with " + w_.name(p) +
                     (whole ? " and finds other bytes than the private data of its submission"
                            : " and is given less than the private data of its submission"),
                 os_);
    }

    void signal(command const& c) {
        native_fence& f = w_.fences[c.other];
        if (!f.watched) {
            return;
        }
        f.current = c.value;
        ++w_.out.count.native_signals;
        w_.event(os_, "native fence " + std::to_string(f.index) + " is " + world::hex(f.current));
        if (f.current > f.seen_monitored) {
            told_event e;
            e.what = {wddmcore_queue_fence_signaled, 0, 0, f.current_address};
            e.subject = f.index;
            h_.events.push_back(e);
        }
    }

    void write_fence(ring_entry const& e) {
        for (os_queue& q : w_.queues) {
            if (q.fence_address == e.what.fence_address && !q.destroyed) {
                q.progress = e.what.fence_value;
            }
        }
        w_.look_at_progress();
    }

    void drain() {
        for (hardware_context& c : h_.contexts) {
            for (hardware_ring& r : c.rings) {
                if (!r.draining.empty() && r.draining.front().draining-- <= 1) {
                    ring_entry const e = r.draining.front();
                    r.draining.pop_front();
                    w_.packets[e.packet].retired = true;
                    if ((e.what.flags & wddmcore_queue_fence_when_retired) != 0) {
                        write_fence(e);
                    }
                }
            }
        }
    }

public:
    /// The private data of a packet's submission.
    [[nodiscard]] static wddmcore_hw_submission_private_data expected_state(std::uint32_t number) {
        wddmcore_hw_submission_private_data d{};
        for (std::uint64_t i = 0; i != std::size(d.state); ++i) {
            d.state[i] = vidmm_parts::mixed(number * 4 + i);
        }
        return d;
    }

private:
    world& w_;
    hardware_node& h_;
    os_node& os_;
    log_writer log_;
};

}  // namespace wddmcore::testing::hardware_queues::parts
